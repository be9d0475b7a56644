/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The program to be measured: forked first, so that events can be opened on it, and started later.
 */
#include <stdbool.h>
#include <sys/types.h>

struct diag;
struct rusage;
struct signals;

struct workload {
	pid_t pid; /* 0: none, or reaped */
	int fd;    /* to the child: it waits for a byte here, and sends its errno if exec fails */
};

#define WORKLOAD_NONE                                                                              \
	{                                                                                          \
		.fd = -1                                                                           \
	}

/*
 * Forks a child that waits to run @argv, found along PATH. @signals: the signals that are blocked,
 * but not for the child; or NULL. Returns a negative errno if that fails.
 */
int workload_fork(char *const *argv, const struct signals *signals, struct workload *ret);

/* Does the same, with the child's standard output going to @out; -1: to ours. */
int workload_fork_to(char *const *argv, const struct signals *signals, int out,
		     struct workload *ret);

/*
 * Starts the child, and waits until it runs. Returns a negative errno if it could not be informed,
 * or exec failed; the child has then ended and is reaped.
 */
int workload_start(struct workload *w);

/*
 * True if it was started. Otherwise it blocks signals and waits for us: only workload_done() ends
 * it.
 */
bool workload_is_started(const struct workload *w);

/*
 * Checks whether such a program may exist. -ENOENT: no file has this name, along PATH if it has no
 * slash; -EACCES: a file has it, but cannot be executed. For callers that would lose something by a
 * failed start.
 */
int workload_check(const char *program);

/*
 * Adds to the message in @diag about @program, which workload_start() could not run because of
 * @error, the reason for it, as far as its name shows it.
 */
void workload_explain(const char *program, int error, struct diag *diag);

/* True if there is a child, and it has ended. It is still to be reaped. */
bool workload_has_ended(const struct workload *w);

/*
 * Reaps the child: with @wait as soon as it ends, else only if it has. Returns 1: it has ended, and
 * its status and its resource usage are in *@ret_status and *@ret_usage; 0: it still runs; or a
 * negative errno.
 */
int workload_reap(struct workload *w, bool wait, int *ret_status, struct rusage *ret_usage);

/*
 * Returns the exit status for the status from wait(), as a shell does: 128 plus the signal's
 * number.
 */
int workload_status(int wait_status);

/*
 * Reaps the child as soon as it ends. The first signal that arrives at @signals is passed on to the
 * child, and the next one kills it. Signals that arrived can be taken afterwards. The result is
 * that of workload_reap().
 */
int workload_wait(struct workload *w, struct signals *signals, int *ret_status,
		  struct rusage *ret_usage);

/* Lets a child that was started run on: from now on it is no longer tracked. */
void workload_leave(struct workload *w);

/* Kills and reaps a child that was never started or is no longer needed; closes the descriptor. */
void workload_done(struct workload *w);
