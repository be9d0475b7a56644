/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What DWARF said about addresses, kept in a file (base/sealed-file.h) for the next run: which
 * functions are inlined there, and where they are called. An address that was asked for before is
 * answered without opening the DWARF, which may have to be decompressed and takes longer than
 * everything else.
 *
 * Addresses are link addresses, so that they are the same wherever an image is loaded. One thread
 * at a time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/sealed-file.h"

/* The last byte is the version of the layout. */
#define SOURCE_ANSWERS_KIND UINT64_C(0x616e737765727302)

/* A function that contains the address. */
struct answer_frame {
	const char *name; /* mangled, as DWARF has it; NULL: unknown */
	const char *file; /* of the address, or, for all but the first, of the inlined call */
	uint32_t line;
};

/* Innermost first; the last was not inlined. Without frames nothing is known of the address. */
struct source_answer {
	uint64_t link;
	uint64_t start, end; /* of the last function, where it has the address; 0: unknown */
	const struct answer_frame *frames;
	size_t n;
};

struct answer_row;

/* `{ 0 }` has none. */
struct source_answers {
	struct sealed_file file;
	const struct answer_row *rows; /* of the file, by address */
	size_t n;
	struct arena arena;
	struct {
		struct source_answer *items;
		size_t n, room;
	} added;
};

/* Opens those at @path that were made from what @identity says. Without them @a stays empty. */
void source_answers_open(struct source_answers *a, const char *path, uint64_t identity);
void source_answers_done(struct source_answers *a);

/* Finds the answer for @link in the file; its frames live as long as @a. */
bool source_answers_find(struct source_answers *a, uint64_t link, struct source_answer *ret);

/* Adds a new one. Its frames and their texts must outlive the writing. */
void source_answers_add(struct source_answers *a, const struct source_answer *answer);

/* Writes all of them to @path, if any were added. */
int source_answers_write(struct source_answers *a, const char *path, uint64_t identity);
