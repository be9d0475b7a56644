/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Answers to queries about the code at an offset of a file, kept in a file (base/sealed-file.h) for
 * the next run: earlier queries are answered without reading CFI or instructions.
 *
 * Any thread may look up answers. Adding is for one thread at a time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sealed-file.h"

enum code_question {
	CODE_IS_LEAF,       /* cfi_rules_is_leaf() */
	CODE_ENDS_HANDLERS, /* cfi_rules_ends_handlers() */
};

/* The last byte is the version of the layout, and of the way in which queries are answered. */
#define CODE_ANSWERS_KIND UINT64_C(0x636f646561736b01)

/* Kept answers. `{ 0 }` has none. */
struct code_answers {
	struct sealed_file file;
	const uint64_t *rows; /* rows of the file, in order */
	size_t n;
	struct {
		uint64_t *items;
		size_t n, room;
	} added;
};

/* Opens the answers at @path that were made for @identity. If there are none, @a stays empty. */
void code_answers_open(struct code_answers *a, const char *path, uint64_t identity);
void code_answers_done(struct code_answers *a);

/* Finds the answer about @offset in the file. */
bool code_answers_find(const struct code_answers *a, uint64_t offset, enum code_question q,
		       bool *ret);

/* Adds a new answer. */
void code_answers_add(struct code_answers *a, uint64_t offset, enum code_question q, bool answer);

/* A smaller number of new answers is soon found again, and not worth a file. */
#define CODE_ANSWERS_WORTH_KEEPING 32

/* Writes all answers to @path, if enough were added. */
int code_answers_write(struct code_answers *a, const char *path, uint64_t identity);
