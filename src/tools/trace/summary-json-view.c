/* SPDX-License-Identifier: MIT */
#include "tools/trace/summary-json-view.h"

#include "arch/syscall/values.h"
#include "tools/trace/summary-view.h"
#include "view/json.h"

static void trace_summary_json_write_rows(struct json *j, const struct trace_summary_call *c)
{
	json_key(j, "histogram");
	json_array(j);
	for (unsigned i = 0; i < TRACE_SUMMARY_ROWS; i++) {
		if (!c->rows[i])
			continue;
		json_object(j);
		json_member_unsigned(j, "first_ns", i ? 1ULL << i : 0);
		/* The last row has no end but the longest call. */
		json_member_unsigned(j, "last_ns",
				     i + 1 < TRACE_SUMMARY_ROWS ? (2ULL << i) - 1 : c->max_ns);
		json_member_unsigned(j, "count", c->rows[i]);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void write_errnos(struct json *j, const struct trace_summary_call *c)
{
	json_key(j, "errnos");
	json_array(j);
	for (size_t i = 0; i < c->errnos.n; i++) {
		json_object(j);
		json_member_signed(j, "errno", c->errnos.items[i].error);
		json_member(j, "error", errno_name(c->abi, c->errnos.items[i].error));
		json_member_unsigned(j, "count", c->errnos.items[i].count);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void write_call(struct json *j, const struct trace_summary_call *c,
		       const struct trace_summary_style *style)
{
	json_object(j);
	json_member(j, "syscall", c->name);
	json_member_signed(j, "nr", c->nr);
	json_member(j, "abi", syscall_abi_name(c->abi));
	json_member_unsigned(j, "calls", c->calls);
	json_member_unsigned(j, "errors", c->errors);
	json_member_unsigned(j, "total_ns", c->total_ns);
	json_member_unsigned(j, "min_ns", c->min_ns);
	json_key(j, "mean_ns");
	json_fixed(j, c->duration_ns.mean, 1);
	if (style->shows_quantiles || style->shows_rows) {
		json_member_unsigned(j, "p50_ns", trace_summary_quantile(c, 0.5));
		json_member_unsigned(j, "p99_ns", trace_summary_quantile(c, 0.99));
	}
	json_member_unsigned(j, "max_ns", c->max_ns);
	json_key(j, "stddev_percent");
	json_fixed(j, moments_noise(&c->duration_ns), 2);
	write_errnos(j, c);
	if (style->shows_rows)
		trace_summary_json_write_rows(j, c);
	json_end(j, '}');
}

static void write_group(struct json *j, const struct trace_summary_group *g,
			enum trace_summary_mode mode)
{
	static const char *const modes[] = { "thread", "total", "cgroup" };

	json_member(j, "summary", modes[mode]);
	if (mode == TRACE_SUMMARY_THREAD) {
		json_member(j, "comm", g->name);
		json_member_unsigned(j, "tid", g->id);
	} else if (mode == TRACE_SUMMARY_CGROUP) {
		json_member(j, "cgroup", g->name);
		json_member_unsigned(j, "cgroup_id", g->id);
	}
	json_member_unsigned(j, "events", g->events);
}

void trace_summary_group_json(struct text *out, const struct trace_summary_group *g,
			      enum trace_summary_mode mode, const struct trace_summary_style *style)
{
	size_t n = style->max_rows && style->max_rows < g->n_calls ? style->max_rows : g->n_calls;
	struct json j;

	json_init_text(&j, out);
	j.on_line = true;
	json_object(&j);
	write_group(&j, g, mode);
	if (style->shows_runtime)
		json_member_unsigned(&j, "runtime_ns", g->runtime_ns);
	if (g->major_faults || g->minor_faults) {
		json_member_unsigned(&j, "major_faults", g->major_faults);
		json_member_unsigned(&j, "minor_faults", g->minor_faults);
	}
	json_key(&j, "calls");
	json_array(&j);
	for (size_t i = 0; i < n; i++)
		write_call(&j, g->calls[i], style);
	json_end(&j, ']');
	json_end(&j, '}');
	json_end_line(&j);
}
