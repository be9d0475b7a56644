/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * One run of a row in a process of its own, or in this one: where it starts, what it prints, how it
 * ends.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"
#include "tools/test/plan-work.h"

struct selftest_options {
	const char *perf, *objdump, *dso;  /* for the tests */
	unsigned jobs;                     /* how many side by side */
	bool in_process;                   /* -F: no process for each; then one after the other */
	unsigned limit_seconds;            /* of a test */
	unsigned script_limit_seconds;     /* of a shell test */
	const volatile sig_atomic_t *stop; /* becomes 1 when nobody waits any more */
	struct progress *progress;         /* or NULL */
	/* Called in the order of the list, as soon as the result of @row and all before it are
	 * known.
	 */
	void (*finished)(const struct selftest_row *row, const struct selftest_result *result,
			 void *arg);
	void *arg;
};

/* What is kept of a test's output. */
#define SELFTEST_OUTPUT_MAX (4u << 20)

struct selftest_process {
	struct selftest_row *row;
	struct selftest_result *result;
	const char *script; /* or NULL */
	pid_t pid;
	int fd;          /* its output; -1: closed */
	char *directory; /* where it runs */
	char *reason;    /* shared with it */
	uint64_t started_ns;
	bool timed_out;
};

/* Starts it. A negative errno: there is no process; the result says so then. */
int selftest_process_start(struct selftest_process *c, const struct selftest_options *o);

/* Takes over what it has printed, without waiting. */
void selftest_process_read(struct selftest_process *c);

/*
 * Whether it has ended, or is now made to because its time is over: then the result is filled in,
 * and everything that it left behind is gone.
 */
bool selftest_process_ended(struct selftest_process *c, const struct selftest_options *o);

/* Ends it now, because nobody waits for it any more. The result stays unfinished. */
void selftest_process_kill(struct selftest_process *c);

/* Runs it in this process (-F). A shell test gets one of its own all the same. */
void selftest_process_run_here(struct selftest_process *c, const struct selftest_options *o);

/* The last line of @output with something in it, for a reason; "" if there is none. */
char *selftest_last_line(const struct text *output);

/* Directories that hold what tests write, below $TMPDIR, removed with everything in them. */

/* Makes one that only this user may enter. Its absolute path, which the caller frees. */
int selftest_scratch_make(char **ret);

/* Removes @path and what is in it, without following links; NULL is fine. */
void selftest_scratch_remove(const char *path);
