/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/shared-values.h"
#include "session/machine.h"
#include "session/session.h"
#include "tools/top/internal-work.h"

static void note_name(struct top_snapshot *s, uint32_t pid, uint32_t tid)
{
	const struct key_env *env = &s->profile.env;
	const char *name;

	if (u64_map_find(&s->names, tid))
		return;
	name = machine_comm(env->session, pid, tid, 0);
	u64_map_put(&s->names, tid,
		    (void *)shared_value_text(shared_values_add_text(env->values, name)));
}

/* Adds the names of all threads that rows may need. */
static void note_names(struct top_snapshot *s, const struct tally *t)
{
	for (size_t i = 0; i < t->stacks.n; i++) {
		const struct stack_weight *w = &t->stacks.weights[i];

		if (w->self.samples)
			note_name(s, w->first_task, w->first_task);
	}
}

/* Adds the threads of a key. The thread of a row, by pid and tid, is also a value of contexts. */
static void note_threads(struct top_snapshot *s, const struct tally *t, size_t key)
{
	for (uint32_t i = 0; i < t->contexts.n; i++) {
		uint64_t value = contexts_get(&t->contexts, i)[key];

		note_name(s, (uint32_t)value, value >> 32);
	}
}

/* Looks up all names now, because the session continues while other threads use the snapshot. */
static void find_names(struct top_snapshot *s)
{
	const struct profile *p = &s->profile;
	bool by_comm = report_plan_has_key(&p->plan, "comm");

	for (size_t e = 0; e < session_event_count(p->session); e++) {
		const struct tally *t = collector_tally(p->collector, e);

		if (by_comm)
			note_names(s, t);
		for (size_t k = 0; k < p->plan.keys.n; k++)
			if (!strcmp(p->plan.keys.items[k].type->name, "pid"))
				note_threads(s, t, k);
	}
	s->profile.env.names = &s->names;
}

static void count_losses(struct top *t, struct browse_snapshot *b)
{
	const struct session_counts *c = session_counts(t->session);

	b->lost = c->lost_events;
	b->dropped = c->lost_samples;
	b->new_lost = b->lost - t->lost;
	b->new_dropped = b->dropped - t->dropped;
	t->lost = b->lost;
	t->dropped = b->dropped;
}

struct top_snapshot *top_snapshot_new(struct top *t)
{
	struct top_snapshot *s = xcalloc(1, sizeof(*s));
	struct top_world *w = t->world;

	w->refs++;
	s->refs = 1;
	s->world = w;
	s->figures = t->figures;
	s->profile = w->profile;
	s->profile.collector = collector_copy(w->profile.collector);
	s->profile.env.wraps = frames_wrap(w->profile.env.frames);
	find_names(s);
	report_tables_init(&s->tables, &s->profile, &w->question->rq.tables);
	s->base = (struct browse_snapshot){
		.request = &w->question->rq,
		.profile = &s->profile,
		.tables = &s->tables,
		.is_complete = true,
		.serial = ++t->serial,
		.is_live = true,
		.is_frozen = t->now.frozen,
	};
	count_losses(t, &s->base);
	return s;
}

void top_snapshot_unref(struct top *t, struct top_snapshot *s)
{
	if (!s || --s->refs)
		return;
	report_tables_done(&s->tables);
	collector_free(s->profile.collector);
	u64_map_done(&s->names);
	top_world_unref(t, s->world);
	free(s);
}

const struct top_figures *top_figures(const struct browse_snapshot *s)
{
	return &((const struct top_snapshot *)s)->figures;
}
