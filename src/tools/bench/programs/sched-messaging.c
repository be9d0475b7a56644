/* SPDX-License-Identifier: MIT */
/*
 * Measures groups of senders and receivers: each sender of a group sends to each of its receivers.
 * All wait until all are ready; the time is from then to the end of the last one.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "tools/bench/programs/result.h"
#include "tools/bench/programs/sched.h"

#define PER_GROUP     BENCH_MESSAGING_PER_GROUP
#define MESSAGE_BYTES 100
/* More groups would be 400,000 processes. */
#define GROUPS_MAX 10000

struct bench_sched_messaging_group {
	int in[PER_GROUP], out[PER_GROUP]; /* one for each receiver */
};

/* One sender or receiver. */
struct bench_sched_messaging_member {
	const struct meeting *meeting;
	struct bench_sched_messaging_group *group;
	unsigned number;
	bool sends;
	int error;
};

struct meeting {
	const struct bench_messaging_params *params;
	int ready[2], wake[2]; /* pipes: one byte from each member; closed to make all begin */
	struct bench_sched_messaging_group *groups;
	size_t n_groups, n_members, n_started;
	struct bench_sched_messaging_member *members;
	pid_t *pids;
	pthread_t *threads;
};

static int bench_sched_messaging_send_all(const struct bench_sched_messaging_group *g,
					  uint64_t loops)
{
	char message[MESSAGE_BYTES] = { 0 };

	for (uint64_t i = 0; i < loops; i++)
		for (unsigned to = 0; to < PER_GROUP; to++)
			for (size_t sent = 0; sent < sizeof(message);) {
				ssize_t n = write(g->out[to], message + sent,
						  sizeof(message) - sent);

				if (n < 0 && errno != EINTR)
					return -errno;
				sent += n > 0 ? (size_t)n : 0;
			}
	return 0;
}

static int bench_sched_messaging_receive_all(int fd, uint64_t loops)
{
	char message[MESSAGE_BYTES];

	for (uint64_t i = 0; i < loops * PER_GROUP; i++)
		for (size_t got = 0; got < sizeof(message);) {
			ssize_t n = read(fd, message + got, sizeof(message) - got);

			if (!n)
				return -EPIPE;
			if (n < 0 && errno != EINTR)
				return -errno;
			got += n > 0 ? (size_t)n : 0;
		}
	return 0;
}

static int bench_sched_messaging_take_part(const struct bench_sched_messaging_member *m)
{
	const struct meeting *meeting = m->meeting;
	struct pollfd wake = { .fd = meeting->wake[0], .events = POLLIN };
	char byte = 0;

	if (write(meeting->ready[1], &byte, 1) != 1)
		return -errno;
	while (poll(&wake, 1, -1) < 0)
		if (errno != EINTR)
			return -errno;
	return m->sends ? bench_sched_messaging_send_all(m->group, meeting->params->loops)
			: bench_sched_messaging_receive_all(m->group->in[m->number],
							    meeting->params->loops);
}

static void *bench_sched_messaging_run_thread(void *arg)
{
	struct bench_sched_messaging_member *m = arg;

	m->error = bench_sched_messaging_take_part(m);
	return NULL;
}

static void bench_sched_messaging_close_all(int *fds, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
		fds[i] = -1;
	}
}

/*
 * Runs a process. A receiver does not hold the sending ends, so it sees the end of a sender that
 * fails.
 */
static void bench_sched_messaging_run_process(const struct bench_sched_messaging_member *m)
{
	if (!m->sends)
		bench_sched_messaging_close_all(m->group->out, PER_GROUP);
	_exit(-bench_sched_messaging_take_part(m));
}

static int start_member(struct meeting *meeting, struct bench_sched_messaging_member *m,
			struct diag *diag)
{
	size_t at = meeting->n_started;

	if (meeting->params->threads) {
		int r = bench_thread_start(&meeting->threads[at], -1,
					   bench_sched_messaging_run_thread, m, diag);

		if (r < 0)
			return r;
	} else {
		pid_t pid = bench_fork();

		if (pid < 0)
			return bench_explain(diag, pid, "a process cannot be started");
		if (!pid)
			bench_sched_messaging_run_process(m);
		meeting->pids[at] = pid;
	}
	meeting->n_started++;
	return 0;
}

static int connect_pair(bool by_pipe, int fds[2])
{
	if (by_pipe)
		return pipe(fds) < 0 ? -errno : 0;
	return socketpair(AF_UNIX, SOCK_STREAM, 0, fds) < 0 ? -errno : 0;
}

/* Starts a group, receivers first, so that those of other groups need not have these files open. */
static int start_group(struct meeting *meeting, struct bench_sched_messaging_group *g,
		       struct diag *diag)
{
	int fds[2], r = 0;

	for (unsigned i = 0; i < 2 * PER_GROUP && r >= 0; i++) {
		struct bench_sched_messaging_member *m = &meeting->members[meeting->n_started];
		bool sends = i >= PER_GROUP;

		*m = (struct bench_sched_messaging_member){
			.meeting = meeting, .group = g, .number = i % PER_GROUP, .sends = sends
		};
		if (!sends) {
			r = connect_pair(meeting->params->pipe, fds);
			if (r < 0)
				return bench_explain(diag, r,
						     "senders and receivers cannot be "
						     "connected");
			g->in[i] = fds[0];
			g->out[i] = fds[1];
		}
		r = start_member(meeting, m, diag);
		if (!sends && r >= 0 && !meeting->params->threads)
			bench_sched_messaging_close_all(&g->in[i], 1);
	}
	if (!meeting->params->threads) {
		bench_sched_messaging_close_all(g->in, PER_GROUP);
		bench_sched_messaging_close_all(g->out, PER_GROUP);
	}
	return r;
}

