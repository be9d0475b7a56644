/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A writer of JSON: knows where commas and line ends go, and escapes what it is given.
 *
 * Members of an object are json_key() and one value. Nothing is kept back: what is written goes to
 * the stream. Objects and arrays nest as deep as they like.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

struct json {
	FILE *out;
	size_t depth;
	struct {
		bool *items; /* by level: it has a member already */
		size_t n, room;
	} filled;
	bool keyed;   /* a key was written, its value was not */
	bool on_line; /* all on one line, until it is taken back: may be set between members */
	struct text scratch;
};

void json_init(struct json *j, FILE *out);
void json_done(struct json *j); /* ends the last line */

void json_object(struct json *j);
void json_array(struct json *j);
void json_end(struct json *j, char bracket); /* '}' or ']' */

void json_key(struct json *j, const char *key);
void json_string(struct json *j, const char *s);
void json_unsigned(struct json *j, uint64_t n);
void json_bool(struct json *j, bool b);
void json_null(struct json *j);

/* The shortest decimal that reads back as @x; null if it is not finite. */
void json_double(struct json *j, double x);

/* A member of an object; nothing at all if @s is NULL. */
void json_member(struct json *j, const char *key, const char *s);
