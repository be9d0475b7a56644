/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The program to be measured: forked first, so that events can be opened on it, and let go later.
 */
#include <stdbool.h>
#include <sys/types.h>

struct diag;
struct rusage;
struct signals;

struct workload {
	pid_t pid; /* 0: none, or reaped */
	int fd;    /* to the child: it waits here for a byte, and sends its errno if exec fails */
};

#define WORKLOAD_NONE                                                                              \
	{                                                                                          \
		.fd = -1                                                                           \
	}

/*
 * Forks a child that waits to run @argv, found along PATH. @signals: those held back, which are not
 * from it; or NULL. A negative errno if that is not possible.
 */
int workload_fork(char *const *argv, const struct signals *signals, struct workload *ret);

/* The same, and what it writes to standard output goes to @out; -1: to ours. */
int workload_fork_to(char *const *argv, const struct signals *signals, int out,
		     struct workload *ret);

/*
 * Lets it run, and waits until it does. A negative errno: why it could not be told, or exec failed;
 * the child is then gone and reaped.
 */
int workload_start(struct workload *w);

/* Was it let go? If not, it holds signals back and waits for us: only workload_done() ends it. */
bool workload_is_started(const struct workload *w);

/*
 * Whether there may be such a program: -ENOENT if no file has this name, along PATH if it has no
 * slash; -EACCES: it has one, and what is there cannot be executed. Who would lose something by
 * starting in vain asks before.
 */
int workload_check(const char *program);

/*
 * Adds to what @diag says about @program, which workload_start() could not run for @error, why that
 * is, as far as its name tells.
 */
void workload_explain(const char *program, int error, struct diag *diag);

/* Is there a child, and has it ended? It is still to be reaped. */
bool workload_has_ended(const struct workload *w);

/*
 * Reaps the child, if @wait as soon as it ends, else only if it has. 1: it is over, and how and at
 * which cost is in *@ret_status and *@ret_usage; 0: it still runs; or a negative errno.
 */
int workload_reap(struct workload *w, bool wait, int *ret_status, struct rusage *ret_usage);

/* The exit status for what wait() said, as a shell has it: 128 and the signal's number. */
int workload_status(int wait_status);

/*
 * Reaps the child as soon as it ends. The first signal that comes to @signals is passed on to the
 * child, and the next one kills it. Signals that came can be taken afterwards. As workload_reap()
 * gives.
 */
int workload_wait(struct workload *w, struct signals *signals, int *ret_status,
		  struct rusage *ret_usage);

/* Lets a child that was started run on: it is nobody's from now on. */
void workload_leave(struct workload *w);

/* Kills and reaps a child that was never started or is no longer wanted; closes the descriptor. */
void workload_done(struct workload *w);
