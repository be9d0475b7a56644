/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the tracing data says about the recorded tracepoints: formats, and the plans to print them.
 */
struct events;
struct features;

/*
 * Gives the tracepoints among @ev their formats, if they have none yet and the tracing data is
 * there.
 */
void formats_sync(struct events *ev, const struct features *f);

/* Releases what formats_sync() gave to events. */
void formats_done(struct events *ev);
