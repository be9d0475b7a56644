/* SPDX-License-Identifier: MIT */
#include "symbol/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "symbol/sort.h"

/* The size of the first block of names, and of the later ones. */
#define NAME_BLOCK_MIN (4 << 10)
#define NAME_BLOCK_MAX (64 << 10)
#define PAGE_SIZE      4096

/* Names are stored in large blocks, because a browser has 300,000 of them. */
struct name_block {
	struct name_block *next;
	size_t used, size;
	char bytes[];
};

static const char *keep_name(struct symbol_table *t, const char *name, size_t length)
{
	struct name_block *b = t->names;

	if (!b || b->size - b->used <= length) {
		size_t size = b ? 2 * b->size : NAME_BLOCK_MIN;

		size = size < NAME_BLOCK_MAX ? size : NAME_BLOCK_MAX;
		size = length < size ? size : length + 1;
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

void symbol_table_init_index(struct symbol_table *t, const struct symbol_index *index)
{
	symbol_table_init(t, NULL);
	t->is_indexed = true;
	t->index = *index;
}

void symbol_table_take_index(struct symbol_table *t, const struct symbol_index *index,
			     struct sealed_file file)
{
	t->is_indexed = true;
	t->index = *index;
	t->file = file;
}

static void free_found(void *arg, uint64_t i, void *symbol)
{
	(void)arg, (void)i;
	free(symbol);
}

void symbol_table_done(struct symbol_table *t)
{
	shared_map_for_each(&t->found, free_found, NULL);
	shared_map_done(&t->found);
	for (struct name_block *b = t->names, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	free(t->items);
	free(t->tree.items);
	free(t->reach);
	symbol_history_done(&t->history);
	sealed_file_done(&t->file);
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

/* Demangles the name of @e. The caller holds the lock, or the only reference. */
static void symbol_table_prettify(struct symbol_table *t, struct symbol *e)
{
	if (e->is_pretty)
		return;

	_cleanup_(freep) char *pretty = t->pretty(e->name);

	if (pretty)
		e->name = keep_name(t, pretty, strlen(pretty));
	__atomic_store_n(&e->is_pretty, true, __ATOMIC_RELEASE);
}

/* Finds ends. The last symbol ends with the page after its own, as in Linux's perf. */
static void symbol_table_find_ends(struct symbol_table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct symbol *s = &t->items[i];

		if (s->end != s->start)
			continue;
		s->is_guessed = true;
		if (i + 1 < t->n)
			s->end = t->items[i + 1].start;
		else
			s->end = (s->start + 2 * PAGE_SIZE - 1) & ~(uint64_t)(PAGE_SIZE - 1);
	}
}

static size_t symbol_table_underscores(const char *name)
{
	return strspn(name, "_");
}

/*
 * True if @y is a better name than @x, which was added first, for the same address. As in Linux's
 * perf, the better one has a size, is not weak, is global, has fewer leading underscores, is
 * longer.
 */
static bool is_better(struct symbol_table *t, struct symbol *x, struct symbol *y)
{
	if ((x->end == x->start) != (y->end == y->start))
		return x->end == x->start;
	if ((x->binding == 'w') != (y->binding == 'w'))
		return x->binding == 'w';
	if ((x->binding == 'g') != (y->binding == 'g'))
		return y->binding == 'g';
	/* Usually it is the same symbol in two tables of the file. */
	if (!strcmp(x->name, y->name))
		return false;
	symbol_table_prettify(t, x);
	symbol_table_prettify(t, y);
	if (symbol_table_underscores(x->name) != symbol_table_underscores(y->name))
		return symbol_table_underscores(y->name) < symbol_table_underscores(x->name);
	return strlen(y->name) > strlen(x->name);
}

static void note_drop(struct symbol_table *t, const struct symbol *s)
{
	if (t->has_history)
		symbol_history_drop(&t->history, s->number);
}

/* True if @y replaces @x, which was added first and begins at the same address. */
static bool symbol_table_replaces(struct symbol_table *t, struct symbol *x, struct symbol *y,
				  enum symbol_rules rules)
{
	if (rules == SYMBOL_RULES_JIT)
		return true;
	if (rules == SYMBOL_RULES_PROGRAM && x->is_guessed != y->is_guessed)
		return x->is_guessed;
	return is_better(t, x, y);
}

static void drop_aliases(struct symbol_table *t, enum symbol_rules rules)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct symbol *last = n ? &t->items[n - 1] : NULL, *e = &t->items[i];

		if (!last || last->start != e->start) {
			t->items[n++] = *e;
		} else if (symbol_table_replaces(t, last, e, rules)) {
			note_drop(t, last);
			*last = *e;
		} else {
			note_drop(t, e);
		}
	}
	t->n = n;
}

/*
 * Drops labels inside functions. Linux's perf gives a label, whose size it guesses, the rest of the
 * function that contains the label. Here the function, whose size the file states, keeps its code.
 */
static void drop_inner_labels(struct symbol_table *t)
{
	uint64_t reach = 0;
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct symbol s = t->items[i];

		if (s.is_guessed && s.start < reach) {
			note_drop(t, &s);
			continue;
		}
		if (!s.is_guessed && s.end > reach)
			reach = s.end;
		t->items[n++] = s;
	}
	t->n = n;
}

