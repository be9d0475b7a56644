/* SPDX-License-Identifier: MIT */
#include "tools/trace/summary-view.h"

#include <inttypes.h>
#include <string.h>

#include "arch/syscall/values.h"
#include "base/escape.h"
#include "base/text.h"
#include "tools/trace/summary-model.h"
#include "view/json.h"

/* Formats a thread's or a cgroup's summary of calls as JSON: docs/format/trace-json.md. */

static void trace_summary_json_write_rows(struct json *j, const struct trace_summary_call *c)
{
	json_key(j, "histogram");
	json_array(j);
	for (unsigned i = 0; i < TRACE_SUMMARY_ROWS; i++) {
		if (!c->rows[i])
			continue;
		json_object(j);
		json_member_unsigned(j, "first_ns", i ? 1ULL << i : 0);
		/* The last row ends at the longest call. */
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

/* Appends an object on a line of its own. */
static void trace_summary_group_json(struct text *out, const struct trace_summary_group *g,
				     enum trace_summary_mode mode,
				     const struct trace_summary_style *style)
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

#define BAR_WIDTH 40

static double trace_summary_msec(double ns)
{
	return ns / 1e6;
}

/* Appends "ls (29001), 192 events, 63.6%". There are no shares for cgroups and for the total. */
static void trace_summary_add_title(struct text *t, const struct trace_summary_group *g,
				    enum trace_summary_mode mode,
				    const struct trace_summary_style *style)
{
	switch (mode) {
	case TRACE_SUMMARY_THREAD:
		text_add_char(t, ' ');
		if (g->name[0])
			escape_terminal(t, g->name, strlen(g->name));
		else
			text_addf(t, ":%" PRIu64, g->id);
		text_addf(t, " (%" PRIu64 "), %" PRIu64 " events, %.1f%%", g->id, g->events,
			  g->share * 100);
		break;
	case TRACE_SUMMARY_CGROUP:
		text_add(t, " cgroup ");
		if (g->name[0])
			escape_terminal(t, g->name, strlen(g->name));
		else
			text_addf(t, "%" PRIu64 " (removed)", g->id);
		text_addf(t, ", %" PRIu64 " events", g->events);
		break;
	case TRACE_SUMMARY_TOTAL:
		text_addf(t, " total, %" PRIu64 " events", g->events);
		break;
	}
	if (g->major_faults)
		text_addf(t, ", %" PRIu64 " majfaults", g->major_faults);
	if (g->minor_faults)
		text_addf(t, ", %" PRIu64 " minfaults", g->minor_faults);
	if (style->shows_runtime)
		text_addf(t, ", %.3f msec", trace_summary_msec((double)g->runtime_ns));
	text_add(t, "\n\n");
}

static void trace_summary_add_head(struct text *t, const struct trace_summary_style *style)
{
	bool q = style->shows_quantiles;

	text_addf(
		t,
		"   syscall            calls  errors  total       min       avg       %smax       "
		"stddev\n",
		q ? "p50       p99       " : "");
	text_addf(t,
		  "                                     (msec)    (msec)    (msec)    %s(msec)"
		  "        (%%)\n",
		  q ? "(msec)    (msec)    " : "");
	text_addf(t,
		  "   --------------- --------  ------ -------- --------- ---------%s ---------"
		  "     ------\n",
		  q ? " --------- ---------" : "");
}

/* Appends a time with three digits: "1.02 us". */
static void trace_summary_add_time(struct text *t, double ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	size_t unit = 0;

	for (; ns >= 1000 && unit < 3; unit++)
		ns /= 1000;
	text_addf(t, "%*.*f %-2s", 4, unit && ns < 100 ? ns < 10 ? 2 : 1 : 0, ns, units[unit]);
}

static void trace_summary_add_rows(struct text *t, const struct trace_summary_call *c)
{
	static const char bar[] = "########################################";
	uint64_t most = 0;
	int first = -1, last = -1;

	for (int i = 0; i < TRACE_SUMMARY_ROWS; i++) {
		if (!c->rows[i])
			continue;
		if (first < 0)
			first = i;
		last = i;
		if (c->rows[i] > most)
			most = c->rows[i];
	}
	for (int i = first; i >= 0 && i <= last; i++) {
		/* Any count above 0 has a bar. */
		int length =
			(int)(((double)c->rows[i] * BAR_WIDTH + (double)most - 1) / (double)most);

		text_add(t, "        ");
		trace_summary_add_time(t, i ? (double)(1ULL << i) : 0);
		text_add(t, i + 1 < TRACE_SUMMARY_ROWS ? " - " : " and more  ");
		if (i + 1 < TRACE_SUMMARY_ROWS)
			trace_summary_add_time(t, (double)(2ULL << i));
		text_addf(t, " %8" PRIu64 " |%-*.*s|\n", c->rows[i], BAR_WIDTH, length, bar);
	}
}

static void add_errnos(struct text *t, const struct trace_summary_call *c)
{
	for (size_t i = 0; i < c->errnos.n; i++) {
		const char *name = errno_name(c->abi, c->errnos.items[i].error);

		text_add(t, "\t\t\t\t");
		if (name)
			text_add(t, name);
		else
			text_addf(t, "%d", c->errnos.items[i].error);
		text_addf(t, ": %" PRIu64 "\n", c->errnos.items[i].count);
	}
}

static void trace_summary_add_call(struct text *t, const struct trace_summary_call *c,
				   const struct trace_summary_style *style)
{
	text_addf(t, "   %-15s %8" PRIu64 " %6" PRIu64 " %9.3f %9.3f %9.3f", c->name, c->calls,
		  c->errors, trace_summary_msec(c->duration_ns.mean) * (double)c->calls,
		  trace_summary_msec((double)c->min_ns), trace_summary_msec(c->duration_ns.mean));
	if (style->shows_quantiles)
		text_addf(t, " %9.3f %9.3f",
			  trace_summary_msec((double)trace_summary_quantile(c, 0.5)),
			  trace_summary_msec((double)trace_summary_quantile(c, 0.99)));
	text_addf(t, " %9.3f %9.2f%%\n", trace_summary_msec((double)c->max_ns),
		  moments_noise(&c->duration_ns));
	if (style->shows_errnos)
		add_errnos(t, c);
	if (style->shows_rows)
		trace_summary_add_rows(t, c);
}

static void trace_summary_add_group(struct text *t, const struct trace_summary_group *g,
				    enum trace_summary_mode mode,
				    const struct trace_summary_style *style)
{
	size_t n = style->max_rows && style->max_rows < g->n_calls ? style->max_rows : g->n_calls;

	trace_summary_add_title(t, g, mode, style);
	trace_summary_add_head(t, style);
	for (size_t i = 0; i < n; i++)
		trace_summary_add_call(t, g->calls[i], style);
	text_add(t, "\n\n");
}

void trace_summary_print(FILE *out, struct trace_summary *s,
			 const struct trace_summary_style *style)
{
	enum trace_summary_mode mode = trace_summary_mode(s);
	size_t n;
	struct trace_summary_group **groups = trace_summary_groups(s, &n);
	struct text t = TEXT_EMPTY;

	if (!style->is_json)
		fputs("\n Summary of events:\n\n", out);
	for (size_t i = 0; i < n; i++) {
		if (!groups[i]->events && !groups[i]->n_calls)
			continue;
		text_clear(&t);
		if (style->is_json)
			trace_summary_group_json(&t, groups[i], mode, style);
		else
			trace_summary_add_group(&t, groups[i], mode, style);
		fwrite(t.chars, 1, t.length, out);
	}
	text_done(&t);
}
