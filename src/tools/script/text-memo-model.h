/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The texts of tracepoints' records that came before, by their bytes: programs repeat themselves,
 * and to compare a record costs a third of what it costs to print it.
 *
 * For one thread. Where records do not repeat, looking for them stops for a while. Texts that
 * depend on more than the record, as those with names of functions, are not kept, nor are those
 * that are printed as fast as found.
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

/* tracepoint_plan_print(), always with the same @machine. */
void text_memo_print(struct text_memo *m, const struct tracepoint_plan *p,
		     const struct tracepoint_machine *machine, const void *raw, size_t size,
		     struct text *out);
