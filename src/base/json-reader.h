/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A reader of JSON that somebody else has written, value by value and without a tree.
 *
 *	while (json_reader_member(&r, &key))
 *		if (!strcmp(key.chars, "name"))
 *			json_reader_string(&r, &name);
 *		else
 *			json_reader_skip(&r);
 *
 * Mistakes are kept: after the first one every function does nothing, and loops end. Texts are
 * NUL-terminated, and a NUL inside of one is a mistake. Nesting is limited, memory is that of the
 * longest text.
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
	size_t offset;       /* of the mistake */
	unsigned depth;
	uint64_t entered; /* a bit for each level: its first item has been read */
};

void json_reader_init(struct json_reader *r, const char *bytes, size_t n);

/* What comes next. */
enum json_reader_kind json_reader_peek(struct json_reader *r);

/*
 * Of an object: its next member, whose name goes into @key; then its value has to be read or
 * skipped. Of an array: whether there is another item. The first call enters; false: it is over.
 */
bool json_reader_enter(struct json_reader *r, char bracket);
bool json_reader_member(struct json_reader *r, struct text *key);
bool json_reader_item(struct json_reader *r);

/* Values. Something else there is a mistake; then the result stays as it is. */
void json_reader_string(struct json_reader *r, struct text *ret);
void json_reader_number(struct json_reader *r, double *ret);
void json_reader_bool(struct json_reader *r, bool *ret);
void json_reader_skip(struct json_reader *r);

/* Says that what was just read is wrong. */
void json_reader_refuse(struct json_reader *r, const char *mistake);

/* Nothing may follow. 0, or -EBADMSG with the first mistake in @diag. @what names the input. */
int json_reader_finish(struct json_reader *r, const char *what, struct diag *diag);
