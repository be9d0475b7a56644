/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Results of DWARF lookups, kept in a file (base/sealed-file.h) for the next run: the functions
 * that are inlined at an address, and where they are called. An address that was looked up before
 * is answered without opening the DWARF, which may have to be decompressed and takes longer than
 * everything else.
 *
 * Addresses are link addresses, so they are the same wherever an image is loaded. One thread at a
 * time may use this.
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
	const char *name; /* mangled, as in DWARF; NULL: unknown */
	const char *file; /* the address's; for all but the first, the inlined call's */
	uint32_t line;
};

/*
 * An answer. Frames are innermost first; the last was not inlined. Without frames nothing is known
 * about the address.
 */
struct source_answer {
	uint64_t link;
	uint64_t start, end; /* range of the last function, if it has the address; 0: unknown */
	const struct answer_frame *frames;
	size_t n;
};

struct answer_row;

/* The answers of an image. `{ 0 }` is empty. */
struct source_answers {
	struct sealed_file file;
	const struct answer_row *rows; /* rows of the file, by address */
	size_t n;
	struct arena arena;
	struct {
		struct source_answer *items;
		size_t n, room;
	} added;
};

/*
 * Opens the answers at @path, if they were made from the files with @identity. Otherwise @a stays
 * empty.
 */
void source_answers_open(struct source_answers *a, const char *path, uint64_t identity);
void source_answers_done(struct source_answers *a);

/* Finds the answer for @link in the file; its frames live as long as @a. */
bool source_answers_find(struct source_answers *a, uint64_t link, struct source_answer *ret);

/* Adds a new answer. Its frames and their texts must outlive the writing. */
void source_answers_add(struct source_answers *a, const struct source_answer *answer);

/* Writes all answers to @path, if any were added. */
int source_answers_write(struct source_answers *a, const char *path, uint64_t identity);
