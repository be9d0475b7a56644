/* SPDX-License-Identifier: MIT */
/* perf bench sched */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "kernel/cgroup.h"
#include "tools/bench/bench.h"
#include "tools/bench/programs/sched.h"

BENCH_OPTS(sched_messaging, struct bench_messaging_params);

static const struct option sched_messaging_options[] = {
	OPT_FLAG('p', "pipe", struct sched_messaging_opts, params.pipe,
		 "send through pipes instead of sockets"),
	OPT_FLAG('t', "thread", struct sched_messaging_opts, params.threads,
		 "threads instead of processes"),
	OPT_UINT('g', "group", struct sched_messaging_opts, params.groups, "n",
		 "number of groups, each of 20 senders and 20 receivers (default: 10)"),
	OPT_UINT('l', "nr_loops", struct sched_messaging_opts, params.loops, "n",
		 "how often a sender sends to each receiver (default: 100)"),
	OPT_SET(struct sched_messaging_opts, common, bench_options),
	OPT_END,
};

static const struct sched_messaging_opts sched_messaging_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { .groups = 10, .loops = 100 },
};

BENCH_DEFINE(sched_messaging, "bench sched messaging", "sched/messaging",
	     "Benchmark for scheduling and IPC", bench_sched_messaging, false);

/* The options, with the names of -G. The benchmark writes to the files of these cgroups. */
struct pipe_line {
	struct bench_pipe_params pipe;
	const char *cgroups; /* cgroups of the sender and the receiver */
};

BENCH_OPTS(sched_pipe, struct pipe_line);

static const struct option sched_pipe_options[] = {
	OPT_UINT('l', "loop", struct sched_pipe_opts, params.pipe.loops, "n",
		 "number of loops (default: 1000000)"),
	OPT_FLAG('T', "threaded", struct sched_pipe_opts, params.pipe.threads,
		 "threads instead of processes"),
	OPT_FLAG('n', "nonblocking", struct sched_pipe_opts, params.pipe.nonblocking,
		 "pipes that do not block, and epoll_wait()"),
	OPT_UINT('s', "write-size", struct sched_pipe_opts, params.pipe.write_size, "n",
		 "bytes that are written at once (default: 4)"),
	OPT_STRING('G', "cgroups", struct sched_pipe_opts, params.cgroups, "SEND,RECV",
		   "cgroups for the sender and the receiver, which must exist"),
	OPT_SET(struct sched_pipe_opts, common, bench_options),
	OPT_END,
};

static const struct sched_pipe_opts sched_pipe_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params.pipe = { .loops = 1000000, .write_size = sizeof(int) },
};

/* Finds the file that moves a task into the cgroup of that name. */
static int cgroup_file(const char *name, bool threads, char **ret, struct diag *diag)
{
	struct cgroup group;
	int r = cgroup_open(NULL, name, &group, diag);

	if (r < 0)
		return r;
	*ret = xasprintf("%s/cgroup.%s", group.path, threads ? "threads" : "procs");
	cgroup_done(&group);
	return 0;
}

static int measure_pipe(const void *params, unsigned repeat, struct bench_result *ret,
			struct diag *diag)
{
	const struct pipe_line *line = params;
	struct bench_pipe_params pipe = line->pipe;
	_cleanup_(freep) char *sender = NULL, *receiver = NULL, *name = NULL;
	const char *comma = line->cgroups ? strchr(line->cgroups, ',') : NULL;
	int r = 0;

	if (line->cgroups && !comma)
		return diag_set(diag, -EINVAL, "-G needs two cgroups, with a comma between them");
	if (comma) {
		name = xstrndup(line->cgroups, (size_t)(comma - line->cgroups));
		r = cgroup_file(name, pipe.threads, &sender, diag);
	}
	if (r >= 0 && comma)
		r = cgroup_file(comma + 1, pipe.threads, &receiver, diag);
	if (r < 0)
		return r;
	pipe.sender_cgroup = sender;
	pipe.receiver_cgroup = receiver;
	return bench_sched_pipe(&pipe, repeat, ret, diag);
}

BENCH_DEFINE(sched_pipe, "bench sched pipe", "sched/pipe",
	     "Benchmark for pipe() between two processes", measure_pipe, false);

BENCH_OPTS(sched_seccomp_notify, struct bench_seccomp_params);

static const struct option sched_seccomp_notify_options[] = {
	OPT_UINT('l', "loop", struct sched_seccomp_notify_opts, params.loops, "n",
		 "number of loops (default: 1000000)"),
	OPT_FLAG('s', "sync-mode", struct sched_seccomp_notify_opts, params.sync,
		 "caller and answerer take turns on one CPU"),
	OPT_SET(struct sched_seccomp_notify_opts, common, bench_options),
	OPT_END,
};

static const struct sched_seccomp_notify_opts sched_seccomp_notify_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { .loops = 1000000 },
};

BENCH_DEFINE(sched_seccomp_notify, "bench sched seccomp-notify", "sched/seccomp-notify",
	     "Benchmark for seccomp user notify", bench_sched_seccomp_notify, false);
