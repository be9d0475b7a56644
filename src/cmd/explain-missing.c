/* SPDX-License-Identifier: MIT */
/*
 * Samples without a name: how many there are in which object, for the view that says why.
 */
#include "cmd/explain-missing.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/u64-map.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "job/profile.h"
#include "session/session.h"
#include "view/missing-symbols.h"

struct unnamed {
	struct missing_object *items;
	size_t n, room;
	struct u64_map by_image; /* place in items + 1 */
	uint64_t total;
};

static void count(struct unnamed *u, const struct image *im, uint64_t samples)
{
	/* Images are at even addresses: 1 is none. */
	uint64_t key = im ? (uintptr_t)im : 1;
	size_t place = (uintptr_t)u64_map_find(&u->by_image, key);

	if (!place) {
		*ARRAY_ADD(u) = (struct missing_object){ .image = im };
		place = u->n;
		u64_map_put(&u->by_image, key, (void *)(uintptr_t)place);
	}
	u->items[place - 1].samples += samples;
}

static void count_event(struct unnamed *u, const struct frames *frames, const struct stacks *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct stack_node *n = &s->nodes[i];
		const struct frame *f;

		if (!s->weights[i].self.samples || n->parent == STACK_NONE)
			continue;
		u->total += s->weights[i].self.samples;
		f = frames_get(frames, n->frame);
		if (!f->sym)
			count(u, f->image, s->weights[i].self.samples);
	}
}

void command_explain_missing(const struct invocation *inv, const struct profile *p)
{
	struct unnamed u = { 0 };

	for (size_t i = 0; i < session_event_count(p->session); i++)
		count_event(&u, p->env.frames, &collector_tally(p->collector, i)->stacks);
	missing_symbols_print(inv->err,
			      &(struct missing_symbols){ .items = u.items,
							 .n = u.n,
							 .total = u.total,
							 .by_name = terminal_is(inv->err) });
	symbol_remarks_print(inv->err, p->symbolizer);
	free(u.items);
	u64_map_done(&u.by_image);
}
