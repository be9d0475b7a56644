/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A reader of JSON from outside, value by value and without a tree.
 *
 *	while (json_reader_member(&r, &key))
 *		if (!strcmp(key.chars, "name"))
 *			json_reader_string(&r, &name);
 *		else
 *			json_reader_skip(&r);
 *
 * Mistakes are kept: after the first one every function does nothing, and loops end. Texts are
 * NUL-terminated, and a NUL inside a text is a mistake. Nesting is limited. The memory used is that
 * of the longest text.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct text;

#define JSON_READER_DEPTH 64

enum json_reader_kind {
	JSON_READER_NONE, /* a mistake, or the end */
	JSON_READER_OBJECT,
	JSON_READER_ARRAY,
	JSON_READER_STRING,
	JSON_READER_NUMBER,
	JSON_READER_BOOL,
	JSON_READER_NULL,
};

struct json_reader {
	const char *begin, *at, *end;
	const char *mistake; /* a literal; NULL: none */
	size_t offset;       /* offset of the mistake */
	unsigned depth;
	uint64_t entered; /* a bit for each level: set once its first item has been read */
};

void json_reader_init(struct json_reader *r, const char *bytes, size_t n);

/* Returns the kind of the next item. */
enum json_reader_kind json_reader_peek(struct json_reader *r);

/*
 * Read the next item. In an object: the name of the next member goes into @key, and its value has
 * to be read or skipped afterwards. In an array: true if there is another item. The first call
 * enters the object or array; false: it has ended.
 */
bool json_reader_enter(struct json_reader *r, char bracket);
bool json_reader_member(struct json_reader *r, struct text *key);
bool json_reader_item(struct json_reader *r);

/* Read values. A value of another type is a mistake, and leaves the result unchanged. */
void json_reader_string(struct json_reader *r, struct text *ret);
void json_reader_number(struct json_reader *r, double *ret);
void json_reader_bool(struct json_reader *r, bool *ret);
void json_reader_skip(struct json_reader *r);

/* Marks the value that was just read as wrong. */
void json_reader_refuse(struct json_reader *r, const char *mistake);

/*
 * Checks that nothing follows. Returns 0, or -EBADMSG with the first mistake in @diag. @what names
 * the input.
 */
int json_reader_finish(struct json_reader *r, const char *what, struct diag *diag);
