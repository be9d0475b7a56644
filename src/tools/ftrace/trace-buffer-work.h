/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A trace buffer to work in, without disturbing anybody else's tracing.
 *
 * An instance is perf's own, called perf-PID; the kernel resets all of it when it is removed. The
 * global buffer belongs to everybody: it is used by one perf at a time, only while nobody traces in
 * it, and each setting that is changed is noted before (tools/ftrace/trace-note-work.h) and
 * restored at the end. What a perf left behind that was killed, trace_buffers_repair() removes and
 * restores.
 */
#include <stdbool.h>

#include "base/cleanup.h"
#include "tools/ftrace/trace-dir-work.h"

struct diag;
struct notes;
struct trace_buffer;

/* Where the settings of the global buffer are noted. */
#define TRACE_NOTE_PATH "/run/perf-ftrace.note"

/*
 * Makes an instance below the tracing directory @tracing. A negative errno with @diag: tracefs has
 * no instances, or may not be written to.
 */
int trace_buffer_make(const char *tracing, struct trace_buffer **ret, struct diag *diag);

/*
 * Takes the global buffer, with the note in the file @note_path. -EBUSY with @diag: somebody traces
 * in it; other errors as above.
 */
int trace_buffer_take(const char *tracing, const char *note_path, struct trace_buffer **ret,
		      struct diag *diag);

bool trace_buffer_is_global(const struct trace_buffer *b);
const struct trace_dir *trace_buffer_dir(const struct trace_buffer *b);

/*
 * Makes @value what the setting @file says, unless it says so already; or one more of what it says.
 * "" is an empty list. Errors: those of trace_dir_write(); -ENOENT: this buffer has no such
 * setting.
 */
int trace_buffer_set(struct trace_buffer *b, const char *file, const char *value);
int trace_buffer_add(struct trace_buffer *b, const char *file, const char *value);

/* Lets functions be traced, or not. */
int trace_buffer_switch(struct trace_buffer *b, bool on);

/*
 * Removes the instance, or restores what the global buffer's settings were. @b is gone in any case.
 * A negative errno with @diag: not all of it could be undone.
 */
int trace_buffer_release(struct trace_buffer *b, struct diag *diag);

/*
 * Removes the instances, and restores the settings, that perfs left behind that are no longer
 * there. Each is a note.
 */
void trace_buffers_repair(const char *tracing, const char *note_path, struct notes *notes);

/* Says why @error came of changing something in @path. Returns @error. */
int trace_buffer_explain(const char *path, int error, struct diag *diag);

/*
 * What is to be written for a setting to say @text again: its numbers and words, one a line, with
 * neither remarks nor what cannot be written. The caller frees it. @is_list: it is for appending.
 */
char *trace_setting_original(const char *file, const char *text, bool *ret_is_list);
