/* SPDX-License-Identifier: MIT */
/* Decides which heat map a recording can give: its events, their fields, and the axes. */
#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/similar.h"
#include "pairs/pair-presets.h"
#include "session/machine.h"
#include "session/session.h"
#include "tools/heatmap/internal-work.h"
#include "tracepoint/format.h"

static void hint_record(const struct pair_preset *p, struct diag *diag)
{
	diag_hint(diag, "Record them first: perf record %s sleep 10", p->record);
}

static int choose_pairs(struct heatmap_job *j, struct diag *diag)
{
	int r;

	if (j->rq->pair) {
		r = typed_pair_parse(j->rq->pair, j->rq->key, &j->typed, diag);
		if (r < 0)
			return r;
		j->spec = &j->typed.spec;
		return pair_spec_check(j->spec, j->session, diag);
	}
	if (j->rq->preset)
		j->preset = pair_preset_find(j->rq->preset);
	j->spec = pair_preset_spec(j->preset, j->session);
	r = pair_spec_check(j->spec, j->session, diag);
	if (r == -ENOENT)
		hint_record(j->preset, diag);
	return r;
}

static void heatmap_plan_choose_kind(struct heatmap_job *j)
{
	j->kind = j->rq->kind;
	if (j->kind != HEATMAP_AUTO)
		return;
	j->preset = pair_preset_of(j->session);
	j->kind = j->preset ? HEATMAP_PAIRS : HEATMAP_SAMPLES;
}

/* Reports that no event has the field, and lists the fields that exist. */
static int heatmap_plan_refuse_field(const struct heatmap_job *j, struct diag *diag)
{
	struct similar near = { .typed = j->rq->field };
	_cleanup_(freep) char *phrase = NULL;

	for (size_t i = 0; i < session_event_count(j->session); i++) {
		const struct session_event *e = session_event(j->session, i);

		for (size_t f = 0; heatmap_is_about(j, e) && e->format && f < e->format->n_fields;
		     f++)
			similar_add(&near, e->format->fields[f].name);
	}
	phrase = similar_phrase(&near);
	diag_set(diag, -EINVAL, "%s of %s has a number called '%s'",
		 j->rq->event ? "no such event" : "no event", session_path(j->session),
		 j->rq->field);
	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	else
		diag_hint(diag,
			  "Fields of tracepoints are numbers, and so are period and weight; perf "
			  "script shows them.");
	return -EINVAL;
}

static int heatmap_plan_refuse_event(const struct heatmap_job *j, struct diag *diag)
{
	diag_set(diag, -ENOENT, "%s has no event %s", session_path(j->session), j->rq->event);
	diag_hint(diag, "perf evlist -i %s lists those that it has.", session_path(j->session));
	return -ENOENT;
}

static int heatmap_plan_check_events(struct heatmap_job *j, struct diag *diag)
{
	size_t n_meant = 0, n_with_field = 0, n_timed = 0;

	for (size_t i = 0; i < session_event_count(j->session); i++) {
		const struct session_event *e = session_event(j->session, i);

		if (!heatmap_is_about(j, e))
			continue;
		n_meant++;
		n_timed += e->time_offset >= 0;
		n_with_field += j->kind == HEATMAP_FIELD &&
				heatmap_source_of(j, e)->from != VALUE_ABSENT;
	}
	if (!n_meant && j->rq->event)
		return heatmap_plan_refuse_event(j, diag);
	if (j->kind == HEATMAP_FIELD && !n_with_field)
		return heatmap_plan_refuse_field(j, diag);
	if (n_meant && !n_timed)
		return diag_set(diag, -EINVAL,
				"the samples of %s have no times: record without --no-timestamp",
				session_path(j->session));
	return 0;
}

static void keep_process(void *arg, const struct task *t)
{
	u64_map_put(arg, (uint64_t)t->tid + 1, (void *)((uintptr_t)t->pid + 1)); /* never NULL */
}

/* Finds the processes of the threads that are the keys of pairs, if --pid needs them. */
static int find_processes(struct heatmap_job *j, struct diag *diag)
{
	int r;

	if (!j->spec || !j->spec->key_is_task || !j->rq->filter.pids.n)
		return 0;
	r = session_scan(j->session, diag);
	if (r == -ESPIPE)
		return diag_set(diag, r,
				"--pid needs the whole recording first: write it to a file");
	machine_tasks(j->session, keep_process, &j->processes);
	return r;
}

static uint64_t heatmap_plan_bound_of(const struct heatmap_job *j, struct heatmap_bound b)
{
	uint64_t ns;

	if (b.is_time || j->kind == HEATMAP_FIELD)
		return b.number;
	return __builtin_mul_overflow(b.number, j->rq->value_unit_ns, &ns) ? UINT64_MAX : ns;
}

#define MINUTES_PER_H 60

/* A recording of this many seconds has enough columns if each column is a second. */
#define SECONDS_ENOUGH 10

/* A shorter recording gets about this many columns. */
#define COLUMNS_WANTED 50

/* Returns the width of a column of samples if the user does not give it. */
static uint64_t usual_step(const struct heatmap_job *j)
{
	const struct features *f = j->session ? session_features(j->session) : NULL;
	uint64_t first = f ? f->sample_time.first : 0, last = f ? f->sample_time.last : 0;

	if (j->by_minute)
		return NS_PER_H;
	if (!first || last <= first || last - first >= SECONDS_ENOUGH * (uint64_t)NS_PER_S)
		return NS_PER_S;
	return heat_round_up((last - first) / COLUMNS_WANTED + 1);
}

static int make_heat(struct heatmap_job *j, struct diag *diag)
{
	const struct heatmap_request *rq = j->rq;
	struct heat_options o = { .scale = rq->scale,
				  .min = heatmap_plan_bound_of(j, rq->min),
				  .max = heatmap_plan_bound_of(j, rq->max),
				  .rows = rq->rows,
				  .columns = rq->columns,
				  .step_ns = rq->step_ns };

	if (j->kind == HEATMAP_SAMPLES) {
		if (o.min || o.max || o.scale == HEAT_LOG)
			return diag_set(diag, -EINVAL,
					"--min, --max and --log are about values, and samples have "
					"none: each lies somewhere in its second");
		j->step_ns = rq->step_ns ? rq->step_ns : usual_step(j);
		o.step_ns = j->step_ns;
		/* A row is at least a minute high. */
		if (j->by_minute && !rq->step_ns)
			o.rows = o.rows < MINUTES_PER_H ? o.rows : MINUTES_PER_H;
		o.max = o.step_ns;
		o.scale = HEAT_LINEAR;
	}
	if (o.max && o.max <= o.min)
		return diag_set(diag, -EINVAL, "--max must be greater than --min");
	if (j->window)
		heat_window_init(j->window, &o, j->first_ns);
	else
		j->heat = heat_new(&o);
	return 0;
}

int heatmap_plan(struct heatmap_job *j, struct diag *diag)
{
	int r = 0;

	heatmap_plan_choose_kind(j);
	if (j->kind == HEATMAP_PAIRS)
		r = choose_pairs(j, diag);
	else if (j->kind != HEATMAP_TEXT)
		r = heatmap_plan_check_events(j, diag);
	if (r >= 0)
		r = find_processes(j, diag);
	if (r >= 0)
		r = make_heat(j, diag);
	if (r >= 0 && j->spec)
		j->pairs =
			pairs_new(&(struct pairs_options){ .spec = j->spec,
							   .swap = session_is_swapped(j->session),
							   .found = heatmap_found,
							   .arg = j });
	return r;
}
