/* SPDX-License-Identifier: MIT */
/*
 * The file: struct kept_symbols_head; starts[], ends[]; if symbols overlap reach[] and tree[];
 * names[], bindings[]; text.
 */
#include "symbol/kept-symbols.h"

#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "base/sealed-file.h"
#include "symbol/table.h"

/* About 2,000 symbols are read in the time that opening a file takes. */
#define WORTH_KEEPING 2000

struct kept_symbols_head {
	uint64_t n, text_size;
	uint32_t root; /* the root of the tree */
	uint32_t has_tree;
};

static uint64_t kept_symbols_size_of(const struct kept_symbols_head *h)
{
	uint64_t one = 2 * sizeof(uint64_t) + sizeof(uint32_t) + sizeof(char);

	if (h->has_tree)
		one += sizeof(uint64_t) + sizeof(struct symbol_children);
	return sizeof(*h) + h->n * one + h->text_size;
}

/* True if the arrays fill the whole file, and the text is terminated. */
static bool kept_symbols_is_sound(const struct sealed_file *f)
{
	const struct kept_symbols_head *h = f->bytes;

	return f->size >= sizeof(*h) && h->n && h->n < f->size && h->text_size &&
	       h->text_size < f->size && kept_symbols_size_of(h) == f->size &&
	       !((const char *)f->bytes)[f->size - 1];
}

static struct symbol_index kept_symbols_view_of(const struct kept_symbols_head *h)
{
	struct symbol_index x = { .n = h->n, .text_size = h->text_size, .root = h->root };

	x.starts = (const uint64_t *)(h + 1);
	x.ends = x.starts + h->n;
	x.names = (const uint32_t *)(x.ends + h->n);
	if (h->has_tree) {
		x.reach = x.ends + h->n;
		x.tree = (const struct symbol_children *)(x.reach + h->n);
		x.names = (const uint32_t *)(x.tree + h->n);
	}
	x.bindings = (const char *)(x.names + h->n);
	x.text = x.bindings + h->n;
	return x;
}

int kept_symbols_open(const char *path, uint64_t identity, struct symbol_table *t)
{
	struct sealed_file f;
	int r = sealed_file_open(path, KEPT_SYMBOLS_KIND, identity, &f);

	if (r < 0)
		return r;
	if (!kept_symbols_is_sound(&f)) {
		sealed_file_done(&f);
		return -EBADMSG;
	}

	struct symbol_index view = kept_symbols_view_of(f.bytes);

	symbol_table_take_index(t, &view, f);
	return 0;
}

/* Adds space for @n numbers of @size bytes. */
static void *add_room(struct bytes *out, size_t n, size_t size)
{
	bytes_zero(out, n * size);
	return out->data + out->n - n * size;
}

static void add_addresses(const struct symbol_table *t, struct bytes *out)
{
	uint64_t *to = add_room(out, 2 * t->n, sizeof(to[0]));

	for (size_t i = 0; i < t->n; i++) {
		to[i] = t->items[i].start;
		to[t->n + i] = t->items[i].end;
	}
}

/* Adds the tree; returns its root. */
static uint32_t kept_symbols_add_tree(struct symbol_table *t, struct bytes *out)
{
	uint32_t root;
	const struct symbol_children *tree = symbol_table_tree(t, &root);

	bytes_add(out, t->reach, t->n * sizeof(t->reach[0]));
	bytes_add(out, tree, t->n * sizeof(tree[0]));
	return root;
}

/* Adds the offsets of the names, the bindings, and the names; returns the size of the names. */
static uint64_t kept_symbols_add_names(const struct symbol_table *t, struct bytes *out)
{
	size_t places = out->n, bindings = places + t->n * sizeof(uint32_t);
	size_t text = bindings + t->n;

	add_room(out, text - places, 1);
	for (size_t i = 0; i < t->n; i++) {
		uint32_t at = (uint32_t)(out->n - text);

		memcpy(out->data + places + i * sizeof(at), &at, sizeof(at));
		out->data[bindings + i] =
			(uint8_t)(t->items[i].binding |
				  (t->items[i].is_guessed ? SYMBOL_INDEX_GUESSED : 0));
		bytes_add(out, t->items[i].name, strlen(t->items[i].name) + 1);
	}
	return out->n - text;
}

int kept_symbols_write(const char *path, uint64_t identity, struct symbol_table *t)
{
	struct kept_symbols_head h = { .n = t->n, .has_tree = t->reach != NULL };
	_cleanup_(bytes_done) struct bytes out = { 0 };

	if (t->n < WORTH_KEEPING)
		return 0;
	bytes_add(&out, &h, sizeof(h));
	add_addresses(t, &out);
	if (h.has_tree)
		h.root = kept_symbols_add_tree(t, &out);
	h.text_size = kept_symbols_add_names(t, &out);
	if (h.text_size > UINT32_MAX)
		return 0;
	memcpy(out.data, &h, sizeof(h));
	return sealed_file_write(path, KEPT_SYMBOLS_KIND, identity, out.data, out.n);
}
