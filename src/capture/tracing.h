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
