/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How the values of sort keys look in the columns of a report: as those of Linux's perf, byte for
 * byte. A key that is not in the table of key-layout.c looks as values of its type do: numbers
 * stand to the right, texts to the left.
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
	size_t name_room;  /* columns for a function and its mode; 0: as many as it takes */
	size_t image_room; /* columns for the name of an image; 0: as many as it takes */
	bool is_first;     /* no other key comes before it that the event of this one has */
};

struct key_layout {
	const char *key;
	const char *title; /* NULL: that of the key */
	unsigned flags;    /* enum column_flags */
	enum column_align align, title_align;
	bool is_name;      /* it is shortened where lines have to fit */
	bool is_image;     /* so is this, if names have no room otherwise */
	bool cuts_names;   /* a width that was asked for cuts off names, but not addresses */
	size_t width;      /* at least */
	const char *none;  /* where there is no value */
	const char *marks; /* of a flag: the character for no, and that for yes */
	/* The text of all parts; NULL: that of the first. */
	void (*print)(const struct key_at *at, struct text *out);
	/* The width that a column needs; NULL: that of the text. */
	size_t (*measure)(const struct key_at *at);
};

/* The layout of @k: there is always one. */
const struct key_layout *key_layout_of(const struct key *k);

/* How wide its column is at least. */
size_t key_layout_width(const struct key *k, const struct report_view *v);

/* Appends the text of a cell. */
void key_layout_print(const struct key_layout *l, const struct key_at *at, struct text *out);
