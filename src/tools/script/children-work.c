/* SPDX-License-Identifier: MIT */
#include "tools/script/children-work.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "capture/signals.h"

/*
 * The maximum depth of processes: a shell script, perf, a workload, and the processes that these
 * start.
 */
#define DEPTH_MAX 8

/* A signal that arrives later than this after the first one is a new one. */
#define REPEATED_NS (UINT64_C(300) * 1000 * 1000)

enum {
	RECORD,
	REPORT,
	N_CHILDREN
};

struct child {
	pid_t pid; /* 0: none, or it has ended */
	int status;
};

struct pair {
	struct child children[N_CHILDREN];
	struct signals signals;
	bool live;
	uint64_t stopped_ns; /* the time of the first signal; 0: none yet */
};

static void signal_tree(pid_t pid, int number, unsigned depth)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/task/%d/children", (int)pid, (int)pid);
	_cleanup_(freep) char *children = NULL;

	if (file_read_line(AT_FDCWD, path, &children) >= 0 && depth) {
		char *at = children, *end;

		for (long child; (child = strtol(at, &end, 10)) > 0 && end > at; at = end)
			signal_tree((pid_t)child, number, depth - 1);
	}
	kill(pid, number);
}

static void script_children_run_child(const struct pair *p, char *const *argv, int from, int to)
{
	signals_restore(&p->signals);
	/*
	 * Ctrl-C in the terminal reaches all processes. The one that reads a pipe ignores it and
	 * waits for the end of the pipe. For the others the default is restored, because a shell
	 * ignores it in background jobs.
	 */
	signal(SIGINT, from >= 0 ? SIG_IGN : SIG_DFL);
	if (from >= 0)
		dup2(from, STDIN_FILENO);
	if (to >= 0)
		dup2(to, STDOUT_FILENO);
	execv(argv[0], argv);
	_exit(127);
}

static int script_children_start(struct pair *p, int which, char *const *argv, int from, int to)
{
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (pid == 0)
		script_children_run_child(p, argv, from, to);
	p->children[which].pid = pid;
	return 0;
}

static int start_both(struct pair *p, const struct script_children *c)
{
	int ends[2], r;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	r = script_children_start(p, RECORD, c->record, -1, ends[1]);
	if (r >= 0)
		r = script_children_start(p, REPORT, c->report, ends[0], -1);
	close(ends[0]);
	close(ends[1]);
	return r;
}

static int start_all(struct pair *p, const struct script_children *c)
{
	if (c->record && c->report)
		return start_both(p, c);
	return c->record ? script_children_start(p, RECORD, c->record, -1, -1)
			 : script_children_start(p, REPORT, c->report, -1, -1);
}

static void signal_child(const struct child *c, int number)
{
	if (c->pid)
		signal_tree(c->pid, number, DEPTH_MAX);
}

/* Takes the status of the programs that have ended. */
static void script_children_reap(struct pair *p)
{
	for (size_t i = 0; i < N_CHILDREN; i++) {
		struct child *c = &p->children[i];

		if (c->pid && waitpid(c->pid, &c->status, WNOHANG) == c->pid)
			c->pid = 0;
	}
}

/*
 * True if the signal is a repetition: timeout(1) signals its child, and then everybody in its
 * group, which counts once.
 */
static bool script_children_is_repeated(const struct pair *p)
{
	return p->stopped_ns && clock_ns(CLOCK_MONOTONIC) - p->stopped_ns > REPEATED_NS;
}

static void script_children_stop(struct pair *p, int number, bool sent)
{
	const struct child *record = &p->children[RECORD], *report = &p->children[REPORT];

	if (sent)
		signal_child(record, number);
	if (p->live && (script_children_is_repeated(p) || !record->pid))
		signal_child(report, SIGTERM);
	else if (!p->live && sent)
		signal_child(report, number);
	if (!p->stopped_ns)
		p->stopped_ns = clock_ns(CLOCK_MONOTONIC);
}

static void script_children_take_signals(struct pair *p)
{
	bool sent;

	for (int number; (number = signals_take(&p->signals, &sent)) != 0;)
		if (number != SIGCHLD)
			script_children_stop(p, number, sent);
}

static void script_children_wait_for_all(struct pair *p)
{
	const struct child *record = &p->children[RECORD], *report = &p->children[REPORT];
	bool stopped = false;

	for (script_children_reap(p); record->pid || report->pid; script_children_reap(p)) {
		struct pollfd fd = { .fd = p->signals.fd, .events = POLLIN };

		/* The report has ended: the recording may not notice this until it writes. */
		if (p->live && !report->pid && !stopped) {
			signal_child(record, SIGINT);
			stopped = true;
		}
		poll(&fd, 1, -1);
		script_children_take_signals(p);
	}
}

int script_children_run(const struct script_children *c, struct script_ends *ret, struct diag *diag)
{
	struct pair p = { .signals = SIGNALS_NONE, .live = c->record && c->report };
	int r = signals_open(&p.signals);

	if (r >= 0)
		r = start_all(&p, c);
	if (r < 0)
		signal_child(&p.children[RECORD], SIGKILL);
	script_children_wait_for_all(&p);
	signals_close(&p.signals);
	if (r < 0)
		return diag_set(diag, r, "cannot start a process: %s", strerror(-r));
	ret->record = p.children[RECORD].status;
	ret->report = p.children[REPORT].status;
	ret->was_stopped = p.stopped_ns != 0;
	return 0;
}
