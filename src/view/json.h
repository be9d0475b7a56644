/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A writer of JSON: knows where commas and line ends go, and escapes what it is given.
 *
 * Members of an object are json_key() and one value. Objects and arrays nest as deep as they like.
 * A writer has a stream, to which it hands large pieces, or a text of its owner. The latter may
 * also be a part of a document that somebody else has begun: then json.depth and json.filled tell
 * where.
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
	/* How it looks; may be set between members. */
	bool on_line;       /* no line ends, until it is taken back */
	bool is_tight;      /* no blanks behind commas, for what only programs read */
	bool spreads_empty; /* what has no members takes two lines, too */
	const char *colon;  /* between key and value: ": " */
	/* Where it is. */
	size_t depth;
	bool filled; /* there is a member in the innermost object or array already */
	/* private: */
	bool keyed; /* a key was written, its value was not */
	struct text *out;
	struct text own; /* of a writer with a stream */
	FILE *file;
};

/* A document for @file. */
void json_init(struct json *j, FILE *file);

/* What is written is appended to @out, which is borrowed. json_done() is not needed. */
void json_init_text(struct json *j, struct text *out);

/* The same for a single value, which json_written() takes later, with a writer at @depth. */
void json_init_value(struct json *j, struct text *out, size_t depth);

/* Ends the last line, and hands everything to the stream. */
void json_done(struct json *j);

void json_object(struct json *j);
void json_array(struct json *j);
void json_end(struct json *j, char bracket); /* '}' or ']' */

/* Ends the line behind a document; another may follow. */
void json_end_line(struct json *j);

void json_key(struct json *j, const char *key);
void json_string(struct json *j, const char *s);
void json_string_bytes(struct json *j, const char *s, size_t n);
void json_unsigned(struct json *j, uint64_t n);
void json_signed(struct json *j, int64_t n);
void json_bool(struct json *j, bool b);
void json_null(struct json *j);

/* "0x1f": a number of 64 bits is more than many readers of JSON can keep. */
void json_address(struct json *j, uint64_t addr);

/* The shortest decimal that reads back as @x; null if it is not finite. */
void json_double(struct json *j, double x);

/* @x with so many decimals; null if it is not finite. */
void json_fixed(struct json *j, double x, unsigned decimals);

/* As its type has it; none is null, times are in nanoseconds, sizes in bytes. */
void json_value(struct json *j, const struct value *v);

/* A value that was written before: see json_init_value(). */
void json_written(struct json *j, const char *s, size_t n);

/* Members of an object; the first writes nothing at all if @s is NULL. */
void json_member(struct json *j, const char *key, const char *s);
void json_member_unsigned(struct json *j, const char *key, uint64_t n);
void json_member_signed(struct json *j, const char *key, int64_t n);
void json_member_bool(struct json *j, const char *key, bool b);
void json_member_address(struct json *j, const char *key, uint64_t addr);
