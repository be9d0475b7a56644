/* SPDX-License-Identifier: MIT */
/* The layout of the file: struct type_answers_head; rows[], by address; types[]; fields[]; text. */
#include "code/types/type-answers.h"

#include <stdlib.h>

#include "base/bisect.h"
#include "base/bytes.h"
#include "base/memory.h"
#include "base/text-block.h"

/* This number of answers takes some 24 MB. */
#define ANSWERS_MAX 1000000

struct type_answers_head {
	uint64_t n_rows, n_types, n_fields, text_size;
};

struct type_row {
	uint64_t link, offset;
	uint32_t type; /* its number; 0: none */
	uint8_t status, is_followed, preceding, size;
};

/* True if the arrays make up the whole file, and the text is terminated. */
static bool type_answers_is_sound(const struct sealed_file *f)
{
	const struct type_answers_head *h = f->bytes;

	return f->size >= sizeof(*h) && h->n_rows < f->size && h->n_types < f->size &&
	       h->n_fields < f->size && h->text_size && h->text_size < f->size &&
	       sizeof(*h) + h->n_rows * sizeof(struct type_row) + h->n_types * KEPT_TYPE_SIZE +
			       h->n_fields * KEPT_FIELD_SIZE + h->text_size ==
		       f->size &&
	       !((const char *)f->bytes)[f->size - 1];
}

void type_answers_open(struct type_answers *a, const char *path, uint64_t identity)
{
	const struct type_answers_head *h;
	const char *types, *fields;

	if (sealed_file_open(path, TYPE_ANSWERS_KIND, identity, &a->file) < 0)
		return;
	if (!type_answers_is_sound(&a->file)) {
		sealed_file_done(&a->file);
		return;
	}
	h = a->file.bytes;
	a->rows = (const struct type_row *)(h + 1);
	a->n = h->n_rows;
	types = (const char *)(a->rows + a->n);
	fields = types + h->n_types * KEPT_TYPE_SIZE;
	kept_types_init(&a->types, types, h->n_types, fields, h->n_fields,
			fields + h->n_fields * KEPT_FIELD_SIZE, h->text_size);
}

void type_answers_done(struct type_answers *a)
{
	kept_types_done(&a->types);
	sealed_file_done(&a->file);
	free(a->added.items);
	*a = (struct type_answers){ 0 };
}

/* True if an answer may be kept. Answers that depend on files that may still appear are not. */
static bool is_keepable(unsigned status)
{
	return status < N_ACCESS_STATUS && status != ACCESS_NO_SYMBOL &&
	       status != ACCESS_NO_DEBUGINFO;
}

/* Gives the answer of row @r; false: it is invalid. */
static bool type_answers_answer_of(struct type_answers *a, const struct type_row *r,
				   struct type_answer *ret)
{
	const struct c_type *type = kept_types_get(&a->types, r->type);

	if (!is_keepable(r->status) || (r->status == ACCESS_TYPED) != (type != NULL))
		return false;
	*ret = (struct type_answer){
		.link = r->link,
		.status = (enum access_status)r->status,
		.is_followed = r->is_followed,
		.type = type,
		.offset = r->offset,
		.preceding = r->preceding,
		.size = r->size,
	};
	return true;
}

bool type_answers_find(struct type_answers *a, uint64_t link, struct type_answer *ret)
{
	size_t i = BISECT(k, a->n, a->rows[k].link < link);

	return i < a->n && a->rows[i].link == link && type_answers_answer_of(a, &a->rows[i], ret);
}

void type_answers_add(struct type_answers *a, const struct type_answer *answer)
{
	if (a->n + a->added.n < ANSWERS_MAX && is_keepable(answer->status))
		*ARRAY_ADD(&a->added) = *answer;
}

/* The parts of a file that is being written. */
struct type_answers_draft {
	struct bytes rows;
	struct text_block text;
	struct types_draft types;
};

static void type_answers_draft_done(struct type_answers_draft *d)
{
	bytes_done(&d->rows);
	types_draft_done(&d->types);
	text_block_done(&d->text);
}

static void type_answers_add_answer(struct type_answers_draft *d, const struct type_answer *a)
{
	struct type_row row = {
		.link = a->link,
		.offset = a->offset,
		.type = types_draft_add(&d->types, a->type),
		.status = (uint8_t)a->status,
		.is_followed = a->is_followed,
		.preceding = a->preceding,
		.size = a->size,
	};

	if ((a->status == ACCESS_TYPED) == (row.type != 0))
		bytes_add(&d->rows, &row, sizeof(row));
}

static int type_answers_by_link(const void *a, const void *b)
{
	const struct type_answer *x = a, *y = b;

	return (x->link > y->link) - (x->link < y->link);
}

/* Adds the answers of the file that have an address below @end, and are not yet added. */
static void type_answers_add_kept(struct type_answers_draft *d, struct type_answers *a, size_t *at,
				  uint64_t end)
{
	struct type_answer kept;

	for (; *at < a->n && a->rows[*at].link < end; ++*at)
		if (type_answers_answer_of(a, &a->rows[*at], &kept))
			type_answers_add_answer(d, &kept);
	if (*at < a->n && a->rows[*at].link == end)
		++*at;
}

/* Adds the answers of the file and the new ones, in order, each address once. */
static void type_answers_add_all(struct type_answers_draft *d, struct type_answers *a)
{
	size_t at = 0;

	qsort(a->added.items, a->added.n, sizeof(a->added.items[0]), type_answers_by_link);
	for (size_t i = 0; i < a->added.n; i++) {
		if (i && a->added.items[i - 1].link == a->added.items[i].link)
			continue;
		type_answers_add_kept(d, a, &at, a->added.items[i].link);
		type_answers_add_answer(d, &a->added.items[i]);
	}
	type_answers_add_kept(d, a, &at, UINT64_MAX);
}

int type_answers_write(struct type_answers *a, const char *path, uint64_t identity)
{
	_cleanup_(type_answers_draft_done) struct type_answers_draft d = {
		.types = { .text = &d.text }
	};
	_cleanup_(bytes_done) struct bytes whole = { 0 };
	struct type_answers_head h;

	if (!a->added.n)
		return 0;
	text_block_init(&d.text);
	type_answers_add_all(&d, a);
	h = (struct type_answers_head){ d.rows.n / sizeof(struct type_row),
					d.types.types.n / KEPT_TYPE_SIZE,
					d.types.fields.n / KEPT_FIELD_SIZE, d.text.bytes.n };
	bytes_add(&whole, &h, sizeof(h));
	bytes_add(&whole, d.rows.data, d.rows.n);
	bytes_add(&whole, d.types.types.data, d.types.types.n);
	bytes_add(&whole, d.types.fields.data, d.types.fields.n);
	bytes_add(&whole, d.text.bytes.data, d.text.bytes.n);
	return sealed_file_write(path, TYPE_ANSWERS_KIND, identity, whole.data, whole.n);
}
