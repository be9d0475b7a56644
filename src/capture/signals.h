/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The signals that end a measurement, as a descriptor: no handler, no flag.
 *
 * From signals_open() to signals_close() they are blocked, so that none is lost before a run or
 * between two: SIGINT (even if a shell's `&` made us ignore it, because scripts stop us with it),
 * SIGCHLD, and SIGTERM and SIGHUP unless they are ignored (nohup). Children get the previous state.
 *
 * A separate thread watches them. If a signal is not taken for some seconds in which the process
 * did nothing, the process waits for something that does not come, such as a reader of a pipe. The
 * signal then has its usual effect.
 */
#include <signal.h>
#include <stdbool.h>

struct signals_watch;

struct signals {
	int fd; /* readable when a signal has arrived; -1: not open */
	sigset_t before;
	struct sigaction child_before;
	struct signals_watch *watch; /* or NULL: there is no thread */
};

#define SIGNALS_NONE                                                                               \
	{                                                                                          \
		.fd = -1                                                                           \
	}

/* Opens the descriptor. Returns a negative errno if there is none; nothing has changed then. */
int signals_open(struct signals *ret);

/*
 * Does the same, also for SIGQUIT (Ctrl-\), for programs that have to restore the terminal first.
 */
int signals_open_for_terminal(struct signals *ret);

/*
 * Does the same, also for SIGUSR2 and SIGPIPE: a write into a pipe without a reader fails with
 * EPIPE.
 */
int signals_open_for_recording(struct signals *ret);

/* Unblocks them: a signal that has arrived and was not taken takes effect now, except SIGPIPE. */
void signals_close(struct signals *s);

/* Restores the state before signals_open(), in a child that will call exec. */
void signals_restore(const struct signals *s);

/*
 * Signal @number was taken, and the process only has to finish: from now on the watching thread
 * treats the signal as if it had not been taken. signals_not_ending() ends this, when there are
 * reasons to wait again. 0: nothing changes.
 */
void signals_ending(struct signals *s, int number);
void signals_not_ending(struct signals *s);

/*
 * Takes the next signal that has arrived: returns its number, or 0 if there is none. *@ret_sent: a
 * process sent it with kill(), rather than the terminal to all processes in the foreground.
 */
int signals_take(struct signals *s, bool *ret_sent);
