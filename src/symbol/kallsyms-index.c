/* SPDX-License-Identifier: MIT */
#include "symbol/kallsyms-index.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/guarded-map.h"
#include "base/input-file.h"
#include "base/memory.h"
#include "base/output-file.h"

/* The last byte is the version of the layout. In the other byte order it is another number. */
#define MAGIC UINT64_C(0x7065726673796d03)

/* A few hundred modules are loaded at a time; a list of 20 MB makes an index of 10 MB. */
#define TABLES_MAX 4096
#define SIZE_LIMIT (UINT64_C(256) << 20)

/* The number of places that are checked to see whether the file has its content. */
#define PROBES 64

/*
 * Layout of the file: this header; tables[]; starts[], names[] and bindings[] of all symbols, by
 * table; text; MAGIC again.
 */
struct kallsyms_index_header {
	uint64_t magic;
	uint64_t source_size, source_mtime_ns;
	uint64_t references[KALLSYMS_REFERENCES];
	uint32_t n_tables, n_symbols, text_size, padding;
};

struct kallsyms_index_table {
	uint64_t end; /* the end of its last symbol */
	uint32_t first, n;
	uint32_t name; /* offset in the text */
	uint32_t padding;
};

struct kallsyms_index {
	struct guarded_map *map; /* the file that has it; NULL: it owns the memory below */
	uint8_t *own;            /* everything before the text, as in the file */
	char *own_text;
	const struct kallsyms_index_header *header;
	const struct kallsyms_index_table *tables;
	struct symbol_index all;
};

const char *kallsyms_reference_name(size_t i)
{
	static const char *const names[KALLSYMS_REFERENCES] = {
		"_text",
		"_stext",
		"__sched_text_start",
		"__sched_text_end",
		"__lock_text_start",
		"__lock_text_end",
	};

	return names[i];
}

static uint64_t mtime_ns(const struct stat *st)
{
	return (uint64_t)st->st_mtim.tv_sec * 1000000000 + (uint64_t)st->st_mtim.tv_nsec;
}

/* Returns the size of everything before the text. */
static uint64_t kallsyms_index_head_size(const struct kallsyms_index_header *h)
{
	return sizeof(*h) + h->n_tables * sizeof(struct kallsyms_index_table) +
	       (uint64_t)h->n_symbols * (sizeof(uint64_t) + sizeof(uint32_t) + sizeof(char));
}

static uint64_t kallsyms_index_size_of(const struct kallsyms_index_header *h)
{
	return kallsyms_index_head_size(h) + h->text_size + sizeof(uint64_t);
}

void kallsyms_index_free(struct kallsyms_index *x)
{
	if (!x)
		return;
	guarded_map_free(x->map);
	free(x->own);
	free(x->own_text);
	free(x);
}

static bool is_plausible(const struct kallsyms_index_header *h, uint64_t size)
{
	return h->magic == MAGIC && h->n_tables && h->n_tables <= TABLES_MAX && h->text_size &&
	       kallsyms_index_size_of(h) == size;
}

/* Finds the arrays. The header has been checked: all arrays are within the file. */
static void kallsyms_index_find_arrays(struct kallsyms_index *x, const uint8_t *bytes)
{
	size_t n = x->header->n_symbols;

	x->tables =
		(const struct kallsyms_index_table *)(bytes + sizeof(struct kallsyms_index_header));
	x->all.starts = (const uint64_t *)(x->tables + x->header->n_tables);
	x->all.names = (const uint32_t *)(x->all.starts + n);
	x->all.bindings = (const char *)(x->all.names + n);
	x->all.n = n;
	x->all.text = x->all.bindings + n;
	x->all.text_size = x->header->text_size;
}

static bool tables_fit(const struct kallsyms_index *x)
{
	for (size_t i = 0; i < x->header->n_tables; i++) {
		const struct kallsyms_index_table *t = &x->tables[i];

		if (t->first > x->all.n || t->n > x->all.n - t->first ||
		    t->name >= x->all.text_size)
			return false;
	}
	return true;
}

/*
 * True if the file has its content. After a power failure a file may have the right size without
 * it.
 */
