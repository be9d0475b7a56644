/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The data of the recorded machine that the text of tracepoints needs: its byte order, its kernel's
 * symbols and its constant strings. Constant once made, so several threads may print with it.
 */
#include "base/cleanup.h"
#include "tracepoint/plan.h"

struct session;
struct trace_machine;

/* Makes the data of the machine on which @s was recorded. @s must outlive it. */
struct trace_machine *trace_machine_new(const struct session *s);
void trace_machine_free(struct trace_machine *m);
DEFINE_FREEP(trace_machine)

const struct tracepoint_machine *trace_machine_get(const struct trace_machine *m);
