/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The layout of sort keys in the columns of a report, byte for byte as in Linux's perf. A key that
 * is missing in the table of key-layout.c has the layout of its type: numbers are right-aligned,
 * texts left-aligned.
 */
#include <stdbool.h>
#include <stddef.h>

#include "profile/key.h"
#include "view/table.h"

struct report_view;

/* A cell of a key's column. */
struct key_at {
	const struct key *key;
	struct key_env *env;
	const struct key_cell *cell;
	const struct value *parts;
	const struct report_view *view;
	size_t name_room;  /* columns for a function and its mode; 0: unlimited */
	size_t image_room; /* columns for the name of an image; 0: unlimited */
	bool is_first;     /* the event has no key before this one */
};

struct key_layout {
	const char *key;
	const char *title; /* NULL: the title of the key */
	unsigned flags;    /* enum column_flags */
	enum column_align align, title_align;
	bool is_name;      /* shortened if lines have to fit */
	bool is_image;     /* likewise, if names do not have enough space otherwise */
	bool cuts_names;   /* a requested width cuts off names, but not addresses */
	size_t width;      /* the minimum width */
	const char *none;  /* the text for a missing value */
	const char *marks; /* for a flag: the characters for no and yes */
	/* Prints the text of all parts; NULL: prints that of the first part. */
	void (*print)(const struct key_at *at, struct text *out);
	/* Returns the width that a column needs; NULL: that of the text. */
	size_t (*measure)(const struct key_at *at);
};

/* Returns the layout of @k, which always exists. */
const struct key_layout *key_layout_of(const struct key *k);

/* Returns the minimum width of the column. */
size_t key_layout_width(const struct key *k, const struct report_view *v);

/* Appends the text of a cell. */
void key_layout_print(const struct key_layout *l, const struct key_at *at, struct text *out);
