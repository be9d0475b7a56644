/* SPDX-License-Identifier: MIT */
#include "tools/script/counts-view.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "session/session.h"
#include "tools/script/round-counts-model.h"
#include "wire/record.h"

struct script_counts {
	const struct session *session;
	struct round_counts *counts;
	bool has_title;
};

struct script_counts *script_counts_new(const struct session *s)
{
	struct script_counts *c = xcalloc(1, sizeof(*c));

	c->session = s;
	c->counts = round_counts_new(s);
	return c;
}

void script_counts_free(struct script_counts *c)
{
	if (!c)
		return;
	round_counts_free(c->counts);
	free(c);
}

static void script_counts_print_event(struct script_counts *c, size_t event, uint64_t time,
				      FILE *out)
{
	for (size_t i = 0; i < round_counts_cells(c->counts); i++) {
		struct round_count n = round_counts_get(c->counts, event, i);

		fprintf(out, "%3d %8d %15" PRIu64 " %15" PRIu64 " %15" PRIu64 " %15" PRIu64 " %s\n",
			n.cpu, n.thread, n.value, n.enabled, n.running, time,
			session_event(c->session, event)->name);
	}
}

void script_counts_record(struct script_counts *c, const struct record *r, FILE *out)
{
	if (!round_counts_record(c->counts, r))
		return;
	if (!c->has_title)
		fprintf(out, "%3s %8s %15s %15s %15s %15s %s\n", "CPU", "THREAD", "VAL", "ENA",
			"RUN", "TIME", "EVENT");
	c->has_title = true;
	for (size_t i = 0; i < round_counts_events(c->counts); i++)
		script_counts_print_event(c, i, r->stat_round.time, out);
}
