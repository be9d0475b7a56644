/* SPDX-License-Identifier: MIT */
#include "tools/c2c/trees-work.h"

#include <stdlib.h>

#include "base/memory.h"
#include "profile/collector.h"
#include "profile/profile.h"
#include "profile/shared-values.h"
#include "session/consumer.h"
#include "session/lbr-stitch.h"
#include "session/reading.h"
#include "session/session.h"
#include "symbol/symbol-request.h"

static uint64_t c2c_trees_entry_of(const struct key *k, struct key_env *env,
				   const struct key_sample *s)
{
	(void)env, (void)s;
	return *(const uint64_t *)k->arg;
}

static const struct key_type by_entry = {
	.name = "entry",
	.title = "Entry",
	.scope = KEY_SAMPLE,
	.parts = { { .name = "entry", .type = VALUE_UNSIGNED } },
	.of_sample = c2c_trees_entry_of,
};

static bool c2c_trees_has_stacks(const struct session *s, bool history)
{
	uint64_t types = PERF_SAMPLE_CALLCHAIN | (history ? PERF_SAMPLE_BRANCH_STACK : 0);

	for (size_t i = 0; i < session_event_count(s); i++)
		if (session_event(s, i)->attr.sample_type & types)
			return true;
	return false;
}

void c2c_trees_begin(struct c2c_trees *t, const struct c2c_trees_request *rq,
		     const struct session *s)
{
	*t = (struct c2c_trees){ .same_frames = rq->same_frames };
	if (!rq->wanted || !c2c_trees_has_stacks(s, rq->history))
		return;
	t->env = (struct key_env){ .session = s,
				   .frames = frames_new(rq->same_frames != FRAMES_BY_FUNCTION ||
							rq->history),
				   .values = shared_values_new() };
	t->key = (struct key){ .type = &by_entry, .parts = by_entry.parts, .arg = &t->entry };
	t->options = (struct report_options){ .env = &t->env,
					      .keys = &t->key,
					      .n_keys = 1,
					      .unsorted = true,
					      .with_trees = true,
					      .callers_first = rq->callers_first };
	t->collector = collector_new(&(struct collector_options){
		.env = &t->env,
		.keys = &t->key,
		.n_keys = 1,
		.with_stacks = true,
		.inlines = reading_inlines(rq->symbols),
		.callers_first = rq->callers_first,
		.history = rq->history,
		.lbr_registers = rq->symbols->stitch_lbr ? lbr_registers(session_features(s)) : 0,
		.max_stack = PROFILE_MAX_STACK,
		.joined = true,
		.n_workers = 1,
	});
}

void c2c_trees_take(struct c2c_trees *t, const struct session_sample *s, uint32_t entry)
{
	if (!t->collector)
		return;
	t->entry = entry;
	collector_take(t->collector, &(struct sample_batch){ .items = s, .n = 1 });
}

void c2c_trees_settle(struct c2c_trees *t, size_t n_entries)
{
	if (!t->collector)
		return;
	collector_settle(t->collector);
	frame_order_init(&t->order, t->env.frames, t->env.session, t->same_frames);
	t->rows = report_rows_new(&t->options, session_event(t->env.session, 0),
				  collector_tally(t->collector, 0));
	t->n_entries = n_entries;
	t->by_entry = xcalloc(n_entries + 1, sizeof(*t->by_entry));
	for (size_t i = 0; i < t->rows->n; i++)
		t->by_entry[t->rows->rows[i].values[0]] = &t->rows->rows[i];
}

const struct report_row *c2c_trees_row(const struct c2c_trees *t, uint32_t number)
{
	return number < t->n_entries ? t->by_entry[number] : NULL;
}

void c2c_trees_done(struct c2c_trees *t)
{
	if (!t->collector)
		return;
	report_rows_free(t->rows);
	frame_order_done(&t->order);
	collector_free(t->collector);
	frames_free(t->env.frames);
	shared_values_free(t->env.values);
	free(t->by_entry);
}
