/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A trace buffer to work in, without disturbing other users of tracing.
 *
 * An instance is perf's own and is called perf-PID. The kernel resets all of it when it is removed.
 * The global buffer is shared: one perf at a time uses it, and only while nobody else traces in it.
 * Before a setting is changed, its value is noted (tools/ftrace/trace-note-work.h), and it is
 * restored at the end. trace_buffers_repair() removes the instances and restores the settings that
 * a killed perf has left.
 */
#include <stdbool.h>

#include "base/cleanup.h"
#include "tools/ftrace/trace-dir-work.h"

struct diag;
struct notes;
struct trace_buffer;

/* The file in which the settings of the global buffer are noted. */
#define TRACE_NOTE_PATH "/run/perf-ftrace.note"

/*
 * Makes an instance below the tracing directory @tracing. Returns a negative errno with @diag:
 * tracefs has no instances, or is not writable.
 */
int trace_buffer_make(const char *tracing, struct trace_buffer **ret, struct diag *diag);

/*
 * Takes the global buffer. The file @note_path becomes its note. Returns -EBUSY with @diag if
 * another user traces in it; other errors as above.
 */
int trace_buffer_take(const char *tracing, const char *note_path, struct trace_buffer **ret,
		      struct diag *diag);

bool trace_buffer_is_global(const struct trace_buffer *b);
const struct trace_dir *trace_buffer_dir(const struct trace_buffer *b);

/*
 * trace_buffer_set() sets the setting @file to @value, unless it has that value already;
 * trace_buffer_add() appends @value to a list. "" is an empty list. Errors are those of
 * trace_dir_write(); -ENOENT: this buffer has no such setting.
 */
int trace_buffer_set(struct trace_buffer *b, const char *file, const char *value);
int trace_buffer_add(struct trace_buffer *b, const char *file, const char *value);

/* Switches tracing on or off. */
int trace_buffer_switch(struct trace_buffer *b, bool on);

/*
 * Removes the instance, or restores the settings of the global buffer. @b is freed in any case.
 * Returns a negative errno with @diag if not everything could be undone.
 */
int trace_buffer_release(struct trace_buffer *b, struct diag *diag);

/*
 * Removes the instances and restores the settings that were left by perf processes that no longer
 * exist. Adds a note for each.
 */
void trace_buffers_repair(const char *tracing, const char *note_path, struct notes *notes);

/* Explains in @diag why a change in @path failed with @error. Returns @error. */
int trace_buffer_explain(const char *path, int error, struct diag *diag);

/*
 * Returns the value that must be written to a setting so that it reads as @text again: its numbers
 * and words, one a line, without remarks and without parts that cannot be written. The caller frees
 * it. *@ret_is_list: the value has to be appended.
 */
char *trace_setting_original(const char *file, const char *text, bool *ret_is_list);
