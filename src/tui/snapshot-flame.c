/* SPDX-License-Identifier: MIT */
#include "tui/snapshot-flame.h"

#include "profile/flame-stacks.h"
#include "session/session.h"
#include "tui/browse.h"

/* Returns the roots of stacks: only properties by which the collector has separated them. */
static struct flame_roots roots_of(const struct report_plan *plan)
{
	if (report_plan_has_key(plan, "comm"))
		return (struct flame_roots){ .items = { FLAME_ROOT_COMM }, .n = 1 };
	if (report_plan_has_key(plan, "pid"))
		return (struct flame_roots){ .items = { FLAME_ROOT_PROCESS }, .n = 1 };
	return (struct flame_roots){ .n = 0 };
}

static bool tui_snapshot_flame_counts_samples(const struct browse_snapshot *s,
					      const struct snapshot_flame_request *rq)
{
	return rq->by_samples || !collector_tally(s->profile->collector, rq->event)->total.period;
}

static struct flame *all_boxes(const struct browse_snapshot *s,
			       const struct snapshot_flame_request *rq)
{
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");
	const struct tally *t = collector_tally(s->profile->collector, rq->event);
	const struct flame_roots roots = roots_of(&s->profile->plan);
	const struct flame_stacks_options o = {
		.env = s->tables->options.env,
		.keys = s->profile->plan.keys.items,
		.n_keys = s->profile->plan.keys.n,
		.filter = s->profile->filter,
		.part = s->tables->options.rq.symbol_part,
		.roots = &roots,
		.by_period = !tui_snapshot_flame_counts_samples(s, rq),
		.reverse = rq->reverse,
		.side = FLAME_AFTER,
		.with_samples = true,
	};

	flame_add_stacks(b, &o, t);
	return flame_builder_finish(b, false);
}

struct flame *snapshot_flame(const struct browse_snapshot *s,
			     const struct snapshot_flame_request *rq)
{
	_cleanup_(flame_freep) struct flame *all = all_boxes(s, rq);

	if (!rq->part.name && !rq->part.object)
		return TAKE(all);
	return flame_excerpt_new(all, &rq->part);
}

const char *snapshot_flame_unit(const struct browse_snapshot *s,
				const struct snapshot_flame_request *rq)
{
	const struct session_event *e = session_event(s->profile->session, rq->event);

	if (tui_snapshot_flame_counts_samples(s, rq))
		return "samples";
	return attr_is_clock(&e->attr) ? "ns" : e->name;
}
