/* SPDX-License-Identifier: MIT */
#include "view/json.h"

#include <math.h>
#include <string.h>

#include "base/digits.h"
#include "base/escape.h"
#include "base/plain-number.h"
#include "view/text-flush.h"

void json_init(struct json *j, FILE *file)
{
	json_init_text(j, &j->own);
	j->file = file;
}

void json_init_text(struct json *j, struct text *out)
{
	*j = (struct json){ .out = out, .own = TEXT_EMPTY, .colon = ": " };
}

void json_init_value(struct json *j, struct text *out, size_t depth)
{
	json_init_text(j, out);
	j->depth = depth;
	j->keyed = true;
}

static void json_put(struct json *j, char c)
{
	char *at = text_room(j->out, 1);

	*at = c;
	text_filled(j->out, at + 1);
}

void json_end_line(struct json *j)
{
	json_put(j, '\n');
	j->filled = false;
}

void json_done(struct json *j)
{
	json_end_line(j);
	if (j->file)
		text_flush(j->out, j->file, true);
	text_done(&j->own);
}

static char *put_line_end(const struct json *j, char *at)
{
	*at++ = '\n';
	memset(at, '\t', j->depth);
	return at + j->depth;
}

/* Writes the text before a value or a key: a comma, and the newline and indentation. */
static void json_begin(struct json *j)
{
	char *at;

	if (j->keyed) {
		j->keyed = false;
		return;
	}
	if (j->file)
		text_flush(j->out, j->file, false);
	at = text_room(j->out, j->depth + 2);
	if (j->filled)
		*at++ = ',';
	if (j->filled && j->on_line && !j->is_tight)
		*at++ = ' ';
	if (j->depth && !j->on_line)
		at = put_line_end(j, at);
	text_filled(j->out, at);
	j->filled = true;
}

static void json_nest(struct json *j, char bracket)
{
	json_begin(j);
	json_put(j, bracket);
	j->depth++;
	j->filled = false;
}

void json_object(struct json *j)
{
	json_nest(j, '{');
}

void json_array(struct json *j)
{
	json_nest(j, '[');
}

void json_end(struct json *j, char bracket)
{
	char *at;

	j->depth--;
	at = text_room(j->out, j->depth + 2);
	if ((j->filled || j->spreads_empty) && !j->on_line)
		at = put_line_end(j, at);
	*at++ = bracket;
	text_filled(j->out, at);
	j->filled = true;
}

static void json_put_string(struct json *j, const char *s, size_t n)
{
	json_put(j, '"');
	escape_json(j->out, s, n);
	json_put(j, '"');
}

/*
 * The maximum length of a key that is copied and checked in one loop. Nearly all keys are short and
 * need no escaping, and lines of JSON that come by the million consist mostly of keys. For other
 * keys the function returns false and adds nothing.
 */
#define SHORT_KEY 32

static bool put_short_key(struct json *j, const char *key)
{
	char *at = text_room(j->out, SHORT_KEY + strlen("\"\""));

	*at++ = '"';
	for (size_t i = 0; key[i]; i++) {
		unsigned char c = (unsigned char)key[i];

		if (i == SHORT_KEY || c < 0x20 || c >= 0x7f || c == '"' || c == '\\')
			return false;
		*at++ = (char)c;
	}
	*at++ = '"';
	text_filled(j->out, at);
	return true;
}

void json_key(struct json *j, const char *key)
{
	json_begin(j);
	if (!put_short_key(j, key))
		json_put_string(j, key, strlen(key));
	for (const char *c = j->colon; *c; c++)
		json_put(j, *c);
	j->keyed = true;
}

void json_string(struct json *j, const char *s)
{
	json_string_bytes(j, s, strlen(s));
}

void json_string_bytes(struct json *j, const char *s, size_t n)
{
	json_begin(j);
	json_put_string(j, s, n);
}

void json_unsigned(struct json *j, uint64_t n)
{
	json_begin(j);
	text_filled(j->out, digits_decimal(text_room(j->out, DIGITS_MAX), n));
}

void json_signed(struct json *j, int64_t n)
{
	json_begin(j);
	text_filled(j->out, digits_signed(text_room(j->out, DIGITS_MAX), n));
}

void json_written(struct json *j, const char *s, size_t n)
{
	json_begin(j);
	text_add_bytes(j->out, s, n);
}

void json_bool(struct json *j, bool b)
{
	json_written(j, b ? "true" : "false", b ? 4 : 5);
}

void json_null(struct json *j)
{
	json_written(j, "null", 4);
}

void json_address(struct json *j, uint64_t addr)
{
	char *at;

	json_begin(j);
	at = text_room(j->out, DIGITS_MAX + strlen("\"0x\""));
	at = mempcpy(at, "\"0x", 3);
	at = digits_hex(at, addr);
	*at++ = '"';
	text_filled(j->out, at);
}

void json_double(struct json *j, double x)
{
	if (!isfinite(x)) {
		json_null(j);
		return;
	}
	json_begin(j);
	plain_number_add(j->out, x);
}

void json_fixed(struct json *j, double x, unsigned decimals)
{
	PLAIN_NUMBERS_IN_SCOPE;

	if (!isfinite(x)) {
		json_null(j);
		return;
	}
	json_begin(j);
	text_addf(j->out, "%.*f", (int)decimals, x);
}

static void json_write_list(struct json *j, const struct value *v)
{
	json_array(j);
	for (size_t i = 0; i < v->list.n; i++)
		json_value(j, &v->list.items[i]);
	json_end(j, ']');
}

void json_value(struct json *j, const struct value *v)
{
	switch (v->type) {
	case VALUE_NONE:
		json_null(j);
		break;
	case VALUE_TEXT:
		json_string(j, v->text);
		break;
	case VALUE_UNSIGNED:
	case VALUE_BYTES:
	case VALUE_TIME:
		json_unsigned(j, v->number);
		break;
	case VALUE_SIGNED:
		json_signed(j, v->signed_number);
		break;
	case VALUE_ADDRESS:
		json_address(j, v->number);
		break;
	case VALUE_PERCENT:
		json_double(j, v->percent);
		break;
	case VALUE_MEAN:
		json_double(j, v->mean);
		break;
	case VALUE_FLAG:
		json_bool(j, v->flag);
		break;
	case VALUE_LIST:
		json_write_list(j, v);
		break;
	}
}

void json_member(struct json *j, const char *key, const char *s)
{
	if (!s)
		return;
	json_key(j, key);
	json_string(j, s);
}

void json_member_unsigned(struct json *j, const char *key, uint64_t n)
{
	json_key(j, key);
	json_unsigned(j, n);
}

void json_member_signed(struct json *j, const char *key, int64_t n)
{
	json_key(j, key);
	json_signed(j, n);
}

void json_member_bool(struct json *j, const char *key, bool b)
{
	json_key(j, key);
	json_bool(j, b);
}

void json_member_address(struct json *j, const char *key, uint64_t addr)
{
	json_key(j, key);
	json_address(j, addr);
}
