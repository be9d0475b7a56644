/* SPDX-License-Identifier: MIT */
#include "tools/diff/diff-work.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/workers.h"
#include "profile/shared-values.h"
#include "session/reading.h"
#include "session/session.h"

#define WORKERS_MAX  16
#define DEFAULT_SORT "dso,symbol"

void diff_request_done(struct diff_request *rq)
{
	cpu_list_done(&rq->cpus);
	id_list_done(&rq->pids);
	id_list_done(&rq->tids);
	thresholds_done(&rq->limits);
}

/* Returns the sort keys. "+key" adds to the default ones. */
static char *diff_sort_of(const struct diff_request *rq)
{
	if (!rq->sort)
		return xstrdup(DEFAULT_SORT);
	return *rq->sort == '+' ? xasprintf(DEFAULT_SORT ",%s", rq->sort + 1) : xstrdup(rq->sort);
}

/* Returns the sort keys of a fleet. Hosts are the last key: diff_hosts_init() removes it again. */
static char *fleet_sort_of(const struct diff_request *rq)
{
	_cleanup_(freep) char *sort = diff_sort_of(rq);

	return xasprintf("%s," DIFF_HOST_KEY, sort);
}

static size_t count_parts(const char *text)
{
	size_t n = 1;

	for (; *text; text++)
		n += *text == ':';
	return n;
}

static int parse_window(const struct diff_job *j, const char *part, size_t n,
			struct time_window *ret, struct diag *diag)
{
	_cleanup_(freep) char *text = xstrndup(part, n);
	size_t offset;

	if (time_window_parse(text, ret, &offset) >= 0) {
		ret->text = NULL;
		return 0;
	}
	diag_mark(diag, -EINVAL, j->rq->time, (size_t)(part - j->rq->time) + offset, 0,
		  "--time: '%s' is not a span of time", text);
	diag_hint(diag, "Seconds from,to, or parts of the profile such as 10%%/2 or 0%%-10%%; "
			"different ones for each side with ':' between them.");
	return -EINVAL;
}

/* Parses one time window for all sides, or one for each side. */
static int parse_windows(struct diff_job *j, struct diag *diag)
{
	const char *at = j->rq->time;
	size_t parts = at ? count_parts(at) : 0, recording = 0;

	if (!at)
		return 0;
	if (parts > 1 && parts != j->inputs.n)
		return diag_set(diag, -EINVAL, "--time has %zu spans for %zu sides", parts,
				j->inputs.n);
	for (size_t side = 0; side < j->inputs.n; side++) {
		size_t n = strcspn(at, ":");

		for (size_t i = 0; i < j->inputs.items[side].n; i++) {
			int r = parse_window(j, at, n, &j->recordings[recording++].window, diag);

			if (r < 0)
				return r;
		}
		at += parts > 1 ? n + 1 : 0;
	}
	return 0;
}

static int diff_open_all(struct diff_job *j, struct diag *diag)
{
	size_t n = 0;

	for (size_t side = 0; side < j->inputs.n; side++)
		for (size_t i = 0; i < j->inputs.items[side].n; i++) {
			int r = diff_recording_open(&j->recordings[n++], &j->common,
						    j->inputs.items[side].items[i], diag);

			if (r < 0)
				return r;
		}
	return 0;
}

/* Checks the keys. Keys that are fields of tracepoints depend on what was recorded. */
static int check_keys(const struct diff_job *j, struct diag *diag)
{
	const struct report_plan *a = &j->recordings[0].plan;

	for (size_t i = 1; i < j->n; i++) {
		const struct report_plan *b = &j->recordings[i].plan;
		bool same = a->keys.n == b->keys.n;

		for (size_t k = 0; k < a->keys.n && same; k++)
			same = a->keys.items[k].type == b->keys.items[k].type;
		if (!same)
			return diag_set(
				diag, -EINVAL, "the keys '%s' are not the same in %s and %s",
				j->common.sort, j->recordings[0].path, j->recordings[i].path);
	}
	return 0;
}

int diff_job_read(struct diff_job *j, struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; i < j->n && r >= 0; i++)
		r = diff_recording_read(&j->recordings[i], diag);
	return r < 0 ? r : check_keys(j, diag);
}

void diff_job_note(const struct diff_job *j, struct notes *notes)
{
	for (size_t i = 0; i < j->n; i++) {
		reading_note_damage(j->recordings[i].session, notes);
		reading_note_losses(j->recordings[i].session, notes);
	}
}

static void diff_prepare(struct diff_job *j)
{
	j->names = xcalloc(j->inputs.n, sizeof(*j->names));
	for (size_t i = 0; i < j->inputs.n; i++) {
		j->names[i] = j->inputs.items[i].name;
		j->n += j->inputs.items[i].n;
		j->is_repeated |= j->inputs.items[i].n > 1 || j->rq->fleet;
	}
	j->recordings = xcalloc(j->n, sizeof(*j->recordings));
	j->common = (struct diff_common){
		.rq = j->rq,
		.sort = j->rq->fleet ? fleet_sort_of(j->rq) : diff_sort_of(j->rq),
		.workers = workers_new(0, WORKERS_MAX),
		.values = shared_values_new(),
	};
	j->options = (struct diff_options){
		.compute = j->rq->method.compute,
		.weight_base = j->rq->method.weight_base,
		.weight_other = j->rq->method.weight_other,
		.order = j->rq->order,
		.baseline_only = j->rq->baseline_only,
		.absolute = !j->rq->relative,
	};
}

