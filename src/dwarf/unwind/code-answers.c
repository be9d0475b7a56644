/* SPDX-License-Identifier: MIT */
/*
 * The layout of the file: rows of 8 bytes in order, each with the offset, the query and the answer.
 */
#include "dwarf/unwind/code-answers.h"

#include <stdlib.h>

#include "base/bisect.h"
#include "base/bytes.h"
#include "base/memory.h"

/* This number of answers takes some 4 MB. */
#define ANSWERS_MAX 500000

#define OFFSET_LIMIT (UINT64_C(1) << 60)

/* Returns a row without its answer, which is the lowest bit. */
static uint64_t code_answers_row_of(uint64_t offset, enum code_question q)
{
	return offset << 3 | (uint64_t)q << 1;
}

void code_answers_open(struct code_answers *a, const char *path, uint64_t identity)
{
	if (sealed_file_open(path, CODE_ANSWERS_KIND, identity, &a->file) < 0)
		return;
	a->rows = a->file.bytes;
	a->n = a->file.size / sizeof(a->rows[0]);
}

void code_answers_done(struct code_answers *a)
{
	sealed_file_done(&a->file);
	free(a->added.items);
}

bool code_answers_find(const struct code_answers *a, uint64_t offset, enum code_question q,
		       bool *ret)
{
	uint64_t row = code_answers_row_of(offset, q);
	size_t i = BISECT(k, a->n, a->rows[k] < row);

	if (i >= a->n || offset >= OFFSET_LIMIT || (a->rows[i] & ~UINT64_C(1)) != row)
		return false;
	*ret = a->rows[i] & 1;
	return true;
}

void code_answers_add(struct code_answers *a, uint64_t offset, enum code_question q, bool answer)
{
	if (a->n + a->added.n < ANSWERS_MAX && offset < OFFSET_LIMIT)
		*ARRAY_ADD(&a->added) = code_answers_row_of(offset, q) | answer;
}

static int by_row(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int code_answers_write(struct code_answers *a, const char *path, uint64_t identity)
{
	_cleanup_(bytes_done) struct bytes all = { 0 };
	size_t i = 0;

	if (a->added.n < CODE_ANSWERS_WORTH_KEEPING)
		return 0;
	qsort(a->added.items, a->added.n, sizeof(a->added.items[0]), by_row);
	for (size_t k = 0; k < a->added.n; k++) {
		for (; i < a->n && a->rows[i] < a->added.items[k]; i++)
			bytes_add(&all, &a->rows[i], sizeof(a->rows[i]));
		bytes_add(&all, &a->added.items[k], sizeof(a->added.items[k]));
	}
	if (i < a->n)
		bytes_add(&all, &a->rows[i], (a->n - i) * sizeof(a->rows[0]));
	return sealed_file_write(path, CODE_ANSWERS_KIND, identity, all.data, all.n);
}
