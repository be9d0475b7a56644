/* SPDX-License-Identifier: MIT */
/* perf sched queue: shows the number of runnable tasks, on each CPU and over time. */
#include <errno.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/notes.h"
#include "cli/command.h"
#include "options/filter.h"
#include "profile/recorded.h"
#include "tools/sched/opts.h"
#include "tools/sched/queue-model.h"
#include "tools/sched/queue-view.h"
#include "tools/sched/read-work.h"

#define NS_PER_MS 1000000
/*
 * The number of intervals that fit into a line of a terminal, and the maximum that a user may
 * request.
 */
#define STRIP         64
#define INTERVALS_MAX 65536

struct opts {
	struct sched_opts common;
	struct cpu_list cpus;
	uint64_t interval_ms;
	bool json;
};

static const struct option options[] = {
	OPT_CPUS('C', struct opts, cpus),
	OPT_UINT('I', "interval", struct opts, interval_ms, "ms",
		 "a line every so many milliseconds, in place of the strips"),
	OPT_FLAG(0, "json", struct opts, json, "as JSON"),
	OPT_SET(struct opts, common, sched_options), OPT_END
};

static void tools_sched_queue_take(void *arg, const struct sched_event *e)
{
	sched_queue_take(arg, e);
}

static void sched_queue_show(const struct invocation *inv, const struct sched_queue *q)
{
	const struct opts *o = inv->opts;
	const struct queue_style style = { .cpus = &o->cpus, .intervals = o->interval_ms };

	if (o->json)
		queue_print_json(inv->out, q, &style);
	else
		queue_print(inv->out, q, &style);
}

static void note_wider(const struct opts *o, const struct sched_queue *q, struct notes *notes)
{
	if (o->interval_ms && q->interval_ns != o->interval_ms * NS_PER_MS)
		notes_add(notes, NOTE_WARNING,
			  "intervals are %.3f ms, as there would be more than %d of them",
			  (double)q->interval_ns / NS_PER_MS, INTERVALS_MAX);
}

static int sched_queue_read_and_show(const struct invocation *inv, struct recorded *r,
				     struct diag *diag)
{
	const struct opts *o = inv->opts;
	const struct recorded_request rq = sched_recorded_request(&o->common, inv);
	const struct queue_options how = { .interval_ns = o->interval_ms * NS_PER_MS,
					   .max_intervals = o->interval_ms ? INTERVALS_MAX
									   : STRIP };
	struct notes notes = command_notes(inv);
	_cleanup_(sched_queue_done) struct sched_queue q;
	const struct sched_reader reader = {
		.kinds = SCHED_KIND_BIT(SCHED_SWITCH) | SCHED_KIND_BIT(SCHED_WAKING) |
			 SCHED_KIND_BIT(SCHED_WAKEUP) | SCHED_KIND_BIT(SCHED_WAKEUP_NEW) |
			 SCHED_KIND_BIT(SCHED_MIGRATE),
		.unread = SCHED_NAMES | SCHED_PRIOS | SCHED_WAKER,
		.take = tools_sched_queue_take,
		.arg = &q,
	};
	int status;

	sched_queue_init(&q, &how);
	status = recorded_open(&rq, r, diag);
	if (status >= 0)
		status = sched_read(r, &reader, &notes, diag);
	if (status < 0)
		return status;
	sched_queue_end(&q);
	sched_queue_show(inv, &q);
	note_wider(o, &q, &notes);
	return 0;
}

static int sched_queue_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(recorded_done) struct recorded recorded = { 0 };
	int r;

	if (o->interval_ms > UINT64_MAX / NS_PER_MS / 2) {
		diag_set(&diag, -EINVAL, "--interval is in milliseconds: no recording is so long");
		return command_usage(inv, &diag);
	}
	r = sched_dump(&o->common, inv, &diag);
	if (!r)
		r = sched_queue_read_and_show(inv, &recorded, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}

static void tools_sched_queue_done(void *opts)
{
	struct opts *o = opts;

	cpu_list_done(&o->cpus);
}

static const char *const usage[] = { "[<options>]", NULL };

const struct command cmd_sched_queue = {
	.name = "sched queue",
	.summary = "show how many tasks are runnable over time",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.run = sched_queue_run,
	.done = tools_sched_queue_done,
};
