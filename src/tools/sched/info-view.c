/* SPDX-License-Identifier: MIT */
#include "tools/sched/info-view.h"

#include <inttypes.h>
#include <stdbool.h>

#include "session/session.h"

struct sched_info sched_info_of(const struct session_counts *c)
{
	struct sched_info info = { .lost_events = c->lost_events, .lost_chunks = c->lost_records };

	for (size_t i = 0; i < PERF_RECORD_USER_MAX; i++)
		info.n_records += c->records[i];
	return info;
}

/* "INFO: 4.000% WHAT (1 out of 25": the caller closes it. False: there is nothing to say. */
static bool sched_info_print_share(FILE *out, const char *what, uint64_t n, uint64_t all)
{
	if (!n || !all)
		return false;
	fprintf(out, "  INFO: %.3f%% %s (%" PRIu64 " out of %" PRIu64,
		(double)n / (double)all * 100, what, n, all);
	return true;
}

void sched_info_print(FILE *out, const struct sched_info *info)
{
	if (sched_info_print_share(out, "unordered timestamps", info->early_wakeups, info->wakeups))
		fputs(")\n", out);
	if (sched_info_print_share(out, "lost events", info->lost_events, info->n_records))
		fprintf(out, ", in %" PRIu64 " chunks)\n", info->lost_chunks);
	if (sched_info_print_share(out, "context switch bugs", info->switch_bugs, info->wakeups))
		fprintf(out, ")%s\n", info->lost_events ? " (due to lost events?)" : "");
}
