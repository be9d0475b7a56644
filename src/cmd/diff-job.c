/* SPDX-License-Identifier: MIT */
#include "cmd/diff-job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/workers.h"
#include "cli/command.h"
#include "cmd/diff-opts.h"
#include "cmd/limit-status.h"
#include "count/compare.h"
#include "job/reading.h"
#include "profile/shared-values.h"
#include "session/session.h"
#include "view/report/dump.h"

#define WORKERS_MAX  16
#define DEFAULT_SORT "dso,symbol"

/* "+key" adds to the usual ones. */
static char *sort_of(const struct diff_opts *o)
{
	if (!o->sort)
		return xstrdup(DEFAULT_SORT);
	return *o->sort == '+' ? xasprintf(DEFAULT_SORT ",%s", o->sort + 1) : xstrdup(o->sort);
}

static size_t count_parts(const char *text)
{
	size_t n = 1;

	for (; *text; text++)
		n += *text == ':';
	return n;
}

static int parse_window(const struct diff_job *j, const char *part, size_t n,
			struct time_window *ret)
{
	_cleanup_(freep) char *text = xstrndup(part, n);
	size_t offset;

	if (time_window_parse(text, ret, &offset) >= 0) {
		ret->text = NULL;
		return 0;
	}
	diag_mark(j->diag, -EINVAL, j->opts->time, (size_t)(part - j->opts->time) + offset, 0,
		  "--time: '%s' is no span of time", text);
	diag_hint(j->diag, "Seconds from,to, or parts of the profile such as 10%%/2 or 0%%-10%%; "
			   "different ones for each side with ':' between them.");
	return -EINVAL;
}

/* One span for all, or one for each side. */
static int parse_windows(struct diff_job *j)
{
	const char *at = j->opts->time;
	size_t parts = at ? count_parts(at) : 0, recording = 0;

	if (!at)
		return 0;
	if (parts > 1 && parts != j->inputs.n)
		return diag_set(j->diag, -EINVAL, "--time has %zu spans for %zu sides", parts,
				j->inputs.n);
	for (size_t side = 0; side < j->inputs.n; side++) {
		size_t n = strcspn(at, ":");

		for (size_t i = 0; i < j->inputs.items[side].n; i++) {
			int r = parse_window(j, at, n, &j->recordings[recording++].window);

			if (r < 0)
				return r;
		}
		at += parts > 1 ? n + 1 : 0;
	}
	return 0;
}

static int open_all(struct diff_job *j)
{
	size_t n = 0;

	for (size_t side = 0; side < j->inputs.n; side++)
		for (size_t i = 0; i < j->inputs.items[side].n; i++) {
			int r = diff_recording_open(&j->recordings[n++], &j->common,
						    j->inputs.items[side].items[i], j->diag);

			if (r < 0)
				return r;
		}
	return 0;
}

static int dump_all(struct diff_job *j)
{
	int r = 0;

	for (size_t i = 0; i < j->n && r >= 0; i++)
		r = report_dump_print(
			j->recordings[i].session,
			&(struct report_dump_options){ .skip_empty = true, .out = j->inv->out },
			j->diag);
	return r;
}

/* Keys that are fields of tracepoints depend on what was recorded. */
static int check_keys(const struct diff_job *j)
{
	const struct report_plan *a = &j->recordings[0].plan;

	for (size_t i = 1; i < j->n; i++) {
		const struct report_plan *b = &j->recordings[i].plan;
		bool same = a->keys.n == b->keys.n;

		for (size_t k = 0; k < a->keys.n && same; k++)
			same = a->keys.items[k].type == b->keys.items[k].type;
		if (!same)
			return diag_set(
				j->diag, -EINVAL, "the keys '%s' are not the same in %s and %s",
				j->common.sort, j->recordings[0].path, j->recordings[i].path);
	}
	return 0;
}

static int read_all(struct diff_job *j)
{
	int r = 0;

	for (size_t i = 0; i < j->n && r >= 0; i++)
		r = diff_recording_read(&j->recordings[i], j->diag);
	return r < 0 ? r : check_keys(j);
}

