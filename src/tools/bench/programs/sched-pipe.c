/* SPDX-License-Identifier: MIT */
/*
 * Measures two tasks that send a few bytes to each other and back through two pipes: each operation
 * is two context switches.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "tools/bench/programs/result.h"
#include "tools/bench/programs/sched.h"

/* Larger pipes need privileges, and a write that does not fit would block. */
#define WRITE_MAX 65536

struct side {
	const struct bench_pipe_params *params;
	int in, out, epoll;
	bool answers; /* this side waits first */
	const char *cgroup;
	char *bytes;
	int error;
	struct bench_gate *gate;
};

static int bench_sched_pipe_read_all(struct side *s)
{
	struct epoll_event event;
	size_t n = 0;

	while (n < s->params->write_size) {
		ssize_t got;

		if (s->epoll >= 0 && epoll_wait(s->epoll, &event, 1, -1) < 0 && errno != EINTR)
			return -errno;
		got = read(s->in, s->bytes + n, s->params->write_size - n);
		if (!got)
			return -EPIPE;
		if (got < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		n += got > 0 ? (size_t)got : 0;
	}
	return 0;
}

static int bench_sched_pipe_write_all(struct side *s)
{
	size_t n = 0;

	while (n < s->params->write_size) {
		ssize_t put = write(s->out, s->bytes + n, s->params->write_size - n);

		if (put < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		n += put > 0 ? (size_t)put : 0;
	}
	return 0;
}

static int bench_sched_pipe_play(struct side *s)
{
	struct epoll_event event = { .events = EPOLLIN };
	int r = 0;

	if (s->params->nonblocking) {
		s->epoll = epoll_create1(EPOLL_CLOEXEC);
		if (s->epoll < 0 || epoll_ctl(s->epoll, EPOLL_CTL_ADD, s->in, &event) < 0)
			return -errno;
	}
	for (uint64_t i = 0; i < s->params->loops && r >= 0; i++) {
		r = s->answers ? bench_sched_pipe_read_all(s) : bench_sched_pipe_write_all(s);
		if (r >= 0)
			r = s->answers ? bench_sched_pipe_write_all(s)
				       : bench_sched_pipe_read_all(s);
	}
	if (s->epoll >= 0)
		close(s->epoll);
	return r;
}

/*
 * Enters a cgroup. Threads need a file for threads, in a cgroup of type threaded; processes do it
 * themselves.
 */
static int enter_cgroup(const char *path)
{
	_cleanup_(closep) int fd = -1;
	char id[24];
	int n;

	if (!path)
		return 0;
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = snprintf(id, sizeof(id), "%ld", (long)syscall(SYS_gettid));
	return file_write(fd, id, (size_t)n);
}

static void *bench_sched_pipe_run_thread(void *arg)
{
	struct side *s = arg;

	s->error = enter_cgroup(s->cgroup);
	if (bench_gate_pass(s->gate) && s->error >= 0)
		s->error = bench_sched_pipe_play(s);
	/* Otherwise the other side would wait forever. */
	close(s->out);
	s->out = -1;
	return NULL;
}

static int cgroup_refused(struct diag *diag, int error, const char *path)
{
	diag_set(diag, error, "cannot move a task into the cgroup of '%s': %s", path,
		 strerror(-error));
	diag_hint(diag, "A cgroup takes processes if it has no subtree_control; threads (-T) need "
			"one whose cgroup.type is 'threaded'.");
	return error;
}

static int bench_sched_pipe_explain(const struct side *s, int error, struct diag *diag)
{
	if (s->cgroup && (error == -EACCES || error == -EPERM || error == -EBUSY ||
			  error == -EOPNOTSUPP || error == -ENOENT))
		return cgroup_refused(diag, error, s->cgroup);
	return diag_set(diag, error, "the pipe failed: %s", strerror(-error));
}

static int run_threads(struct side sides[2], double *ret_seconds, struct diag *diag)
{
	pthread_t threads[2];
	struct bench_gate gate;
	double begin = 0;
	int n = 0, r = 0;

	bench_gate_init(&gate, 2);
	for (; n < 2 && r >= 0; n += r >= 0) {
		sides[n].gate = &gate;
		r = bench_thread_start(&threads[n], -1, bench_sched_pipe_run_thread, &sides[n],
				       diag);
	}
	if (r < 0) {
		bench_gate_call_off(&gate);
	} else {
		begin = bench_now();
		bench_gate_open(&gate);
	}
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	*ret_seconds = bench_now() - begin;
	bench_gate_done(&gate);
	for (int i = 0; i < 2 && r >= 0; i++)
		if (sides[i].error < 0 && sides[i].error != -EPIPE)
			r = bench_sched_pipe_explain(&sides[i], sides[i].error, diag);
	return r;
}

static void bench_sched_pipe_run_child(struct side *mine, struct side *other, int ready)
{
	char byte = 0;
	int r = enter_cgroup(mine->cgroup);

	close(other->in);
	close(other->out);
	if (r >= 0 && write(ready, &byte, 1) != 1)
		r = -errno;
	close(ready);
	_exit(-(r < 0 ? r : bench_sched_pipe_play(mine)));
}

/* Waits until the child is ready; if it has ended, that is the error, and it is reaped. */
static int wait_for_child(int ready, pid_t pid, const struct side *s, struct diag *diag)
{
	char byte;
	ssize_t n;
	int r;

	do
		n = read(ready, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n == 1)
		return 0;
	r = bench_wait(pid, diag);
	return r < 0 && s->cgroup ? cgroup_refused(diag, -EACCES, s->cgroup) : -EIO;
}

static int run_parent(struct side sides[2], pid_t pid, int ready, double *ret_seconds,
		      struct diag *diag)
{
	int r = enter_cgroup(sides[0].cgroup);
	double begin;

	if (r < 0) {
		bench_reap(&pid, 1);
		return bench_sched_pipe_explain(&sides[0], r, diag);
	}
	r = wait_for_child(ready, pid, &sides[1], diag);
	if (r < 0)
		return r;
	begin = bench_now();
	r = bench_sched_pipe_play(&sides[0]);
	if (r < 0) {
		bench_reap(&pid, 1);
		return bench_sched_pipe_explain(&sides[0], r, diag);
	}
	r = bench_wait(pid, diag);
	*ret_seconds = bench_now() - begin;
	return r;
}

static int run_processes(struct side sides[2], double *ret_seconds, struct diag *diag)
{
	int ready[2];
	pid_t pid;
	int r;

	if (pipe(ready) < 0)
		return bench_explain(diag, -errno, "no pipe");
	pid = bench_fork();
	if (!pid) {
		close(ready[0]);
		bench_sched_pipe_run_child(&sides[1], &sides[0], ready[1]);
	}
	close(ready[1]);
	close(sides[1].in);
	close(sides[1].out);
	sides[1].in = sides[1].out = -1;
	r = pid < 0 ? bench_explain(diag, pid, "a process cannot be started")
		    : run_parent(sides, pid, ready[0], ret_seconds, diag);
	close(ready[0]);
	return r;
}

static int run_sides(const struct bench_pipe_params *p, double *ret_seconds, struct diag *diag)
{
	int flags = p->nonblocking ? O_NONBLOCK : 0, there[2], back[2], r;
	struct side sides[2];

	if (pipe2(there, flags) < 0)
		return bench_explain(diag, -errno, "no pipe");
	if (pipe2(back, flags) < 0) {
		r = bench_explain(diag, -errno, "no pipe");
		close(there[0]);
		close(there[1]);
		return r;
	}
	sides[0] = (struct side){ .params = p, .in = back[0], .out = there[1], .epoll = -1 };
	sides[1] = (struct side){
		.params = p, .in = there[0], .out = back[1], .epoll = -1, .answers = true
	};
	sides[0].cgroup = p->sender_cgroup;
	sides[1].cgroup = p->receiver_cgroup;
	for (int i = 0; i < 2; i++)
		sides[i].bytes = xcalloc(1, p->write_size);
	r = p->threads ? run_threads(sides, ret_seconds, diag)
		       : run_processes(sides, ret_seconds, diag);
	for (int i = 0; i < 2; i++) {
		free(sides[i].bytes);
		closep(&sides[i].in);
		closep(&sides[i].out);
	}
	return r;
}

int bench_sched_pipe(const void *params, unsigned repeat, struct bench_result *ret,
		     struct diag *diag)
{
	const struct bench_pipe_params *p = params;
	double seconds = 0;
	int r;

	(void)repeat;
	if (!p->loops)
		return diag_set(diag, -EINVAL, "--loop must be at least 1");
	if (!p->write_size || p->write_size > WRITE_MAX)
		return diag_set(diag, -EINVAL,
				"--write-size is a number of bytes from 1 to %d, what a pipe holds",
				WRITE_MAX);
	r = run_sides(p, &seconds, diag);
	if (r < 0)
		return r;
	ret->layout = BENCH_LAYOUT_OPS;
	ret->ops = (struct bench_ops){ .kind = BENCH_OPS_PIPE,
				       .loops = p->loops,
				       .threads = p->threads };
	bench_figures_of_ops(ret, seconds, (double)p->loops);
	return 0;
}
