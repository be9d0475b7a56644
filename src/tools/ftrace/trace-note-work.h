/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Notes the previous settings of the global trace buffer in a text file, which survives when perf
 * is killed. The next run of perf restores them.
 *
 *	perf-ftrace 1 PID BOOT-ID
 *	FILE LENGTH
 *	LENGTH bytes of what FILE said
 *	...
 *
 * An entry is written before its setting is changed. An entry that is cut short therefore needs no
 * restoring.
 */
#include <stddef.h>
#include <sys/types.h>

struct text;

struct trace_original {
	char *file; /* below the tracing directory: "options/irq-info" */
	char *text; /* its whole previous text */
};

struct trace_note {
	pid_t pid;
	char *boot; /* the text of /proc/sys/kernel/random/boot_id */
	struct trace_original *items;
	size_t n, room;
};

void trace_note_done(struct trace_note *n);

/* trace_note_format_head() appends the first line; trace_note_format() appends an entry. */
void trace_note_format_head(pid_t pid, const char *boot, struct text *out);
void trace_note_format(const struct trace_original *o, struct text *out);

/*
 * Parses @size bytes, up to the first incomplete entry. Returns -EBADMSG if the text does not begin
 * like a note, or names a file that is not below the tracing directory.
 */
int trace_note_parse(const char *bytes, size_t size, struct trace_note *ret);
