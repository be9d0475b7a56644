/* SPDX-License-Identifier: MIT */
#include "symbol/tree.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/red-black.h"

void symbol_history_done(struct symbol_history *h)
{
	free(h->starts);
	free(h->drops);
	*h = (struct symbol_history){ 0 };
}

uint32_t symbol_history_insert(struct symbol_history *h, uint64_t start)
{
	h->starts = array_reserve(h->starts, &h->room, h->n + 1, sizeof(h->starts[0]));
	h->starts[h->n] = start;
	return (uint32_t)h->n++;
}

void symbol_history_drop(struct symbol_history *h, uint32_t symbol)
{
	h->drops = array_reserve(h->drops, &h->drops_room, h->n_drops + 1, sizeof(h->drops[0]));
	h->drops[h->n_drops++] = (struct symbol_drop){ symbol, (uint32_t)h->n };
}

/* Inserts a symbol. Symbol i is node i + 1. Of equal starts the later one goes to the right. */
static void tree_insert(struct red_black *t, const uint64_t *starts, uint32_t symbol)
{
	uint32_t parent = RED_BLACK_NIL, at = t->root;
	enum red_black_side side = RED_BLACK_LEFT;

	while (at != RED_BLACK_NIL) {
		parent = at;
		side = starts[symbol] < starts[at - 1] ? RED_BLACK_LEFT : RED_BLACK_RIGHT;
		at = t->nodes[at].child[side];
	}
	red_black_insert(t, symbol + 1, parent, side);
}

void symbol_tree_build(const struct symbol_history *h, struct symbol_tree *ret)
{
	struct red_black t;
	size_t drop = 0;

	red_black_init(&t, h->n);
	for (uint32_t i = 0; i <= h->n; i++) {
		for (; drop < h->n_drops && h->drops[drop].after == i; drop++)
			red_black_erase(&t, h->drops[drop].symbol + 1);
		if (i < h->n)
			tree_insert(&t, h->starts, i);
	}
	ret->items = xcalloc(h->n, sizeof(ret->items[0]));
	for (uint32_t i = 0; i < h->n; i++)
		ret->items[i] =
			(struct symbol_children){ t.nodes[i + 1].child[RED_BLACK_LEFT] - 1,
						  t.nodes[i + 1].child[RED_BLACK_RIGHT] - 1 };
	ret->root = t.root - 1;
	red_black_done(&t);
}
