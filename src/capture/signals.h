/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The signals that end a measurement, as a descriptor: no handler, no flag.
 *
 * From signals_open() to signals_close() they are held back, so that none is lost before a run or
 * between two: SIGINT (even if a shell's `&` made us ignore it, as scripts stop us with it),
 * SIGCHLD, and SIGTERM and SIGHUP unless they are ignored (nohup). Children are given what was
 * before.
 *
 * A thread of its own watches over them: when one is not taken for some seconds in which the
 * process did nothing, it waits for something that does not come, such as a reader of a pipe. The
 * signal then has its usual effect.
 */
#include <signal.h>
#include <stdbool.h>

struct signals_watch;

struct signals {
	int fd; /* readable when one has come; -1: not open */
	sigset_t before;
	struct sigaction child_before;
	struct signals_watch *watch; /* or NULL: there is no thread */
};

#define SIGNALS_NONE                                                                               \
	{                                                                                          \
		.fd = -1                                                                           \
	}

/* A negative errno: no descriptor is to be had; nothing has changed then. */
int signals_open(struct signals *ret);

/* The same, also for SIGQUIT (Ctrl-\): for who has to give the terminal back first. */
int signals_open_for_terminal(struct signals *ret);

/*
 * The same, also for SIGUSR2 and SIGPIPE: a write into a pipe without a reader fails with EPIPE.
 */
int signals_open_for_recording(struct signals *ret);

/*
 * Lets them through again: one that has come and was not taken takes effect now, except SIGPIPE.
 */
void signals_close(struct signals *s);

/* In a child that will call exec: as if signals_open() had never been called. */
void signals_restore(const struct signals *s);

/*
 * Signal @number was taken, and the process only has to finish: from now on it is as if the signal
 * had not been taken. signals_not_ending(): again there are reasons to wait. 0: nothing changes.
 */
void signals_ending(struct signals *s, int number);
void signals_not_ending(struct signals *s);

/*
 * Takes the next that has come: its number, or 0 if there is none. *@ret_sent: a process sent it
 * with kill(), rather than the terminal to everybody in the foreground.
 */
int signals_take(struct signals *s, bool *ret_sent);
