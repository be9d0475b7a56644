/* SPDX-License-Identifier: MIT */
#include "tools/sched/replay-view.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "tools/sched/replay-model.h"

void sched_overheads_print(FILE *out, const struct sched_overheads *o)
{
	fprintf(out,
		"run measurement overhead: %" PRIu64 " nsecs\n"
		"sleep measurement overhead: %" PRIu64 " nsecs\n"
		"the run test took %" PRIu64 " nsecs\n"
		"the sleep test took %" PRIu64 " nsecs\n",
		o->run_overhead, o->sleep_overhead, o->run_test, o->sleep_test);
}

void sched_replay_print(FILE *out, const struct sched_replay *r)
{
	_cleanup_(text_done) struct text comm = TEXT_EMPTY;

	fprintf(out,
		"nr_run_events:        %" PRIu64 "\n"
		"nr_sleep_events:      %" PRIu64 "\n"
		"nr_wakeup_events:     %" PRIu64 "\n",
		r->runs, r->sleeps, r->wakes);
	if (r->targetless)
		fprintf(out, "target-less wakeups:  %" PRIu64 "\n", r->targetless);
	if (r->multi_target)
		fprintf(out, "multi-target wakeups: %" PRIu64 "\n", r->multi_target);
	for (size_t i = 0; i < r->n; i++) {
		const struct sched_replay_task *t = &r->items[i];

		text_clear(&comm);
		escape_terminal(&comm, t->comm, strlen(t->comm));
		fprintf(out, "task %6zu (%20s:%10d), nr_events: %zu\n", i,
			comm.length ? comm.chars : "", t->tid, t->n);
	}
	fputs("------------------------------------------------------------\n", out);
}

static double sched_replay_averaged(double before, double now, uint64_t n, uint64_t repeat)
{
	return n ? (before * (double)(repeat - 1) + now) / (double)repeat : now;
}

void sched_round_print(FILE *out, struct sched_averages *a, uint64_t repeat, uint64_t wall_ns,
		       uint64_t cpu_ns)
{
	double wall_ms = (double)wall_ns / 1e6, cpu_ms = (double)cpu_ns / 1e6;

	a->wall_ms = sched_replay_averaged(a->wall_ms, wall_ms, a->n, repeat);
	a->cpu_ms = sched_replay_averaged(a->cpu_ms, cpu_ms, a->n, repeat);
	a->n++;
	fprintf(out, "#%-3" PRIu64 ": %0.3f, ravg: %0.2f, cpu: %0.2f / %0.2f\n", a->n, wall_ms,
		a->wall_ms, cpu_ms, a->cpu_ms);
}