static int work(struct diff_job *j)
{
	struct notes notes = command_notes(j->inv);
	int r = parse_windows(j);

	if (r >= 0)
		r = open_all(j);
	if (r >= 0 && j->opts->dump_raw)
		return dump_all(j);
	if (r >= 0)
		r = read_all(j);
	if (r >= 0)
		r = diff_show(j);
	for (size_t i = 0; i < j->n && r >= 0 && !j->opts->verbosity.quiet; i++) {
		reading_note_damage(j->recordings[i].session, &notes);
		reading_note_losses(j->recordings[i].session, &notes);
	}
	return r;
}

static void job_init(struct diff_job *j, char *sort)
{
	const struct diff_opts *o = j->opts;

	for (size_t i = 0; i < j->inputs.n; i++) {
		j->n += j->inputs.items[i].n;
		j->is_repeated |= j->inputs.items[i].n > 1;
	}
	j->recordings = xcalloc(j->n, sizeof(*j->recordings));
	j->common = (struct diff_common){
		.inv = j->inv,
		.opts = o,
		.sort = sort,
		.workers = workers_new(0, WORKERS_MAX),
		.values = shared_values_new(),
	};
	j->options = (struct diff_options){
		.compute = o->method.compute,
		.weight_base = o->method.weight_base,
		.weight_other = o->method.weight_other,
		.order = o->order,
		.baseline_only = o->baseline_only,
		.absolute = o->percentage != PERCENTAGE_RELATIVE,
	};
}

static void job_done(struct diff_job *j)
{
	for (size_t i = 0; i < j->n; i++)
		diff_recording_done(&j->recordings[i]);
	free(j->recordings);
	frames_free(j->common.frames);
	shared_values_free(j->common.values);
	workers_free(j->common.workers);
}

/* What single recordings allow, and statistics do not. */
static int check_statistics(const struct diff_job *j)
{
	if (!j->is_repeated && !j->opts->json && !j->opts->limits.n)
		return 0;
	if (j->inputs.n > COMPARE_COMMANDS_MAX)
		return diag_set(j->diag, -EINVAL, "no more than %d sides can be compared",
				COMPARE_COMMANDS_MAX);
	if (j->opts->method.cycles)
		return diag_set(j->diag, -EINVAL, "-c cycles compares single recordings");
	if (j->opts->method.compute != DIFF_WDIFF)
		return 0;
	diag_set(j->diag, -EINVAL, "-c wdiff compares single recordings");
	diag_hint(j->diag, "Use -c delta for shares, -c ratio for periods.");
	return -EINVAL;
}

static int check_order(const struct diff_job *j)
{
	if (j->opts->order < j->inputs.n)
		return 0;
	diag_set(j->diag, -EINVAL, "-o %lu: there are only %zu sides", j->opts->order, j->inputs.n);
	diag_hint(j->diag, "0 sorts by the baseline, 1 by the first that is compared with it.");
	return -EINVAL;
}

int diff_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct diff_opts *o = inv->opts;
	_cleanup_(freep) char *sort = sort_of(o);
	struct diff_job j = { .inv = inv, .opts = o, .diag = &diag };
	int r = diff_inputs_find(inv->argc, inv->argv, &j.inputs, &diag);

	if (r >= 0)
		r = check_order(&j);
	if (r >= 0) {
		job_init(&j, sort);
		r = check_statistics(&j);
		if (r >= 0)
			r = work(&j);
		job_done(&j);
	}
	diff_inputs_done(&j.inputs);
	/* Lost output is told by whoever closes it. */
	if (r < 0 && ferror(inv->out))
		return EXIT_FAILED;
	if (r < 0)
		command_fail(inv, r, &diag);
	/* Whoever looks for a limit that was exceeded must not take this for one. */
	return r >= 0 ? r : o->limits.n ? EXIT_LIMIT_UNKNOWN : EXIT_FAILED;
}
