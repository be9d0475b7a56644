/* SPDX-License-Identifier: MIT */
#include "tools/data/folded.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "profile/flame-stacks.h"
#include "profile/folded.h"
#include "profile/profile.h"
#include "profile/weighed.h"
#include "session/session.h"
#include "view/folded.h"

static const struct flame_roots by_command = { .items = { FLAME_ROOT_COMM }, .n = 1 };

/* Returns the box of an event. If there are several events, their names are below all stacks. */
static uint32_t event_box(struct flame_builder *b, const struct session_event *e)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;

	folded_name_add(&name, e->name, true);
	return flame_builder_box(b, 0, flame_builder_text(b, name.chars), flame_builder_text(b, ""),
				 FLAME_TASK);
}

static void folded_add_stacks(struct flame_walk *w, struct flame_builder *b, const struct tally *t,
			      uint32_t event)
{
	for (uint32_t i = 0; i < t->stacks.n; i++) {
		struct weight weight = flame_walk_weight(w, t, i);
		uint32_t box;

		if (!weight.samples)
			continue;
		box = flame_walk_roots(w, t, i, event);
		box = flame_walk_functions(w, t, i, box);
		flame_builder_weigh(b, box, FLAME_AFTER, weight.samples);
	}
}

static int folded_write(const struct export_source *src, struct diag *diag)
{
	struct profile *p = src->profile;
	const struct flame_stacks_options o = {
		.env = &p->env,
		.keys = p->plan.keys.items,
		.n_keys = p->plan.keys.n,
		.filter = p->filter,
		.roots = &by_command,
		.folded_names = true,
	};
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");
	_cleanup_(flame_walk_freep) struct flame_walk *w = flame_walk_new(b, &o);
	_cleanup_(flame_freep) struct flame *flame = NULL;
	_cleanup_(freep) const struct session_event **events = NULL;
	size_t n;

	(void)diag;
	events = weighed_events(p, &n);
	for (size_t i = 0; i < n; i++)
		folded_add_stacks(w, b, collector_tally(p->collector, events[i]->index),
				  n > 1 ? event_box(b, events[i]) : 0);
	flame = flame_builder_finish(b, false);
	return folded_print(flame, src->out);
}

const struct export_format export_folded = {
	.word = "folded",
	.title = "folded stacks",
	.by_function = true,
	.labels = 1u << EXPORT_LABEL_COMM,
	.write = folded_write,
};
