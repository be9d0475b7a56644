/* SPDX-License-Identifier: MIT */
#include "view/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memory.h"
#include "base/plain-number.h"

void json_init(struct json *j, FILE *out)
{
	*j = (struct json){ .out = out, .scratch = TEXT_EMPTY };
	*ARRAY_ADD(&j->filled) = false;
}

void json_done(struct json *j)
{
	fputc('\n', j->out);
	text_done(&j->scratch);
	free(j->filled.items);
}

static void new_line(struct json *j)
{
	fputc('\n', j->out);
	for (size_t i = 0; i < j->depth; i++)
		fputc('\t', j->out);
}

/* What comes before a value or a key: a comma, and the place it stands. */
static void begin(struct json *j)
{
	if (j->keyed) {
		j->keyed = false;
		return;
	}
	if (j->filled.items[j->depth])
		fputs(j->on_line ? ", " : ",", j->out);
	j->filled.items[j->depth] = true;
	if (j->depth && !j->on_line)
		new_line(j);
}

static void nest(struct json *j, char bracket)
{
	begin(j);
	fputc(bracket, j->out);
	j->depth++;
	j->filled.n = j->depth;
	*ARRAY_ADD(&j->filled) = false;
}

void json_object(struct json *j)
{
	nest(j, '{');
}

void json_array(struct json *j)
{
	nest(j, '[');
}

void json_end(struct json *j, char bracket)
{
	bool filled = j->filled.items[j->depth--];

	if (filled && !j->on_line)
		new_line(j);
	fputc(bracket, j->out);
}

static void put_string(struct json *j, const char *s)
{
	text_clear(&j->scratch);
	escape_json(&j->scratch, s, strlen(s));
	fprintf(j->out, "\"%s\"", j->scratch.chars);
}

void json_key(struct json *j, const char *key)
{
	begin(j);
	put_string(j, key);
	fputs(": ", j->out);
	j->keyed = true;
}

void json_string(struct json *j, const char *s)
{
	begin(j);
	put_string(j, s);
}

void json_unsigned(struct json *j, uint64_t n)
{
	begin(j);
	fprintf(j->out, "%" PRIu64, n);
}

void json_bool(struct json *j, bool b)
{
	begin(j);
	fputs(b ? "true" : "false", j->out);
}

void json_null(struct json *j)
{
	begin(j);
	fputs("null", j->out);
}

void json_double(struct json *j, double x)
{
	if (!isfinite(x)) {
		json_null(j);
		return;
	}
	begin(j);
	text_clear(&j->scratch);
	plain_number_add(&j->scratch, x);
	fputs(j->scratch.chars, j->out);
}

void json_member(struct json *j, const char *key, const char *s)
{
	if (!s)
		return;
	json_key(j, key);
	json_string(j, s);
}
