/* SPDX-License-Identifier: MIT */
/* perf sched replay: repeats the recorded work of tasks, with a thread for each. */
#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "cli/command.h"
#include "profile/recorded.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "tools/sched/opts.h"
#include "tools/sched/read-work.h"
#include "tools/sched/replay-model.h"
#include "tools/sched/replay-view.h"
#include "tools/sched/replay-work.h"
#include "wire/record.h"

#define REPEAT_DEFAULT 10

struct opts {
	struct sched_opts common;
	int64_t repeat;
	bool all;
};

static const struct opts defaults = { .repeat = REPEAT_DEFAULT };

static const struct option options[] = {
	OPT_INT('r', "repeat", struct opts, repeat, "n",
		"do it so many times (default: 10; 0 or -1: until Ctrl-C)"),
	OPT_FLAG('a', "all", struct opts, all,
		 "wake-ups of sched_waking too, which Linux's perf 6.1 leaves out"),
	OPT_SET(struct opts, common, sched_options),
	OPT_END,
};

static const char *const usage[] = { "[<options>]", NULL };

struct sched_replay_reading {
	struct sched_replay replay;
	const struct session *session;
};

static void tools_sched_replay_take(void *arg, const struct sched_event *e)
{
	struct sched_replay_reading *r = arg;

	sched_replay_take(&r->replay, e);
}

static void sched_replay_take_fork(void *arg, const struct record *record, uint64_t time)
{
	struct sched_replay_reading *r = arg;
	const struct record_task *t = &record->task;

	sched_replay_fork(&r->replay, t->ptid, machine_comm(r->session, t->ppid, t->ptid, time),
			  t->tid, machine_comm(r->session, t->pid, t->tid, time));
}

static int read_steps(const struct invocation *inv, struct sched_replay_reading *reading,
		      struct diag *diag)
{
	const struct opts *o = inv->opts;
	const struct recorded_request rq = sched_recorded_request(&o->common, inv);
	struct notes notes = command_notes(inv);
	_cleanup_(recorded_done) struct recorded recorded = { 0 };
	const struct sched_reader reader = {
		.kinds = SCHED_KIND_BIT(SCHED_SWITCH) | SCHED_KIND_BIT(SCHED_WAKEUP) |
			 SCHED_KIND_BIT(SCHED_WAKEUP_NEW) |
			 (o->all ? SCHED_KIND_BIT(SCHED_WAKING) : 0),
		.unread = SCHED_PRIOS | SCHED_WAKER,
		.take = tools_sched_replay_take,
		.types = RECORD_TYPE_BIT(PERF_RECORD_FORK),
		.record = sched_replay_take_fork,
		.arg = reading,
	};
	int r = recorded_open(&rq, &recorded, diag);

	reading->session = recorded.session;
	reading->replay.all = o->all;
	return r < 0 ? r : sched_read(&recorded, &reader, &notes, diag);
}

static int sched_replay_repeat(const struct invocation *inv, const struct sched_replay *replay,
			       const struct sched_calibration *c, struct diag *diag)
{
	const struct opts *o = inv->opts;
	uint64_t n = o->repeat > 0 ? (uint64_t)o->repeat : REPEAT_DEFAULT;
	_cleanup_(sched_replayer_freep) struct sched_replayer *p = NULL;
	struct sched_averages averages = { .n = 0 };
	int r = sched_replayer_new(replay, c, &p, diag);

	if (r < 0)
		return r;
	sched_replay_print(inv->out, replay);
	while (o->repeat <= 0 || averages.n < n) {
		struct sched_round round = sched_replayer_run(p);

		sched_round_print(inv->out, &averages, n, round.wall_ns, round.cpu_ns);
		/* The reader of the output may have gone, which ends an endless replay. */
		if (fflush(inv->out) == EOF)
			return -EPIPE;
	}
	return 0;
}

static int replay_all(const struct invocation *inv, struct diag *diag)
{
	struct sched_replay_reading reading = { .session = NULL };
	struct sched_calibration c = sched_calibrate();
	const struct sched_overheads shown = { c.run_overhead, c.sleep_overhead, c.run_test,
					       c.sleep_test };
	int r = read_steps(inv, &reading, diag);

	if (r >= 0) {
		sched_overheads_print(inv->out, &shown);
		r = sched_replay_repeat(inv, &reading.replay, &c, diag);
	}
	sched_replay_done(&reading.replay);
	return r;
}

static int sched_replay_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r;

	if (o->repeat < -1) {
		diag_set(&diag, -EINVAL, "-r takes a number of times, or -1: until Ctrl-C");
		return command_usage(inv, &diag);
	}
	r = sched_dump(&o->common, inv, &diag);
	if (!r)
		r = replay_all(inv, &diag);
	/* The caller reports output that could not be written. */
	if (r < 0 && ferror(inv->out))
		return EXIT_FAILED;
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}

const struct command cmd_sched_replay = {
	.name = "sched replay",
	.summary = "do again what the recorded tasks did",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.run = sched_replay_run,
};
