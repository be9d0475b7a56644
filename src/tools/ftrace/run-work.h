/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A run of ftrace: a buffer is set up, the command started, what the kernel traces read, and
 * everything undone, however the run ends.
 */
#include <stdbool.h>

struct diag;
struct ftrace_request;
struct notes;
struct trace_dir;

/* What reads the buffer. A negative errno ends the run. */
struct ftrace_reader {
	/*
	 * The buffer is set up, and nothing traced yet. *@ret_fd becomes a descriptor that is
	 * readable when there is something to take.
	 */
	int (*begin)(void *arg, const struct trace_dir *dir, int *ret_fd, struct diag *diag);
	/*
	 * Takes what is there, but not for long, as reading is traced as well and may make more
	 * than it takes. > 0: there may be more.
	 */
	int (*take)(void *arg);
	/* Closes what begin() opened, also if that failed: the buffer goes. */
	void (*end)(void *arg);
	void *arg;
};

/*
 * Runs until the command or the tasks have ended, or a signal comes. What could not be undone, and
 * what a killed perf had left behind, goes to @notes. A negative errno with @diag set.
 */
int ftrace_run(const struct ftrace_request *rq, const struct ftrace_reader *reader,
	       struct notes *notes, struct diag *diag);
