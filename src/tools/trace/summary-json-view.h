/* SPDX-License-Identifier: MIT */
#pragma once
/* A thread's or a cgroup's summary of calls as JSON: docs/format/trace-json.md. */
#include "tools/trace/summary-model.h"

struct text;
struct trace_summary_style;

/* Appends an object on a line of its own. */
void trace_summary_group_json(struct text *out, const struct trace_summary_group *g,
			      enum trace_summary_mode mode,
			      const struct trace_summary_style *style);
