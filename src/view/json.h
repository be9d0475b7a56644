/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A writer of JSON, which inserts commas and newlines, and escapes strings.
 *
 * Members of an object are json_key() and one value. Objects and arrays may be nested to any depth.
 * A writer has either a stream, to which it passes large pieces, or a text of its owner. The text
 * may also be a part of a document begun elsewhere: then json.depth and json.filled contain the
 * position.
 *
 *	{
 *		"usual": 1,
 *		"on_line": [1, 2, 3]
 *	}
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "base/value.h"

struct json {
	/* The layout; it may be changed between members. */
	bool on_line;       /* no newlines, until it is reset */
	bool is_tight;      /* no blanks after commas, for output that only programs read */
	bool spreads_empty; /* empty objects and arrays take two lines, too */
	const char *colon;  /* between key and value: ": " */
	/* The current position. */
	size_t depth;
	bool filled; /* the innermost object or array has a member already */
	/* private: */
	bool keyed; /* a key was written, its value was not */
	struct text *out;
	struct text own; /* the buffer of a writer with a stream */
	FILE *file;
};

/* Begins a document for @file. */
void json_init(struct json *j, FILE *file);

/* Appends the output to @out, which is borrowed. json_done() is not needed. */
void json_init_text(struct json *j, struct text *out);

/* Does the same for a single value, which a writer at @depth takes later with json_written(). */
void json_init_value(struct json *j, struct text *out, size_t depth);

/* Ends the last line, and passes everything to the stream. */
void json_done(struct json *j);

void json_object(struct json *j);
void json_array(struct json *j);
void json_end(struct json *j, char bracket); /* @bracket is '}' or ']' */

/* Ends the line after a document; another document may follow. */
void json_end_line(struct json *j);

void json_key(struct json *j, const char *key);
void json_string(struct json *j, const char *s);
void json_string_bytes(struct json *j, const char *s, size_t n);
void json_unsigned(struct json *j, uint64_t n);
void json_signed(struct json *j, int64_t n);
void json_bool(struct json *j, bool b);
void json_null(struct json *j);

/* Writes "0x1f", because many readers of JSON cannot represent a number of 64 bits. */
void json_address(struct json *j, uint64_t addr);

/* Writes the shortest decimal that reads back as @x; null if it is not finite. */
void json_double(struct json *j, double x);

/* Writes @x with this number of decimals; null if it is not finite. */
void json_fixed(struct json *j, double x, unsigned decimals);

/* Writes a value by its type: a missing value is null, times are in nanoseconds, sizes in bytes. */
void json_value(struct json *j, const struct value *v);

/* Writes a value that was formatted before: see json_init_value(). */
void json_written(struct json *j, const char *s, size_t n);

/* Write members of an object. The first function writes nothing at all if @s is NULL. */
void json_member(struct json *j, const char *key, const char *s);
void json_member_unsigned(struct json *j, const char *key, uint64_t n);
void json_member_signed(struct json *j, const char *key, int64_t n);
void json_member_bool(struct json *j, const char *key, bool b);
void json_member_address(struct json *j, const char *key, uint64_t addr);
