/* SPDX-License-Identifier: MIT */
#pragma once
/* The TRACING_DATA of a recording: the data of tracefs about its tracepoints. */
#include <stddef.h>

struct bytes;
struct diag;
struct recorded_event;
struct tracefs;

/*
 * Appends the blob (datafile/tracing-data.h) for the tracepoints among @events, each once, grouped
 * by system; nothing if there are none. If a format cannot be read, returns the error of reading
 * tracefs, with @diag; @out is unchanged then.
 */
int tracing_collect(const struct tracefs *t, const struct recorded_event *events, size_t n,
		    struct bytes *out, struct diag *diag);

/*
 * Returns the format @format of the event @system:@name with its print fmt changed to show
 * registers, according to the kernel's list in @definitions (the text of dynamic_events); NULL:
 * there is nothing to change. An argument that is in different registers at different places of one
 * event stays unchanged. So do arguments of markers, which are numbered by their author. The caller
 * frees the result.
 */
char *probe_registers_show(const char *format, const char *system, const char *name,
			   const char *definitions);
