/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A command line for `perf record`, built by the `record` of another command: `perf sched record`
 * is `perf record` with its events in front of the words that the user typed. The same works for
 * `script`.
 */
#include <stdbool.h>
#include <stddef.h>

struct diag;
struct invocation;

struct record_line {
	char **items; /* the texts are borrowed */
	size_t n, room;
};

/* A tracepoint to be recorded. */
struct record_event {
	const char *name;    /* "sched:sched_switch" */
	const char *or_else; /* recorded instead on kernels that lack it; or NULL */
	bool optional;       /* not every kernel has it, and without it recording goes on */
};

void record_line_done(struct record_line *l);

/* Appends @word, which is borrowed. */
void record_line_add(struct record_line *l, const char *word);

/*
 * Appends "-e NAME" for each of the @n events that the kernel has. -ENOENT with @diag: it lacks one
 * that is needed. -EACCES and other errors: those of reading tracefs. The caller adds which kernel
 * configuration would be needed.
 */
int record_line_add_events(struct record_line *l, const struct invocation *inv,
			   const struct record_event *events, size_t n, struct diag *diag);

/*
 * Appends the words of @inv and runs @command ("record", "script"), whose messages begin with the
 * name of the command that the user typed. Returns its exit status.
 */
int record_line_run(struct record_line *l, struct invocation *inv, const char *command);
