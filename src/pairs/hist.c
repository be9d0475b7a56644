/* SPDX-License-Identifier: MIT */
#include "pairs/hist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/similar.h"
#include "base/text.h"
#include "event/env.h"
#include "kernel/tracefs.h"
#include "pairs/hist-job.h"
#include "tracepoint/field.h"
#include "tracepoint/format.h"

void hist_request_done(struct hist_request *rq)
{
	target_done(&rq->target);
	histogram_scale_done(&rq->scale);
}

/* Scales the bounds of a time, which are typed in a unit but counted in nanoseconds. */
static int scale_bounds(struct histogram *h, uint64_t unit, struct diag *diag)
{
	for (size_t i = 0; i < h->n_bounds; i++)
		if (__builtin_mul_overflow(h->bounds[i], (int64_t)unit, &h->bounds[i])) {
			diag_set(diag, -EINVAL, "rows up to so long a time cannot be counted");
			diag_hint(diag, "Choose a smaller maximum or a smaller --unit.");
			return -EINVAL;
		}
	return 0;
}

int hist_job_init(struct hist_job *j, const struct hist_request *rq, struct notes *notes,
		  struct diag *diag)
{
	int r;

	*j = (struct hist_job){ .rq = rq, .notes = notes, .diag = diag };
	r = histogram_init(&j->shown, &rq->scale, diag);
	if (r >= 0)
		r = histogram_init(&j->all, &rq->scale, diag);
	if (r >= 0 && rq->unit_ns)
		r = scale_bounds(&j->all, rq->unit_ns, diag);
	j->shown.is_time = !rq->event;
	if (r >= 0)
		j->told = xcalloc(histogram_rows(&j->all), sizeof(*j->told));
	return r;
}

void hist_job_done(struct hist_job *j)
{
	histogram_done(&j->shown);
	histogram_done(&j->all);
	free(j->told);
}

bool hist_job_has_command(const struct hist_job *j)
{
	return j->rq->argv && j->rq->argv[0];
}

void hist_job_begin(const struct hist_job *j)
{
	if (j->rq->listener.begin)
		j->rq->listener.begin(j->rq->listener.arg);
}

void hist_job_tell(struct hist_job *j, uint64_t time_ns)
{
	for (size_t i = 0; i < histogram_rows(&j->all); i++) {
		j->shown.counts[i] = j->all.counts[i] - j->told[i];
		j->told[i] = j->all.counts[i];
	}
	j->rq->listener.table(j->rq->listener.arg, &j->shown, time_ns);
}

int hist_read_format(struct event_env *env, const char *system, const char *name,
		     struct tracepoint_format **ret, struct diag *diag)
{
	_cleanup_(freep) char *text = NULL;
	struct tracefs *fs;
	int r = event_env_tracefs(env, &fs, diag);

	if (r < 0)
		return r;
	r = tracefs_event_format(fs, system, name, &text);
	if (r < 0)
		return diag_set(diag, r, "cannot read the format of %s:%s: %s", system, name,
				strerror(-r));
	return tracepoint_format_parse(text, ret, diag);
}

static bool hist_is_number(const struct tracepoint_field *f)
{
	return !f->is_common && field_ref_of(f, false).kind == FIELD_NUMBER;
}

int hist_refuse_field(const char *event, const struct tracepoint_format *format, const char *field,
		      struct diag *diag)
{
	const struct tracepoint_field *there = format ? tracepoint_field_find(format, field) : NULL;
	_cleanup_(text_done) struct text numbers = TEXT_EMPTY;
	struct similar near = { .typed = field };
	_cleanup_(freep) char *phrase = NULL;

	for (size_t i = 0; format && i < format->n_fields; i++) {
		const struct tracepoint_field *f = &format->fields[i];

		if (!hist_is_number(f))
			continue;
		similar_add(&near, f->name);
		text_addf(&numbers, "%s%s", numbers.length ? ", " : "", f->name);
	}
	phrase = similar_phrase(&near);
	if (!*field)
		diag_set(diag, -EINVAL, "which field of %s?", event);
	else
		diag_set(diag, -EINVAL,
			 there ? "'%s' of %s is not a number" : "no field '%s' in %s", field,
			 event);
	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	if (numbers.length)
		diag_hint(diag, "Its numbers: %s.", numbers.chars);
	return -EINVAL;
}

static int hist_run_live(struct hist_job *j, struct record_result *ret)
{
	int r = hist_count(j, ret);

	if (r <= 0)
		return r;
	if (j->rq->verbose)
		notes_add(j->notes, NOTE_DETAIL, "Counted by samples: %s.", j->diag->message);
	diag_done(j->diag);
	return hist_sample(j, ret);
}

int hist_run(const struct hist_request *rq, struct notes *notes, struct record_result *ret,
	     struct diag *diag)
{
	struct hist_job j;
	int r = hist_job_init(&j, rq, notes, diag);

	*ret = (struct record_result){ 0 };
	if (r >= 0)
		r = rq->input ? hist_read(&j) : hist_run_live(&j, ret);
	hist_job_done(&j);
	return r;
}
