/* SPDX-License-Identifier: MIT */
#include "symbol/symbol-table.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"

#define NAME_BLOCK_SIZE (64 << 10)
#define PAGE_SIZE       4096

/* Names lie one after the other in large blocks: a kernel has 100,000 of them. */
struct name_block {
	struct name_block *next;
	size_t used, size;
	char bytes[];
};

static const char *keep_name(struct symbol_table *t, const char *name, size_t length)
{
	struct name_block *b = t->names;

	if (!b || b->size - b->used <= length) {
		size_t size = length < NAME_BLOCK_SIZE ? NAME_BLOCK_SIZE : length + 1;

		b = xmalloc(sizeof(*b) + size);
		*b = (struct name_block){ .next = t->names, .size = size };
		t->names = b;
	}

	char *kept = b->bytes + b->used;

	memcpy(kept, name, length);
	kept[length] = '\0';
	b->used += length + 1;
	return kept;
}

void symbol_table_init(struct symbol_table *t, symbol_pretty_fn *pretty)
{
	*t = (struct symbol_table){ .pretty = pretty };
	pthread_mutex_init(&t->lock, NULL);
}

void symbol_table_done(struct symbol_table *t)
{
	for (struct name_block *b = t->names, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	free(t->items);
	free(t->tree.items);
	symbol_history_done(&t->history);
	pthread_mutex_destroy(&t->lock);
}

void symbol_table_add_borrowed(struct symbol_table *t, struct symbol s)
{
	s.is_pretty = !t->pretty;
	if (t->has_history)
		s.number = symbol_history_insert(&t->history, s.start);
	*ARRAY_ADD(t) = s;
}

void symbol_table_add(struct symbol_table *t, struct symbol s, size_t length)
{
	s.name = keep_name(t, s.name, length);
	symbol_table_add_borrowed(t, s);
}

void symbol_table_expect(struct symbol_table *t, size_t n)
{
	t->items = array_reserve(t->items, &t->room, t->n + n, sizeof(t->items[0]));
}

/* Makes the name of @e what users see. The caller holds the lock, or the only reference. */
static void prettify(struct symbol_table *t, struct symbol *e)
{
	if (e->is_pretty)
		return;

	_cleanup_(freep) char *pretty = t->pretty(e->name);

	if (pretty)
		e->name = keep_name(t, pretty, strlen(pretty));
	__atomic_store_n(&e->is_pretty, true, __ATOMIC_RELEASE);
}

static bool in_order(const struct symbol_table *t)
{
	for (size_t i = 1; i < t->n; i++)
		if (t->items[i].start < t->items[i - 1].start)
			return false;
	return true;
}

/* Equal addresses stay in the order they came in, on which the choice below depends. */
static void merge(const struct symbol *a, size_t na, const struct symbol *b, size_t nb,
		  struct symbol *out)
{
	while (na && nb) {
		if (b->start < a->start) {
			*out++ = *b++;
			nb--;
		} else {
			*out++ = *a++;
			na--;
		}
	}
	memcpy(out, a, na * sizeof(*a));
	memcpy(out + na, b, nb * sizeof(*b));
}

static void sort(struct symbol_table *t)
{
	if (in_order(t))
		return;

	struct symbol *from = t->items, *to = xcalloc(t->n, sizeof(*to));

	for (size_t run = 1; run < t->n; run *= 2) {
		for (size_t at = 0; at < t->n; at += 2 * run) {
			size_t left = t->n - at, na = left < run ? left : run;
			size_t nb = left - na < run ? left - na : run;

			merge(from + at, na, from + at + na, nb, to + at);
		}

		struct symbol *swap = from;

		from = to;
		to = swap;
	}
	free(to);
	t->items = from;
	t->room = t->n;
}

/* The last one reaches to the end of the page behind its own, as Linux's perf has it. */
static void find_ends(struct symbol_table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct symbol *s = &t->items[i];

		if (s->end != s->start)
			continue;
		if (i + 1 < t->n)
			s->end = t->items[i + 1].start;
		else
			s->end = (s->start + 2 * PAGE_SIZE - 1) & ~(uint64_t)(PAGE_SIZE - 1);
	}
}

static size_t underscores(const char *name)
{
	return strspn(name, "_");
}

/*
 * Is @y a better name than @x, which came first, for the address they share? What Linux's perf
 * shows: a symbol that covers something, not weak, global, with fewer leading underscores, longer.
 */
