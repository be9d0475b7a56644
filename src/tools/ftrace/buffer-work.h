/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The trace buffer for a request: an instance of our own where the kernel has in it what the
 * request needs, and the global buffer otherwise.
 */
struct diag;
struct ftrace_request;
struct ftrace_settings;
struct notes;
struct trace_buffer;

/*
 * Opens a buffer with all of @settings. What a perf left behind that was killed is repaired before,
 * and told to @notes. A negative errno with @diag: what the kernel lacks, which function there is
 * not, who else traces.
 */
int ftrace_buffer_open(const struct ftrace_request *rq, const struct ftrace_settings *settings,
		       struct notes *notes, struct trace_buffer **ret, struct diag *diag);
