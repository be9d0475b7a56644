/* SPDX-License-Identifier: MIT */
#pragma once
/* One run of a row in a process of its own, or in this one: its start, its output and its end. */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"
#include "tools/test/plan-work.h"

struct selftest_options {
	const char *perf, *objdump, *dso; /* passed to the tests */
	unsigned jobs;                    /* the number of tests in parallel */
	/* -F: no process for each test, so that none run in parallel */
	bool in_process;
	unsigned limit_seconds;            /* the time limit of a test */
	unsigned script_limit_seconds;     /* for a shell test */
	const volatile sig_atomic_t *stop; /* becomes 1 when the run is to be stopped */
	struct progress *progress;         /* or NULL */
	/*
	 * Called in the order of the list, as soon as the results of @row and of all rows before it
	 * are known.
	 */
	void (*finished)(const struct selftest_row *row, const struct selftest_result *result,
			 void *arg);
	void *arg;
};

/* The maximum size of a test's output that is kept. */
#define SELFTEST_OUTPUT_MAX (4u << 20)

struct selftest_process {
	struct selftest_row *row;
	struct selftest_result *result;
	const char *script; /* or NULL */
	pid_t pid;
	int fd;          /* its output; -1: closed */
	char *directory; /* the directory in which it runs */
	char *reason;    /* memory shared with the process */
	uint64_t started_ns;
	bool timed_out;
};

/* Starts the process. Returns a negative errno if that failed, which the result then reports. */
int selftest_process_start(struct selftest_process *c, const struct selftest_options *o);

/* Reads the available output without waiting. */
void selftest_process_read(struct selftest_process *c);

/*
 * True if the process has ended, or is ended now because its time is over. The result is then
 * filled in, and everything that the process left behind is removed.
 */
bool selftest_process_ended(struct selftest_process *c, const struct selftest_options *o);

/* Kills the process, because nobody waits for it any more. The result stays unfinished. */
void selftest_process_kill(struct selftest_process *c);

/* Runs the test in this process (-F). A shell test gets a process of its own nevertheless. */
void selftest_process_run_here(struct selftest_process *c, const struct selftest_options *o);

/* Returns the last line of @output that is not empty, as a reason; "" if there is none. */
char *selftest_last_line(const struct text *output);

/* Directories for the files of tests, below $TMPDIR. They are removed with all their contents. */

/*
 * Makes a directory that only this user may enter. *@ret is its absolute path, which the caller
 * frees.
 */
int selftest_scratch_make(char **ret);

/* Removes @path and its contents, without following links. NULL is permitted. */
void selftest_scratch_remove(const char *path);