static bool is_better(struct symbol_table *t, struct symbol *x, struct symbol *y)
{
	if ((x->end == x->start) != (y->end == y->start))
		return x->end == x->start;
	if ((x->binding == 'w') != (y->binding == 'w'))
		return x->binding == 'w';
	if ((x->binding == 'g') != (y->binding == 'g'))
		return y->binding == 'g';
	/* Most often it is the same symbol in two tables of the file. */
	if (!strcmp(x->name, y->name))
		return false;
	prettify(t, x);
	prettify(t, y);
	if (underscores(x->name) != underscores(y->name))
		return underscores(y->name) < underscores(x->name);
	return strlen(y->name) > strlen(x->name);
}

static void note_drop(struct symbol_table *t, const struct symbol *s)
{
	if (t->has_history)
		symbol_history_drop(&t->history, s->number);
}

static void drop_aliases(struct symbol_table *t, enum symbol_rules rules)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct symbol *last = n ? &t->items[n - 1] : NULL, *e = &t->items[i];

		if (!last || last->start != e->start) {
			t->items[n++] = *e;
		} else if (rules == SYMBOL_RULES_JIT || is_better(t, last, e)) {
			note_drop(t, last);
			*last = *e;
		} else {
			note_drop(t, e);
		}
	}
	t->n = n;
}

void symbol_table_settle(struct symbol_table *t, enum symbol_rules rules)
{
	sort(t);
	if (rules == SYMBOL_RULES_LINKER)
		find_ends(t);
	drop_aliases(t, rules);
}

void symbol_table_remember(struct symbol_table *t)
{
	t->has_history = true;
}

static bool has_overlaps(const struct symbol_table *t)
{
	for (size_t i = 1; i < t->n; i++)
		if (t->items[i - 1].end > t->items[i].start)
			return true;
	return false;
}

/* Renames the nodes of @all, which are numbers of symbols, to indexes of the table. */
static void adopt_tree(struct symbol_table *t, const struct symbol_tree *all)
{
	_cleanup_(freep) uint32_t *index = xmalloc(t->history.n * sizeof(index[0]));

	for (uint32_t i = 0; i < t->n; i++)
		index[t->items[i].number] = i;
	t->tree.items = xcalloc(t->n, sizeof(t->tree.items[0]));
	t->tree.root = index[all->root];
	for (size_t i = 0; i < t->n; i++) {
		struct symbol_children c = all->items[t->items[i].number];

		t->tree.items[i] = (struct symbol_children){
			c.left == SYMBOL_TREE_NONE ? c.left : index[c.left],
			c.right == SYMBOL_TREE_NONE ? c.right : index[c.right],
		};
	}
}

void symbol_table_arrange(struct symbol_table *t)
{
	struct symbol_tree all;

	if (t->has_history && has_overlaps(t)) {
		symbol_tree_build(&t->history, &all);
		adopt_tree(t, &all);
		free(all.items);
	}
	symbol_history_done(&t->history);
	t->has_history = false;
}

void symbol_table_move(struct symbol_table *t, uint64_t distance)
{
	for (size_t i = 0; distance && i < t->n; i++) {
		t->items[i].start += distance;
		t->items[i].end += distance;
	}
}

static const struct symbol *pretty_symbol(struct symbol_table *t, struct symbol *e)
{
	if (!__atomic_load_n(&e->is_pretty, __ATOMIC_ACQUIRE)) {
		pthread_mutex_lock(&t->lock);
		prettify(t, e);
		pthread_mutex_unlock(&t->lock);
	}
	return e;
}

/* A symbol without an end is found where it starts. */
static bool reaches(const struct symbol *s, uint64_t addr)
{
	return addr < s->end || addr == s->start;
}

static struct symbol *find_in_tree(struct symbol_table *t, uint64_t addr)
{
	uint32_t i = t->tree.root;

	while (i != SYMBOL_TREE_NONE) {
		struct symbol *s = &t->items[i];

		if (addr < s->start)
			i = t->tree.items[i].left;
		else if (reaches(s, addr))
			return s;
		else
			i = t->tree.items[i].right;
	}
	return NULL;
}

static struct symbol *find_in_order(struct symbol_table *t, uint64_t addr)
{
	size_t low = 0, high = t->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->items[middle].start <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low && reaches(&t->items[low - 1], addr) ? &t->items[low - 1] : NULL;
}

const struct symbol *symbol_table_find(struct symbol_table *t, uint64_t addr)
{
	struct symbol *s = t->tree.items ? find_in_tree(t, addr) : find_in_order(t, addr);

	return s ? pretty_symbol(t, s) : NULL;
}

const struct symbol *symbol_table_find_name(const struct symbol_table *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->items[i].name, name))
			return &t->items[i];
	return NULL;
}
