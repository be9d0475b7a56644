/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Searches catalogs while the words are typed: a few thousand entries within a millisecond or two.
 */
#include <stddef.h>

struct catalog;
struct catalog_entry;

/* Entries of catalogs. The catalogs own them. */
struct catalog_rows {
	const struct catalog_entry **items;
	size_t n, room;
};

void catalog_rows_done(struct catalog_rows *r);

/*
 * Replaces @ret by the entries of @n catalogs that contain all words of @typed in their names,
 * kinds, descriptions, or fields. The case of letters is ignored. A word with * or ? is a pattern
 * for names. Entries with the words in their names come first; otherwise the order is that of the
 * catalogs.
 */
void catalog_search(const struct catalog *catalogs, size_t n, const char *typed,
		    struct catalog_rows *ret);
