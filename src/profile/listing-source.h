/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The source between the instructions of a listing, for profile/listing.c.
 */
#include <stddef.h>
#include <stdint.h>

#include "symbol/source.h"

struct listing;
struct listing_tools;
struct text_file;

/* How far a file has been shown. */
struct shown_file {
	const char *name;
	const struct text_file *file; /* NULL: it is not here */
	uint32_t last;                /* the highest line so far */
};

struct listing_source {
	struct listing *listing;
	const struct listing_tools *tools;
	const struct line_row *rows;
	size_t n_rows, row; /* @row: the next one */
	struct source_line at;
	const char *text; /* of that line, if the image has it; or NULL */
	const char *function;
	struct {
		struct shown_file *items;
		size_t n, room;
	} files;
};

void listing_source_begin(struct listing_source *s, struct listing *l,
			  const struct listing_tools *t);
void listing_source_done(struct listing_source *s);

/* Adds what is new at @addr, as the listing has addresses. Returns its line. */
struct source_line listing_source_reach(struct listing_source *s, uint64_t addr);