static bool has_contents(const struct kallsyms_index *x)
{
	const struct kallsyms_index_table *kernel = &x->tables[0];
	uint64_t magic;

	memcpy(&magic, x->all.text + x->all.text_size, sizeof(magic));
	if (magic != MAGIC || x->all.text[x->all.text_size - 1])
		return false;
	for (size_t i = 1; i < PROBES && kernel->n > PROBES; i++) {
		size_t at = kernel->first + kernel->n / PROBES * i;

		if (x->all.starts[at] <= x->all.starts[at - 1] || !x->all.names[at])
			return false;
	}
	return true;
}

static int kallsyms_index_check(struct kallsyms_index *x, uint64_t size, const struct stat *source)
{
	const uint8_t *bytes = guarded_map_bytes(x->map);

	x->header = (const struct kallsyms_index_header *)bytes;
	if (!is_plausible(x->header, size))
		return -EBADMSG;
	if (x->header->source_size != (uint64_t)source->st_size ||
	    x->header->source_mtime_ns != mtime_ns(source))
		return -ESTALE;
	kallsyms_index_find_arrays(x, bytes);
	return tables_fit(x) && has_contents(x) ? 0 : -EBADMSG;
}

int kallsyms_index_open(const char *path, const struct stat *source, struct kallsyms_index **ret)
{
	_cleanup_(kallsyms_index_freep) struct kallsyms_index *x = NULL;
	struct stat st;
	_cleanup_(closep) int found = input_file_find(path, O_NOFOLLOW, &st);
	_cleanup_(closep) int fd = found < 0 ? found : input_file_reopen(found, path);
	int r;

	if (fd < 0)
		return fd;
	/* A file of another user may change while it is in use. */
	if (st.st_uid != source->st_uid)
		return -EPERM;
	if ((uint64_t)st.st_size < sizeof(struct kallsyms_index_header) ||
	    (uint64_t)st.st_size > SIZE_LIMIT)
		return -EBADMSG;
	x = xcalloc(1, sizeof(*x));
	r = guarded_map_new(fd, (uint64_t)st.st_size, &x->map);
	if (r >= 0)
		r = kallsyms_index_check(x, (uint64_t)st.st_size, source);
	if (r < 0)
		return r;
	/* Most of the data that was checked is never used. */
	guarded_map_drop(x->map, 0, (uint64_t)st.st_size);
	*ret = TAKE(x);
	return r;
}

size_t kallsyms_index_count(const struct kallsyms_index *x)
{
	return x->header->n_tables;
}

struct symbol_index kallsyms_index_table(const struct kallsyms_index *x, size_t i,
					 const char **ret_name)
{
	const struct kallsyms_index_table *t = &x->tables[i];
	struct symbol_index view = x->all;

	view.starts += t->first;
	view.names += t->first;
	view.bindings += t->first;
	view.n = t->n;
	view.end = t->end;
	*ret_name = x->all.text + t->name;
	return view;
}

uint64_t kallsyms_index_reference(const struct kallsyms_index *x, size_t i)
{
	return x->header->references[i];
}

/* Memory that is not used is not touched; an array that grew would leave holes behind. */
void kallsyms_draft_init(struct kallsyms_draft *d)
{
	const size_t usual_symbols = 256 << 10, usual_name = 32;

	*d = (struct kallsyms_draft){ 0 };
	d->items = array_reserve(NULL, &d->room, usual_symbols, sizeof(d->items[0]));
	d->text.data = array_reserve(NULL, &d->text.room, usual_symbols * usual_name, 1);
	kallsyms_draft_add_table(d, "", 0);
}

void kallsyms_draft_done(struct kallsyms_draft *d)
{
	free(d->items);
	bytes_done(&d->text);
	bytes_done(&d->tables);
}

static uint32_t kallsyms_draft_add_name(struct kallsyms_draft *d, const char *name, size_t length)
{
	uint32_t at = (uint32_t)d->text.n;

	bytes_add(&d->text, name, length);
	bytes_u8(&d->text, '\0');
	return at;
}

uint32_t kallsyms_draft_add_table(struct kallsyms_draft *d, const char *name, size_t length)
{
	uint32_t at = kallsyms_draft_add_name(d, name, length);

	bytes_u32(&d->tables, at);
	return at;
}

void kallsyms_draft_add(struct kallsyms_draft *d, uint32_t table, uint64_t addr, const char *name,
			size_t length, char binding)
{
	*ARRAY_ADD(d) = (struct kallsyms_symbol){
		.addr = addr,
		.name = kallsyms_draft_add_name(d, name, length),
		.table = (uint16_t)table,
		.binding = binding,
	};
}

