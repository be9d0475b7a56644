/* SPDX-License-Identifier: MIT */
#include "view/report/stats.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "profile/record-stats.h"
#include "profile/weight.h"
#include "session/session.h"

/* Returns the short name: ATTR for "PERF_RECORD_HEADER_ATTR". */
static const char *report_stats_short_name(const char *name)
{
	static const char *const prefixes[] = { "PERF_RECORD_", "HEADER_" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			name += strlen(prefixes[i]);
	return name;
}

/* True for types that Linux's perf 6.1 does not know. They are not part of the traditional list. */
static bool is_recent(uint32_t type)
{
	return type == PERF_RECORD_CALLCHAIN_DEFERRED || type > PERF_RECORD_FINISHED_INIT;
}

static void print_count(const char *name, uint64_t n, FILE *out)
{
	fprintf(out, "%16s events: %10" PRIu64, name, n);
}

static void print_records(const struct session_counts *c, bool skip_empty, FILE *out)
{
	uint64_t total = 0;

	for (uint32_t type = 0; type < PERF_RECORD_USER_MAX; type++)
		total += c->records[type];
	print_count("TOTAL", total, out);
	fputc('\n', out);

	for (uint32_t type = 0; type < PERF_RECORD_USER_MAX; type++) {
		const char *name = record_type_name(type);
		uint64_t n = c->records[type];

		if (!name || (!n && (skip_empty || is_recent(type))))
			continue;
		print_count(report_stats_short_name(name), n, out);
		fprintf(out, "  (%4.1f%%)\n", percent_of(n, total));
	}
}

static void report_stats_print_event(const struct session_event *e, struct event_stats st,
				     FILE *out)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;

	escape_terminal(&name, e->name, strlen(e->name));
	fprintf(out, "%s stats:\n", name.chars);
	if (st.samples) {
		print_count("SAMPLE", st.samples, out);
		fputc('\n', out);
	}
	if (st.lost_samples) {
		print_count("LOST_SAMPLES", st.lost_samples, out);
		fputc('\n', out);
	}
}

void report_stats_print(const struct session *s, const struct record_stats *st, bool skip_empty,
			FILE *out)
{
	bool has_traces = features_have(session_features(s), FEATURE_AUXTRACE);

	fprintf(out, "\nAggregated stats:%s\n",
		has_traces ? " (excludes AUX area (e.g. instruction trace) decoded / synthesized "
			     "events)"
			   : "");
	print_records(session_counts(s), skip_empty, out);
	for (size_t i = 0; i < session_event_count(s); i++) {
		struct event_stats counts = record_stats_of(st, i);

		if (!skip_empty || counts.samples || counts.lost_samples)
			report_stats_print_event(session_event(s, i), counts, out);
	}
}
