/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The TRACING_DATA of a recording: what tracefs says about its tracepoints.
 */
#include <stddef.h>

struct bytes;
struct diag;
struct recorded_event;
struct tracefs;

/*
 * Appends the blob (datafile/tracing-data.h) for the tracepoints among @events, each once, grouped
 * by system. Without any, nothing. The error of reading tracefs, with @diag, if a format is not to
 * be had; @out is unchanged then.
 */
int tracing_collect(const struct tracefs *t, const struct recorded_event *events, size_t n,
		    struct bytes *out, struct diag *diag);

/*
 * The format @format of the event @system:@name with its print fmt changed so, by what the kernel
 * lists in @definitions (the text of dynamic_events); NULL: there is nothing to change. Places of
 * one event may have an argument in different registers: that one stays as it is. So do those of
 * markers, which are numbered by their author. The caller frees it.
 */
char *probe_registers_show(const char *format, const char *system, const char *name,
			   const char *definitions);