/* Waits for a byte of each member. Members that end before that never send theirs. */
static int bench_sched_messaging_wait_until_ready(const struct meeting *meeting, struct diag *diag)
{
	char bytes[256];

	for (size_t n = 0; n < meeting->n_members;) {
		ssize_t got = read(meeting->ready[0], bytes, sizeof(bytes));

		if (got < 0 && errno != EINTR)
			return diag_set(diag, -errno, "cannot wait for the others");
		n += got > 0 ? (size_t)got : 0;
	}
	return 0;
}

static int wait_for_threads(struct meeting *meeting, struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; i < meeting->n_started; i++) {
		pthread_join(meeting->threads[i], NULL);
		if (meeting->members[i].error && !r)
			r = diag_set(diag, meeting->members[i].error,
				     "a thread of the benchmark failed: %s",
				     strerror(-meeting->members[i].error));
	}
	meeting->n_started = 0;
	return r;
}

static int wait_for_processes(struct meeting *meeting, struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; i < meeting->n_started && r >= 0; i++) {
		r = bench_wait(meeting->pids[i], diag);
		if (r != -ECHILD)
			meeting->pids[i] = 0;
	}
	return r;
}

static int bench_sched_messaging_meet(struct meeting *meeting, double *ret_seconds,
				      struct diag *diag)
{
	double begin;
	int r = 0;

	for (size_t i = 0; i < meeting->n_groups && r >= 0; i++)
		r = start_group(meeting, &meeting->groups[i], diag);
	if (r >= 0)
		r = bench_sched_messaging_wait_until_ready(meeting, diag);
	if (r < 0)
		return r;
	begin = bench_now();
	if (write(meeting->wake[1], "", 1) != 1)
		return diag_set(diag, -errno, "cannot wake the others");
	r = meeting->params->threads ? wait_for_threads(meeting, diag)
				     : wait_for_processes(meeting, diag);
	*ret_seconds = bench_now() - begin;
	return r;
}

/*
 * Ends a meeting. Threads may still wait for others that could not be started; they wake to files
 * that are shut down.
 */
static void meeting_done(struct meeting *meeting)
{
	_cleanup_(diag_done) struct diag unused = { 0 };

	bench_reap(meeting->pids, meeting->params->threads ? 0 : meeting->n_started);
	if (meeting->params->threads && meeting->n_started) {
		for (size_t i = 0; i < meeting->n_groups; i++)
			bench_sched_messaging_close_all(meeting->groups[i].out, PER_GROUP);
		bench_sched_messaging_close_all(&meeting->wake[1], 1);
		wait_for_threads(meeting, &unused);
	}
	for (size_t i = 0; i < meeting->n_groups; i++) {
		bench_sched_messaging_close_all(meeting->groups[i].in, PER_GROUP);
		bench_sched_messaging_close_all(meeting->groups[i].out, PER_GROUP);
	}
	bench_sched_messaging_close_all(meeting->ready, 2);
	bench_sched_messaging_close_all(meeting->wake, 2);
	free(meeting->groups);
	free(meeting->members);
	free(meeting->pids);
	free(meeting->threads);
}

/* Raises the limit of files, because threads have all files in one process. */
static void bench_sched_messaging_raise_file_limit(uint64_t files)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= files)
		return;
	limit.rlim_cur = files < limit.rlim_max ? files : limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void meeting_init(struct meeting *meeting, const struct bench_messaging_params *p)
{
	size_t n = p->groups * 2 * PER_GROUP;

	*meeting = (struct meeting){ .params = p,
				     .ready = { -1, -1 },
				     .wake = { -1, -1 },
				     .n_groups = p->groups,
				     .n_members = n };
	meeting->groups = xcalloc(p->groups, sizeof(*meeting->groups));
	meeting->members = xcalloc(n, sizeof(*meeting->members));
	meeting->pids = xcalloc(n, sizeof(*meeting->pids));
	meeting->threads = xcalloc(n, sizeof(*meeting->threads));
	for (size_t i = 0; i < p->groups; i++) {
		memset(meeting->groups[i].in, 0xff, sizeof(meeting->groups[i].in));
		memset(meeting->groups[i].out, 0xff, sizeof(meeting->groups[i].out));
	}
}

int bench_sched_messaging(const void *params, unsigned repeat, struct bench_result *ret,
			  struct diag *diag)
{
	const struct bench_messaging_params *p = params;
	struct meeting meeting;
	double seconds = 0;
	int r = 0;

	(void)repeat;
	if (!p->groups || p->groups > GROUPS_MAX)
		return diag_set(diag, -EINVAL, "-g is a number from 1 to %d: a group is %d tasks",
				GROUPS_MAX, 2 * PER_GROUP);
	if (p->threads)
		bench_sched_messaging_raise_file_limit(p->groups * 2 * PER_GROUP + 64);
	meeting_init(&meeting, p);
	if (pipe(meeting.ready) < 0 || pipe(meeting.wake) < 0)
		r = bench_explain(diag, -errno, "no pipe");
	if (r >= 0)
		r = bench_sched_messaging_meet(&meeting, &seconds, diag);
	meeting_done(&meeting);
	if (r < 0)
		return r;
	ret->layout = BENCH_LAYOUT_MESSAGING;
	ret->seconds = seconds;
	ret->messaging = (struct bench_messaging){ .per_group = PER_GROUP,
						   .groups = (unsigned)p->groups,
						   .threads = p->threads };
	bench_figure_add(ret, "time", "s", BENCH_LESS, seconds);
	return 0;
}
