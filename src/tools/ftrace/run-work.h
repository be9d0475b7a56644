/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A run of ftrace: sets up a buffer, starts the command, reads the trace, and undoes every change,
 * however the run ends.
 */
#include <stdbool.h>

struct diag;
struct ftrace_request;
struct notes;
struct trace_dir;

/* The callbacks that read the buffer. A negative errno ends the run. */
struct ftrace_reader {
	/*
	 * Called when the buffer is set up and nothing is traced yet. Sets *@ret_fd to a descriptor
	 * that is readable when there is something to take.
	 */
	int (*begin)(void *arg, const struct trace_dir *dir, int *ret_fd, struct diag *diag);
	/*
	 * Takes what is available, but only for a short time, because reading is traced as well and
	 * may produce more than it takes. Returns > 0 if there may be more.
	 */
	int (*take)(void *arg);
	/*
	 * Closes what begin() opened, also if begin() failed. The buffer is about to be released.
	 */
	void (*end)(void *arg);
	void *arg;
};

/*
 * Runs until the command or the tasks have ended, or a signal arrives. @notes gets the settings
 * that could not be undone, and those that a killed perf had left changed. Returns a negative errno
 * with @diag set.
 */
int ftrace_run(const struct ftrace_request *rq, const struct ftrace_reader *reader,
	       struct notes *notes, struct diag *diag);
