/* SPDX-License-Identifier: MIT */
/*
 * Measures the cost of opening events, mapping their ring buffers, switching them on and off, and
 * closing them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "capture/opened-events.h"
#include "capture/record-rings.h"
#include "event/env.h"
#include "event/event.h"
#include "measure/target.h"
#include "tools/bench/internals-work.h"
#include "tools/bench/programs/result.h"

#define EVENTS_MAX 4096
#define RING_BYTES (512 << 10) /* the size in Linux's perf, so that figures can be compared */

struct bench_evlist_places {
	struct task_list tasks;
	struct cpu_list cpus;
};

/* Adds the events @n times, resolved anew for each opening, because attrs may be adapted. */
static int bench_evlist_resolve(const struct bench_evlist_params *p, struct event_env *env,
				struct event_list *events, struct diag *diag)
{
	_cleanup_(text_done) struct text words = TEXT_EMPTY;

	for (uint64_t i = 0; i < p->events; i++)
		text_addf(&words, "%s%s", i ? "," : "", p->event ? p->event : "dummy");
	return event_list_parse(events, words.chars, env, EVENT_USE_SAMPLING, diag);
}

static int open_and_close(const struct bench_evlist_params *p,
			  const struct bench_evlist_places *places, struct event_list *events,
			  size_t *ret_fds, struct diag *diag)
{
	const struct open_request rq = { .events = events,
					 .use = EVENT_USE_SAMPLING,
					 .tasks = &places->tasks,
					 .cpus = &places->cpus,
					 .any_cpu = p->target.per_thread };
	struct opened_events opened = { 0 };
	struct record_rings rings = { 0 };
	int r = opened_events_open(&rq, &opened, diag);

	if (r >= 0)
		r = record_rings_map(&opened, RING_BYTES, &rings, diag);
	if (r >= 0) {
		opened_events_enable(&opened);
		opened_events_disable(&opened);
		*ret_fds = 0;
		for (size_t i = 0; i < opened.n; i++)
			*ret_fds += opened.items[i].n_cpus * opened.items[i].n_tasks;
	}
	record_rings_unmap(&rings);
	opened_events_close(&opened);
	return r;
}

static int bench_evlist_measure(const struct bench_evlist_params *p,
				const struct bench_evlist_places *places, struct moments *usecs,
				size_t *ret_events, size_t *ret_fds, struct diag *diag)
{
	_cleanup_(event_env_freep) struct event_env *env = event_env_new(NULL, NULL);
	int r = 0;

	for (uint64_t i = 0; i < p->iterations && r >= 0; i++) {
		_cleanup_(event_list_done) struct event_list events = { 0 };
		double begin;

		r = bench_evlist_resolve(p, env, &events, diag);
		if (r < 0)
			return r;
		*ret_events = events.n;
		begin = bench_now();
		r = open_and_close(p, places, &events, ret_fds, diag);
		moments_add(usecs, (bench_now() - begin) * 1e6);
	}
	return r;
}

static int bench_evlist_find_places(const struct bench_evlist_params *p,
				    struct bench_evlist_places *places, struct diag *diag)
{
	int r = target_tasks(&p->target, &places->tasks, diag);

	if (r >= 0)
		r = target_cpus(&p->target, &places->cpus, diag);
	/* Without a target perf itself is the target, as with --per-thread. */
	if (r >= 0 && p->target.per_thread && !places->tasks.n)
		r = task_list_add(&places->tasks, getpid(), diag);
	return r;
}

static void bench_evlist_fill(struct bench_result *ret, const struct bench_evlist_params *p,
			      const struct bench_evlist_places *places, size_t events, size_t fds,
			      const struct moments *usecs)
{
	char *suffix = xasprintf(" (%zu fds)", fds);
	char *line = xasprintf("  Number of events:\t%zu%s", events, suffix);

	bench_line_count(ret, "  Number of cpus:\t", p->target.per_thread ? 1 : places->cpus.n, "");
	bench_line_count(ret, "  Number of threads:\t", places->tasks.n ? places->tasks.n : 1, "");
	bench_line_text(ret, line);
	bench_line_count(ret, "  Number of iterations:\t", p->iterations, "");
	bench_line_mean(ret, "  Average open-close took: ", usecs, "usec", 3);
	bench_figure_add(ret, "open-close", "usec", BENCH_LESS, usecs->mean);
	free(line);
	free(suffix);
}

int bench_internals_evlist_open_close(const void *params, unsigned repeat, struct bench_result *ret,
				      struct diag *diag)
{
	const struct bench_evlist_params *p = params;
	struct bench_evlist_places places = { 0 };
	struct moments usecs = { 0 };
	size_t events = 0, fds = 0;
	int r;

	(void)repeat;
	if (!p->iterations || !p->events || p->events > EVENTS_MAX)
		return diag_set(diag, -EINVAL,
				"--iterations is at least 1, --nr-events a number from 1 to %d",
				EVENTS_MAX);
	r = bench_evlist_find_places(p, &places, diag);
	if (r >= 0)
		r = bench_evlist_measure(p, &places, &usecs, &events, &fds, diag);
	if (r >= 0)
		bench_evlist_fill(ret, p, &places, events, fds, &usecs);
	task_list_done(&places.tasks);
	cpu_list_done(&places.cpus);
	return r;
}