void diff_job_close(struct diff_job *j)
{
	for (size_t i = 0; i < j->n; i++)
		diff_recording_done(&j->recordings[i]);
	free(j->recordings);
	free(j->names);
	free(j->common.sort);
	frames_free(j->common.frames);
	shared_values_free(j->common.values);
	workers_free(j->common.workers);
	diff_inputs_done(&j->inputs);
}

/* Refuses options that are allowed for single recordings, but not with statistics. */
static int check_statistics(const struct diff_job *j, struct diag *diag)
{
	if (!j->is_repeated && !j->rq->statistics && !j->rq->limits.n)
		return 0;
	if (j->inputs.n > COMPARE_COMMANDS_MAX)
		return diag_set(diag, -EINVAL, "no more than %d sides can be compared",
				COMPARE_COMMANDS_MAX);
	if (j->rq->method.cycles)
		return diag_set(diag, -EINVAL, "-c cycles compares single recordings");
	if (j->rq->method.compute != DIFF_WDIFF)
		return 0;
	diag_set(diag, -EINVAL, "-c wdiff compares single recordings");
	diag_hint(diag, "Use -c delta for shares, -c ratio for periods.");
	return -EINVAL;
}

static bool names_hosts(const char *sort)
{
	for (; sort; sort = strchr(sort, ',')) {
		size_t n = strspn(sort, ",+"), length = strcspn(sort + n, ",");

		if (length == strlen(DIFF_HOST_KEY) && !strncmp(sort + n, DIFF_HOST_KEY, length))
			return true;
		sort += n;
	}
	return false;
}

/*
 * Checks the options for a fleet. The URLs say which samples count; a store has neither processes
 * nor CPUs.
 */
static int check_fleet(const struct diff_request *rq, struct diag *diag)
{
	const char *what = rq->time      ? "--time"
			   : rq->cpus.n  ? "--cpu"
			   : rq->pids.n  ? "--pid"
			   : rq->tids.n  ? "--tid"
			   : rq->streams ? "--stream"
					 : NULL;

	if (!rq->fleet)
		return 0;
	if (names_hosts(rq->sort))
		return diag_set(diag, -EINVAL,
				"--fleet compares hosts: -s " DIFF_HOST_KEY
				" cannot be among its keys");
	if (!what)
		return 0;
	diag_set(diag, -EINVAL, "%s cannot be used with --fleet", what);
	diag_hint(diag, "The URL chooses: service=, container=, comm=, event=, since=, until=.");
	return -EINVAL;
}

static int find_inputs(struct diff_job *j, struct diag *diag)
{
	const struct diff_request *rq = j->rq;
	int r = check_fleet(rq, diag);

	if (r < 0)
		return r;
	return rq->fleet ? diff_inputs_fleet(rq->argc, rq->argv, &j->inputs, diag)
			 : diff_inputs_find(rq->argc, rq->argv, &j->inputs, diag);
}

static int check_order(const struct diff_job *j, struct diag *diag)
{
	if (j->rq->order < j->inputs.n)
		return 0;
	diag_set(diag, -EINVAL, "-o %" PRIu64 ": there are only %zu sides", j->rq->order,
		 j->inputs.n);
	diag_hint(diag, "0 sorts by the baseline, 1 by the first that is compared with it.");
	return -EINVAL;
}

int diff_job_open(struct diff_job *j, const struct diff_request *rq, struct diag *diag)
{
	int r;

	*j = (struct diff_job){ .rq = rq };
	r = find_inputs(j, diag);
	if (r >= 0)
		r = check_order(j, diag);
	if (r < 0)
		return r;
	diff_prepare(j);
	r = check_statistics(j, diag);
	if (r >= 0)
		r = parse_windows(j, diag);
	return r < 0 ? r : diff_open_all(j, diag);
}

size_t diff_job_repeats(const struct diff_job *j, size_t side)
{
	return j->rq->fleet ? j->recordings[side].hosts.n : j->inputs.items[side].n;
}

static struct diff *diff_of_hosts(const struct diff_job *j, const struct diff_options *options,
				  const struct session_event *event)
{
	_cleanup_(freep) const struct report_rows **hosts = NULL;
	size_t n = 0, at = 0;

	for (size_t side = 0; side < j->n; side++)
		n += diff_job_repeats(j, side);
	hosts = xcalloc(n + 1, sizeof(const struct report_rows *));
	for (size_t side = 0; side < j->n; side++)
		for (size_t i = 0; i < diff_job_repeats(j, side); i++)
			hosts[at++] = diff_recording_host_rows(&j->recordings[side], event, i);
	return diff_new(options, hosts, n);
}

struct diff *diff_of_event(const struct diff_job *j, const struct diff_options *options,
			   const struct session_event *event)
{
	_cleanup_(freep) const struct report_rows **sides =
		xcalloc(j->n, sizeof(const struct report_rows *));

	if (j->rq->fleet)
		return diff_of_hosts(j, options, event);
	sides[0] = j->recordings[0].rows[event->index];
	for (size_t i = 1; i < j->n; i++)
		sides[i] = diff_recording_rows(&j->recordings[i], event);
	return diff_new(options, sides, j->n);
}
