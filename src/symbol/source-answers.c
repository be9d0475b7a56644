/* SPDX-License-Identifier: MIT */
/*
 * The file: struct source_answers_head; rows[], by address; frames[]; text.
 */
#include "symbol/source-answers.h"

#include <stdlib.h>

#include "base/bisect.h"
#include "base/bytes.h"
#include "base/memory.h"
#include "base/text-block.h"

/* About 20 MB. Programs have more addresses, but not all of them are looked up. */
#define ANSWERS_MAX 200000

struct source_answers_head {
	uint64_t n_rows, n_frames, text_size;
};

struct answer_row {
	uint64_t link, start, end;
	uint32_t first, n; /* index and number of its frames */
};

/* A frame in the file. Texts are offsets; 0: none. */
struct kept_frame {
	uint32_t name, file, line;
};

static const struct source_answers_head *source_answers_head_of(const struct source_answers *a)
{
	return a->file.bytes;
}

static const struct kept_frame *source_answers_frames_of(const struct source_answers *a)
{
	return (const struct kept_frame *)(a->rows + a->n);
}

static const char *source_answers_text_at(const struct source_answers *a, uint32_t at)
{
	const char *text =
		(const char *)(source_answers_frames_of(a) + source_answers_head_of(a)->n_frames);

	return text_block_at(text, source_answers_head_of(a)->text_size, at);
}

/* True if the arrays fill the whole file, and the text is terminated. */
static bool source_answers_is_sound(const struct sealed_file *f)
{
	const struct source_answers_head *h = f->bytes;

	return f->size >= sizeof(*h) && h->n_rows < f->size && h->n_frames < f->size &&
	       h->text_size && h->text_size < f->size &&
	       sizeof(*h) + h->n_rows * sizeof(struct answer_row) +
			       h->n_frames * sizeof(struct kept_frame) + h->text_size ==
		       f->size &&
	       !((const char *)f->bytes)[f->size - 1];
}

void source_answers_open(struct source_answers *a, const char *path, uint64_t identity)
{
	if (sealed_file_open(path, SOURCE_ANSWERS_KIND, identity, &a->file) < 0)
		return;
	if (!source_answers_is_sound(&a->file)) {
		sealed_file_done(&a->file);
		return;
	}
	a->rows = (const struct answer_row *)(source_answers_head_of(a) + 1);
	a->n = source_answers_head_of(a)->n_rows;
}

void source_answers_done(struct source_answers *a)
{
	sealed_file_done(&a->file);
	arena_done(&a->arena);
	free(a->added.items);
}

/* Gets the answer of row @r; false: its frames are not in the file. */
static bool source_answers_answer_of(struct source_answers *a, const struct answer_row *r,
				     struct source_answer *ret)
{
	const struct kept_frame *kept = source_answers_frames_of(a);
	struct answer_frame *frames;

	if (r->n > source_answers_head_of(a)->n_frames ||
	    r->first > source_answers_head_of(a)->n_frames - r->n)
		return false;
	frames = arena_alloc(&a->arena, r->n * sizeof(frames[0]));
	for (size_t i = 0; i < r->n; i++) {
		const struct kept_frame *k = &kept[r->first + i];

		frames[i] = (struct answer_frame){ source_answers_text_at(a, k->name),
						   source_answers_text_at(a, k->file), k->line };
	}
	*ret = (struct source_answer){ r->link, r->start, r->end, frames, r->n };
	return true;
}

bool source_answers_find(struct source_answers *a, uint64_t link, struct source_answer *ret)
{
	size_t i = BISECT(k, a->n, a->rows[k].link < link);

	return i < a->n && a->rows[i].link == link && source_answers_answer_of(a, &a->rows[i], ret);
}

void source_answers_add(struct source_answers *a, const struct source_answer *answer)
{
	if (a->n + a->added.n < ANSWERS_MAX)
		*ARRAY_ADD(&a->added) = *answer;
}

/* The parts of a file that is being written. */
struct source_answers_draft {
	struct bytes rows, frames;
	struct text_block text;
};

static void source_answers_draft_done(struct source_answers_draft *d)
{
	bytes_done(&d->rows);
	bytes_done(&d->frames);
	text_block_done(&d->text);
}

static void source_answers_add_answer(struct source_answers_draft *d, const struct source_answer *a)
{
	struct answer_row row = { .link = a->link,
				  .start = a->start,
				  .end = a->end,
				  .first = (uint32_t)(d->frames.n / sizeof(struct kept_frame)),
				  .n = (uint32_t)a->n };

	bytes_add(&d->rows, &row, sizeof(row));
	for (size_t i = 0; i < a->n; i++) {
		struct kept_frame k = { text_block_add(&d->text, a->frames[i].name),
					text_block_add(&d->text, a->frames[i].file),
					a->frames[i].line };

		bytes_add(&d->frames, &k, sizeof(k));
	}
}

static int source_answers_by_link(const void *a, const void *b)
{
	const struct source_answer *x = a, *y = b;

	return (x->link > y->link) - (x->link < y->link);
}

/* Adds the answers of the file and the new ones, in order. */
static void source_answers_add_all(struct source_answers_draft *d, struct source_answers *a)
{
	struct source_answer kept;
	size_t i = 0;

	qsort(a->added.items, a->added.n, sizeof(a->added.items[0]), source_answers_by_link);
	for (size_t k = 0; k < a->added.n; k++) {
		for (; i < a->n && a->rows[i].link < a->added.items[k].link; i++)
			if (source_answers_answer_of(a, &a->rows[i], &kept))
				source_answers_add_answer(d, &kept);
		source_answers_add_answer(d, &a->added.items[k]);
	}
	for (; i < a->n; i++)
		if (source_answers_answer_of(a, &a->rows[i], &kept))
			source_answers_add_answer(d, &kept);
}

int source_answers_write(struct source_answers *a, const char *path, uint64_t identity)
{
	_cleanup_(source_answers_draft_done) struct source_answers_draft d = { 0 };
	_cleanup_(bytes_done) struct bytes whole = { 0 };
	struct source_answers_head h;

	if (!a->added.n)
		return 0;
	text_block_init(&d.text);
	source_answers_add_all(&d, a);
	h = (struct source_answers_head){ d.rows.n / sizeof(struct answer_row),
					  d.frames.n / sizeof(struct kept_frame), d.text.bytes.n };
	bytes_add(&whole, &h, sizeof(h));
	bytes_add(&whole, d.rows.data, d.rows.n);
	if (d.frames.n)
		bytes_add(&whole, d.frames.data, d.frames.n);
	bytes_add(&whole, d.text.bytes.data, d.text.bytes.n);
	return sealed_file_write(path, SOURCE_ANSWERS_KIND, identity, whole.data, whole.n);
}