/* Cuts guessed ends. Symbols of a later source may begin before such an end. */
static void cut_guessed_ends(struct symbol_table *t)
{
	for (size_t i = 0; i + 1 < t->n; i++) {
		struct symbol *s = &t->items[i];

		if (s->is_guessed && s->end > t->items[i + 1].start)
			s->end = t->items[i + 1].start;
	}
}

void symbol_table_settle(struct symbol_table *t, enum symbol_rules rules)
{
	symbol_sort(t->items, t->n);
	if (rules != SYMBOL_RULES_JIT)
		symbol_table_find_ends(t);
	drop_aliases(t, rules);
	if (rules == SYMBOL_RULES_PROGRAM) {
		drop_inner_labels(t);
		cut_guessed_ends(t);
	}
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

/*
 * The tree's result differs from that of a binary search only at addresses that a lower symbol
 * overlaps. So the tree is built only when such an address is looked up.
 */
void symbol_table_arrange(struct symbol_table *t)
{
	uint64_t reach = 0;

	if (!t->has_history || !has_overlaps(t)) {
		symbol_history_done(&t->history);
		t->has_history = false;
		return;
	}
	t->reach = xcalloc(t->n, sizeof(t->reach[0]));
	for (size_t i = 0; i < t->n; i++) {
		t->reach[i] = reach;
		reach = t->items[i].end > reach ? t->items[i].end : reach;
	}
}

/* Translates the nodes of @all from numbers of symbols to indexes of the table. */
static struct symbol_children *adopt_tree(struct symbol_table *t, const struct symbol_tree *all,
					  uint32_t *ret_root)
{
	_cleanup_(freep) uint32_t *index = xmalloc(t->history.n * sizeof(index[0]));
	struct symbol_children *items = xcalloc(t->n, sizeof(items[0]));

	for (uint32_t i = 0; i < t->n; i++)
		index[t->items[i].number] = i;
	for (size_t i = 0; i < t->n; i++) {
		struct symbol_children c = all->items[t->items[i].number];

		items[i] = (struct symbol_children){
			c.left == SYMBOL_TREE_NONE ? c.left : index[c.left],
			c.right == SYMBOL_TREE_NONE ? c.right : index[c.right],
		};
	}
	*ret_root = index[all->root];
	return items;
}

static const struct symbol_children *symbol_table_tree_of(struct symbol_table *t)
{
	struct symbol_children *items = __atomic_load_n(&t->tree.items, __ATOMIC_ACQUIRE);
	struct symbol_tree all;

	if (items)
		return items;
	pthread_mutex_lock(&t->lock);
	items = t->tree.items;
	if (!items) {
		symbol_tree_build(&t->history, &all);
		items = adopt_tree(t, &all, &t->tree.root);
		free(all.items);
		__atomic_store_n(&t->tree.items, items, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&t->lock);
	return items;
}

const struct symbol_children *symbol_table_tree(struct symbol_table *t, uint32_t *ret_root)
{
	const struct symbol_children *tree = symbol_table_tree_of(t);

	*ret_root = t->tree.root;
	return tree;
}

void symbol_table_move(struct symbol_table *t, uint64_t distance)
{
	t->distance += distance;
	for (size_t i = 0; distance && i < t->n; i++) {
		t->items[i].start += distance;
		t->items[i].end += distance;
		if (t->reach && i)
			t->reach[i] += distance;
	}
}

static const struct symbol *pretty_symbol(struct symbol_table *t, struct symbol *e)
{
	if (!__atomic_load_n(&e->is_pretty, __ATOMIC_ACQUIRE)) {
		pthread_mutex_lock(&t->lock);
		symbol_table_prettify(t, e);
		pthread_mutex_unlock(&t->lock);
	}
	return e;
}

/* True if @s contains @addr. A symbol without an end is found at its start. */
static bool symbol_table_reaches(const struct symbol *s, uint64_t addr)
{
	return addr < s->end || addr == s->start;
}

static struct symbol *symbol_table_find_in_tree(struct symbol_table *t, uint64_t addr)
{
	const struct symbol_children *tree = symbol_table_tree_of(t);
	uint32_t i = t->tree.root;

	while (i != SYMBOL_TREE_NONE) {
		struct symbol *s = &t->items[i];

		if (addr < s->start)
			i = tree[i].left;
		else if (symbol_table_reaches(s, addr))
			return s;
		else
			i = tree[i].right;
	}
	return NULL;
}

/* Returns how many symbols begin at @addr or before. */
static size_t symbol_table_count_until(const struct symbol_table *t, uint64_t addr)
{
	return BISECT(i, t->n, t->items[i].start <= addr);
}

void symbol_table_end_before(struct symbol_table *t, uint64_t addr)
{
	size_t n = addr ? symbol_table_count_until(t, addr - 1) : 0;

	if (n && t->items[n - 1].end > addr)
		t->items[n - 1].end = addr;
}

static struct symbol *find_item(struct symbol_table *t, uint64_t addr)
{
	size_t n = symbol_table_count_until(t, addr);

	if (n && t->reach && t->reach[n - 1] > addr)
		return symbol_table_find_in_tree(t, addr);
	return n && symbol_table_reaches(&t->items[n - 1], addr) ? &t->items[n - 1] : NULL;
}

/* Returns symbol @i of the index, which is kept in memory from now on. */
static const struct symbol *load_symbol(struct symbol_table *t, size_t i)
{
	struct symbol *s = shared_map_find(&t->found, i);

	if (s)
		return s;
	pthread_mutex_lock(&t->lock);
	s = shared_map_find(&t->found, i);
	if (!s) {
		s = xmalloc(sizeof(*s));
		*s = symbol_index_at(&t->index, i);
		s->start += t->distance;
		s->end += t->distance;
		s->is_pretty = !t->pretty;
		symbol_table_prettify(t, s);
		shared_map_put(&t->found, i, s);
	}
	pthread_mutex_unlock(&t->lock);
	return s;
}

static const struct symbol *load_found(struct symbol_table *t, size_t i)
{
	return i == SYMBOL_INDEX_NONE ? NULL : load_symbol(t, i);
}

bool symbol_table_start(const struct symbol_table *t, uint64_t *ret)
{
	size_t n = t->is_indexed ? t->index.n : t->n;

	if (n)
		*ret = t->is_indexed ? t->index.starts[0] + t->distance : t->items[0].start;
	return n;
}

const struct symbol *symbol_table_find(struct symbol_table *t, uint64_t addr)
{
	struct symbol *s;

	if (t->is_indexed)
		return load_found(t, symbol_index_find(&t->index, addr - t->distance));
	s = find_item(t, addr);
	return s ? pretty_symbol(t, s) : NULL;
}

const struct symbol *symbol_table_find_called(struct symbol_table *t, uint64_t addr)
{
	size_t n;

	if (t->is_indexed)
		return load_found(t, symbol_index_find_called(&t->index, addr - t->distance));
	n = symbol_table_count_until(t, addr);
	if (n && t->items[n - 1].start == addr)
		return pretty_symbol(t, &t->items[n - 1]);
	return symbol_table_find(t, addr);
}

const struct symbol *symbol_table_find_name(struct symbol_table *t, const char *name)
{
	if (t->is_indexed)
		return load_found(t, symbol_index_find_name(&t->index, name));
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->items[i].name, name))
			return &t->items[i];
	return NULL;
}
