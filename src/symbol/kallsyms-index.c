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
#include "symbol/table.h"

/* The last byte is the version of the layout. In the other byte order it is another number. */
#define MAGIC UINT64_C(0x7065726673796d02)

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
	struct guarded_map *map;
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

static uint64_t kallsyms_index_size_of(const struct kallsyms_index_header *h)
{
	return sizeof(*h) + h->n_tables * sizeof(struct kallsyms_index_table) +
	       (uint64_t)h->n_symbols * (sizeof(uint64_t) + sizeof(uint32_t) + sizeof(char)) +
	       h->text_size + sizeof(uint64_t);
}

void kallsyms_index_free(struct kallsyms_index *x)
{
	if (!x)
		return;
	guarded_map_free(x->map);
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

/* The arrays of an index that is being written. */
struct kallsyms_index_draft {
	struct kallsyms_index_header header;
	struct bytes tables, starts, names, bindings, text;
};

static void kallsyms_index_draft_done(struct kallsyms_index_draft *d)
{
	bytes_done(&d->tables);
	bytes_done(&d->starts);
	bytes_done(&d->names);
	bytes_done(&d->bindings);
	bytes_done(&d->text);
}

static uint32_t kallsyms_index_add_text(struct kallsyms_index_draft *d, const char *text)
{
	uint32_t at = (uint32_t)d->text.n;

	bytes_add(&d->text, text, strlen(text) + 1);
	return at;
}

static int kallsyms_index_add_part(struct kallsyms_index_draft *d, const struct kallsyms_part *p)
{
	const struct symbol_table *t = p->table;
	struct kallsyms_index_table row = { .first = d->header.n_symbols, .n = (uint32_t)t->n };

	for (size_t i = 0; i < t->n; i++) {
		const struct symbol *s = &t->items[i];
		uint32_t name = kallsyms_index_add_text(d, s->name);

		if (i + 1 < t->n && s->end != s[1].start)
			return -EINVAL;
		bytes_add(&d->starts, &s->start, sizeof(s->start));
		bytes_add(&d->names, &name, sizeof(name));
		bytes_add(&d->bindings, &s->binding, sizeof(s->binding));
	}
	row.end = t->n ? t->items[t->n - 1].end : 0;
	row.name = kallsyms_index_add_text(d, p->name);
	bytes_add(&d->tables, &row, sizeof(row));
	d->header.n_symbols += row.n;
	d->header.n_tables++;
	return d->text.n < SIZE_LIMIT / 2 ? 0 : -EFBIG;
}

static void kallsyms_index_join(const struct kallsyms_index_draft *d, struct bytes *out)
{
	const struct bytes *const arrays[] = { &d->tables, &d->starts, &d->names, &d->bindings,
					       &d->text };
	uint64_t magic = MAGIC;

	bytes_add(out, &d->header, sizeof(d->header));
	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++)
		bytes_add(out, arrays[i]->data, arrays[i]->n);
	bytes_add(out, &magic, sizeof(magic));
}

int kallsyms_index_save(const char *path, const struct stat *source,
			const struct kallsyms_contents *c)
{
	_cleanup_(kallsyms_index_draft_done) struct kallsyms_index_draft d = {
		.header = { .magic = MAGIC,
			    .source_size = (uint64_t)source->st_size,
			    .source_mtime_ns = mtime_ns(source) },
	};
	_cleanup_(bytes_done) struct bytes whole = { 0 };
	int r = 0;

	memcpy(d.header.references, c->references, sizeof(c->references));
	kallsyms_index_add_text(&d, "");
	for (size_t i = 0; i < c->n && r >= 0; i++)
		r = kallsyms_index_add_part(&d, &c->parts[i]);
	if (r < 0)
		return r;
	d.header.text_size = (uint32_t)d.text.n;
	kallsyms_index_join(&d, &whole);
	return output_file_replace(path, whole.data, whole.n, 0644);
}