/* Compares by table, address and order in the list. */
static int kallsyms_symbol_compare(const void *a, const void *b)
{
	const struct kallsyms_symbol *x = a, *y = b;

	if (x->table != y->table)
		return x->table < y->table ? -1 : 1;
	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static bool kallsyms_draft_is_sorted(const struct kallsyms_draft *d)
{
	for (size_t i = 1; i < d->n; i++)
		if (kallsyms_symbol_compare(&d->items[i - 1], &d->items[i]) > 0)
			return false;
	return true;
}

/* Sorts, and keeps the last of those that share an address, as Linux's perf does. */
static void kallsyms_draft_settle(struct kallsyms_draft *d)
{
	size_t n = 0;

	if (!kallsyms_draft_is_sorted(d))
		qsort(d->items, d->n, sizeof(d->items[0]), kallsyms_symbol_compare);
	for (size_t i = 0; i < d->n; i++) {
		const struct kallsyms_symbol *s = &d->items[i];

		if (n && d->items[n - 1].table == s->table && d->items[n - 1].addr == s->addr)
			n--;
		d->items[n++] = *s;
	}
	d->n = n;
}

/* Returns the end of the page after that of the symbol, with which a list ends. */
static uint64_t kallsyms_last_end(uint64_t start)
{
	const uint64_t page = 4096;

	return (start + 2 * page - 1) & ~(page - 1);
}

/* Fills the arrays of @x, which has the memory for them, with the settled symbols of @d. */
static void kallsyms_index_fill(struct kallsyms_index *x, const struct kallsyms_draft *d)
{
	struct kallsyms_index_table *tables =
		(struct kallsyms_index_table *)(x->own + sizeof(*x->header));
	uint64_t *starts = (uint64_t *)(tables + x->header->n_tables);
	uint32_t *names = (uint32_t *)(starts + d->n);
	char *bindings = (char *)(names + d->n);

	for (size_t i = 0; i < x->header->n_tables; i++)
		memcpy(&tables[i].name, d->tables.data + i * sizeof(uint32_t), sizeof(uint32_t));
	for (size_t i = 0; i < d->n; i++) {
		const struct kallsyms_symbol *s = &d->items[i];
		struct kallsyms_index_table *t = &tables[s->table];

		starts[i] = s->addr;
		names[i] = s->name;
		bindings[i] = (char)(s->binding | SYMBOL_INDEX_GUESSED);
		if (!t->n++)
			t->first = (uint32_t)i;
		t->end = kallsyms_last_end(s->addr);
	}
}

struct kallsyms_index *kallsyms_index_new(struct kallsyms_draft *d)
{
	struct kallsyms_index *x = xcalloc(1, sizeof(*x));
	struct kallsyms_index_header h = { .magic = MAGIC };

	kallsyms_draft_settle(d);
	memcpy(h.references, d->references, sizeof(h.references));
	h.n_tables = (uint32_t)(d->tables.n / sizeof(uint32_t));
	h.n_symbols = (uint32_t)d->n;
	h.text_size = (uint32_t)d->text.n;
	x->own = xcalloc(1, kallsyms_index_head_size(&h));
	memcpy(x->own, &h, sizeof(h));
	x->header = (const struct kallsyms_index_header *)x->own;
	kallsyms_index_fill(x, d);
	kallsyms_index_find_arrays(x, x->own);
	x->own_text = xrealloc(TAKE(d->text.data), d->text.n);
	x->all.text = x->own_text;
	kallsyms_draft_done(d);
	*d = (struct kallsyms_draft){ 0 };
	return x;
}

int kallsyms_index_save(const struct kallsyms_index *x, const char *path, const struct stat *source)
{
	struct kallsyms_index_header h = *x->header;
	_cleanup_(bytes_done) struct bytes whole = { 0 };

	h.source_size = (uint64_t)source->st_size;
	h.source_mtime_ns = mtime_ns(source);
	bytes_add(&whole, &h, sizeof(h));
	bytes_add(&whole, x->own + sizeof(h), kallsyms_index_head_size(&h) - sizeof(h));
	bytes_add(&whole, x->own_text, h.text_size);
	bytes_u64(&whole, MAGIC);
	return output_file_replace(path, whole.data, whole.n, 0644);
}
