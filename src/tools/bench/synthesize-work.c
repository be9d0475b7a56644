/* SPDX-License-Identifier: MIT */
/*
 * Measures how fast perf describes, at the beginning of a recording, the state before it: of its
 * own process, or of all processes by several threads.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/synth.h"
#include "capture/task-list.h"
#include "tools/bench/internals-work.h"
#include "tools/bench/programs/result.h"

#define THREADS_MAX 1024

/* The attr is for user space only, because the kernel's own maps are not measured. */
static const struct attr user_attr = {
	.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
	.sample_id_all = 1,
	.exclude_kernel = 1,
};

/* Counts the records of tasks and their mappings. */
static size_t bench_synthesize_count_records(const struct bytes *b)
{
	size_t n = 0;

	for (size_t at = 0; at + sizeof(struct record_header) <= b->n;) {
		struct record_header h;

		memcpy(&h, b->data + at, sizeof(h));
		if (h.size < sizeof(h))
			break;
		n += h.type == PERF_RECORD_COMM || h.type == PERF_RECORD_MMAP2 ||
		     h.type == PERF_RECORD_FORK;
		at += h.size;
	}
	return n;
}

static size_t bench_synthesize(const struct task_list *tasks, bool data)
{
	const struct synth_plan plan = { .attr = &user_attr, .tasks = tasks, .data_maps = data };
	_cleanup_(bytes_done) struct bytes out = { 0 };

	synth_tasks(&plan, false, &out);
	return bench_synthesize_count_records(&out);
}

static void bench_synthesize_add_lines(struct bench_result *ret, const char *indent,
				       const char *what, const struct moments *usecs,
				       const struct moments *events)
{
	char *took = xasprintf("%sAverage %s took: ", indent, what);
	char *number = xasprintf("%sAverage num. events: ", indent);
	char *each = xasprintf("%sAverage time per event ", indent);

	bench_line_mean(ret, took, usecs, "usec", 3);
	bench_line_mean(ret, number, events, "", 3);
	bench_line_value(ret, each, events->mean > 0 ? usecs->mean / events->mean : 0, "usec");
	free(took);
	free(number);
	free(each);
}

static int measure_single(uint64_t iterations, bool data, struct bench_result *ret,
			  struct diag *diag)
{
	_cleanup_(task_list_done) struct task_list self = { 0 };
	struct moments usecs = { 0 }, events = { 0 };
	int r = task_list_add_process(&self, getpid(), diag);

	if (r < 0)
		return r;
	for (uint64_t i = 0; i < iterations; i++) {
		double begin = bench_now();
		size_t n = bench_synthesize(&self, data);

		moments_add(&usecs, (bench_now() - begin) * 1e6);
		moments_add(&events, (double)n);
	}
	bench_synthesize_add_lines(ret, "  ", data ? "data synthesis" : "synthesis", &usecs,
				   &events);
	bench_figure_add(ret, data ? "data synthesis" : "synthesis", "usec", BENCH_LESS,
			 usecs.mean);
	return 0;
}

/* A share of all tasks. */
struct bench_synthesize_share {
	struct task_list tasks;
	size_t events;
	pthread_t thread;
};

static void *take_share(void *arg)
{
	struct bench_synthesize_share *s = arg;

	s->events = s->tasks.n ? bench_synthesize(&s->tasks, false) : 0;
	return NULL;
}

static int synthesize_all(const struct task_list *all, size_t n_threads, size_t *ret_events,
			  struct diag *diag)
{
	struct bench_synthesize_share *shares = xcalloc(n_threads, sizeof(*shares));
	size_t started = 0;
	int r = 0;

	*ret_events = 0;
	for (; started < n_threads && r >= 0; started += r >= 0) {
		size_t from = all->n * started / n_threads, to = all->n * (started + 1) / n_threads;

		shares[started].tasks = (struct task_list){ .items = all->items + from,
							    .n = to - from };
		r = bench_thread_start(&shares[started].thread, -1, take_share, &shares[started],
				       diag);
	}
	for (size_t i = 0; i < started; i++) {
		pthread_join(shares[i].thread, NULL);
		*ret_events += shares[i].events;
	}
	free(shares);
	return r;
}

static int measure_multi(uint64_t iterations, size_t n_threads, struct bench_result *ret,
			 struct diag *diag)
{
	struct moments usecs = { 0 }, events = { 0 };
	char *name = xasprintf("synthesis by %zu threads", n_threads);
	char *head = xasprintf("  Number of synthesis threads: %zu", n_threads);
	int r = 0;

	for (uint64_t i = 0; i < iterations && r >= 0; i++) {
		_cleanup_(task_list_done) struct task_list all = { 0 };
		double begin = bench_now();
		size_t n = 0;

		r = task_list_add_all(&all, diag);
		if (r >= 0)
			r = synthesize_all(&all, n_threads, &n, diag);
		moments_add(&usecs, (bench_now() - begin) * 1e6);
		moments_add(&events, (double)n);
	}
	bench_line_text(ret, head);
	bench_synthesize_add_lines(ret, "    ", "synthesis", &usecs, &events);
	bench_figure_add(ret, name, "usec", BENCH_LESS, usecs.mean);
	free(name);
	free(head);
	return r;
}

static int run_multi(const struct bench_synthesize_params *p, struct bench_result *ret,
		     struct diag *diag)
{
	uint64_t most = p->max_threads ? p->max_threads : bench_n_cpus();
	int r = 0;

	if (!p->min_threads || p->min_threads > most || most > THREADS_MAX)
		return diag_set(diag, -EINVAL,
				"--min-threads (%llu) to --max-threads (%llu) are numbers up to %d",
				(unsigned long long)p->min_threads, (unsigned long long)most,
				THREADS_MAX);
	bench_line_text(ret, "Computing performance of multi threaded perf event synthesis by");
	bench_line_text(ret, "synthesizing events on CPU 0:");
	for (uint64_t n = p->min_threads; n <= most && r >= 0; n++)
		r = measure_multi(p->multi_iterations, n, ret, diag);
	return r;
}

int bench_internals_synthesize(const void *params, unsigned repeat, struct bench_result *ret,
			       struct diag *diag)
{
	const struct bench_synthesize_params *p = params;
	int r = 0;

	(void)repeat;
	if (!p->single_iterations || !p->multi_iterations)
		return diag_set(diag, -EINVAL, "numbers of iterations must be at least 1");
	if (p->single || !p->multi) {
		bench_line_text(ret,
				"Computing performance of single threaded perf event synthesis by");
		bench_line_text(ret, "synthesizing events on the perf process itself:");
		r = measure_single(p->single_iterations, false, ret, diag);
		if (r >= 0)
			r = measure_single(p->single_iterations, true, ret, diag);
	}
	return r >= 0 && p->multi ? run_multi(p, ret, diag) : r;
}
