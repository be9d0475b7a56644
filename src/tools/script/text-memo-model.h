/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A cache of the texts of tracepoint records, by their bytes. Programs repeat records, and
 * comparing a record costs a third of the time for printing it.
 *
 * It is for one thread. If records do not repeat, lookups stop for a while. Texts that depend on
 * more than the record, such as those with names of functions, are not kept; neither are those that
 * can be printed as fast as they can be found.
 */
#include <stddef.h>

#include "base/cleanup.h"

struct text;
struct text_memo;
struct tracepoint_machine;
struct tracepoint_plan;

struct text_memo *text_memo_new(void);
void text_memo_free(struct text_memo *m);
DEFINE_FREEP(text_memo)

/* Does the same as tracepoint_plan_print(), always with the same @machine. */
void text_memo_print(struct text_memo *m, const struct tracepoint_plan *p,
		     const struct tracepoint_machine *machine, const void *raw, size_t size,
		     struct text *out);
