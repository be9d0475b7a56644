/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the settings of the global trace buffer were before perf changed them, as a text that
 * outlives a perf that is killed: its next run restores them.
 *
 *	perf-ftrace 1 PID BOOT-ID
 *	FILE LENGTH
 *	LENGTH bytes of what FILE said
 *	...
 *
 * An entry is written before its setting is changed. So an entry that is cut short needs no
 * restoring.
 */
#include <stddef.h>
#include <sys/types.h>

struct text;

struct trace_original {
	char *file; /* below the tracing directory: "options/irq-info" */
	char *text; /* all that it said */
};

struct trace_note {
	pid_t pid;
	char *boot; /* /proc/sys/kernel/random/boot_id */
	struct trace_original *items;
	size_t n, room;
};

void trace_note_done(struct trace_note *n);

/* Appends the first line; and an entry. */
void trace_note_format_head(pid_t pid, const char *boot, struct text *out);
void trace_note_format(const struct trace_original *o, struct text *out);

/*
 * Parses @size bytes, up to the first entry that is not whole. -EBADMSG: it does not begin like a
 * note, or names a file that is not below the tracing directory.
 */
int trace_note_parse(const char *bytes, size_t size, struct trace_note *ret);
