/* SPDX-License-Identifier: MIT */
#include "profile/heavy-frames.h"

#include <stdint.h>

#include "base/memory.h"
#include "profile/call-tree.h"
#include "profile/collector.h"
#include "profile/frames.h"
#include "profile/report.h"
#include "session/session.h"

static void heavy_frames_mark(const struct report_rows *r, const struct report_row *row,
			      bool *heavy)
{
	const struct stacks *s = &r->tally->stacks;

	for (uint32_t i = row->first_self; i != STACK_NONE; i = r->next_self[i])
		heavy[s->nodes[i].frame] = true;
}

bool *heavy_frames_find(const struct report_options *o, const struct session *session,
			const struct collector *c, double threshold)
{
	bool *heavy = xcalloc(frames_count(o->env->frames) + 1, sizeof(*heavy));

	for (size_t i = 0; i < session_event_count(session); i++) {
		const struct tally *t = collector_tally(c, i);
		_cleanup_(report_rows_freep) struct report_rows *r =
			report_rows_new(o, session_event(session, i), t);
		const struct call_tree_options tree = { .threshold = threshold,
							.whole = t->total.period };
		uint64_t least = call_tree_least(&tree, 0);

		for (size_t k = 0; k < r->n; k++)
			if (r->rows[k].self.period >= least)
				heavy_frames_mark(r, &r->rows[k], heavy);
	}
	return heavy;
}
