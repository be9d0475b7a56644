/* SPDX-License-Identifier: MIT */
#include "base/json-reader.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/plain-number.h"
#include "base/text.h"

/* A longer text is not accepted as a number. */
#define NUMBER_MAX 64

void json_reader_init(struct json_reader *r, const char *bytes, size_t n)
{
	*r = (struct json_reader){ .begin = bytes, .at = bytes, .end = bytes + n };
}

void json_reader_refuse(struct json_reader *r, const char *mistake)
{
	if (r->mistake)
		return;
	r->mistake = mistake;
	r->offset = (size_t)(r->at - r->begin);
	r->at = r->end;
}

static void json_reader_pass_blanks(struct json_reader *r)
{
	while (r->at < r->end &&
	       (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
		r->at++;
}

enum json_reader_kind json_reader_peek(struct json_reader *r)
{
	json_reader_pass_blanks(r);
	if (r->mistake || r->at == r->end)
		return JSON_READER_NONE;
	switch (*r->at) {
	case '{':
		return JSON_READER_OBJECT;
	case '[':
		return JSON_READER_ARRAY;
	case '"':
		return JSON_READER_STRING;
	case 't':
	case 'f':
		return JSON_READER_BOOL;
	case 'n':
		return JSON_READER_NULL;
	case '-':
	case '0' ... '9':
		return JSON_READER_NUMBER;
	}
	return JSON_READER_NONE;
}

bool json_reader_enter(struct json_reader *r, char bracket)
{
	json_reader_pass_blanks(r);
	if (r->mistake)
		return false;
	if (r->at == r->end || *r->at != bracket) {
		json_reader_refuse(r,
				   bracket == '{' ? "an object is missing" : "a list is missing");
		return false;
	}
	if (r->depth == JSON_READER_DEPTH) {
		json_reader_refuse(r, "it is nested too deeply");
		return false;
	}
	r->at++;
	r->entered &= ~((uint64_t)1 << r->depth++);
	return true;
}

/*
 * Moves to the next item: reads a comma, except before the first item. False after the closing
 * @bracket.
 */
static bool json_reader_next(struct json_reader *r, char bracket)
{
	uint64_t bit;

	json_reader_pass_blanks(r);
	if (r->mistake || !r->depth)
		return false;
	bit = (uint64_t)1 << (r->depth - 1);
	if (r->at == r->end) {
		json_reader_refuse(r, "the end is missing");
		return false;
	}
	if (*r->at == bracket) {
		r->at++;
		r->depth--;
		return false;
	}
	if (r->entered & bit) {
		if (*r->at != ',') {
			json_reader_refuse(r, "a comma is missing");
			return false;
		}
		r->at++;
		json_reader_pass_blanks(r);
	}
	r->entered |= bit;
	return true;
}

bool json_reader_item(struct json_reader *r)
{
	return json_reader_next(r, ']');
}

bool json_reader_member(struct json_reader *r, struct text *key)
{
	if (!json_reader_next(r, '}'))
		return false;
	json_reader_string(r, key);
	json_reader_pass_blanks(r);
	if (!r->mistake && (r->at == r->end || *r->at != ':'))
		json_reader_refuse(r, "a colon is missing");
	if (r->mistake)
		return false;
	r->at++;
	return true;
}

static bool json_reader_take_hex(struct json_reader *r, unsigned *ret)
{
	unsigned n = 0;

	if (r->end - r->at < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		char c = r->at[i];

		if (c >= '0' && c <= '9')
			n = n * 16 + (unsigned)(c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			n = n * 16 + (unsigned)((c | 0x20) - 'a' + 10);
		else
			return false;
	}
	r->at += 4;
	*ret = n;
	return true;
}

/* Reads an escape: \uD83D\uDE00 is one character; half of such a pair is an error. */
static void take_unicode(struct json_reader *r, struct text *t)
{
	unsigned high, low;

	if (!json_reader_take_hex(r, &high) || !high) {
		json_reader_refuse(r, "\\u needs four digits, and not those of NUL");
		return;
	}
	if (high >= 0xd800 && high < 0xdc00 && r->end - r->at >= 6 && r->at[0] == '\\' &&
	    r->at[1] == 'u') {
		r->at += 2;
		if (json_reader_take_hex(r, &low) && low >= 0xdc00 && low < 0xe000) {
			text_add_utf8(t, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
			return;
		}
	}
	if (high >= 0xd800 && high < 0xe000)
		json_reader_refuse(r, "half of a character");
	else
		text_add_utf8(t, high);
}

static void json_reader_take_escape(struct json_reader *r, struct text *t)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	char c = r->at < r->end ? *r->at : '\0';
	const char *at = c ? strchr(from, c) : NULL;

	if (at) {
		r->at++;
		text_add_char(t, to[at - from]);
	} else if (c == 'u') {
		r->at++;
		take_unicode(r, t);
	} else {
		json_reader_refuse(r, "no such escape");
	}
}

void json_reader_string(struct json_reader *r, struct text *ret)
{
	json_reader_pass_blanks(r);
	if (r->mistake)
		return;
	if (r->at == r->end || *r->at != '"') {
		json_reader_refuse(r, "a string is missing");
		return;
	}
	r->at++;
	text_clear(ret);
	while (r->at < r->end && *r->at != '"') {
		char c = *r->at++;

		if (c == '\\')
			json_reader_take_escape(r, ret);
		else if ((unsigned char)c < 0x20)
			json_reader_refuse(r, "a control character in a string");
		else
			text_add_char(ret, c);
	}
	if (r->mistake)
		return;
	if (r->at == r->end)
		json_reader_refuse(r, "the end of a string is missing");
	else
		r->at++;
}

void json_reader_number(struct json_reader *r, double *ret)
{
	PLAIN_NUMBERS_IN_SCOPE;
	char digits[NUMBER_MAX + 1], *end;
	size_t n = 0;
	double x;

	json_reader_pass_blanks(r);
	while (!r->mistake && n < NUMBER_MAX && r->at + n < r->end && r->at[n] &&
	       strchr("+-.eE0123456789", r->at[n]))
		n++;
	if (r->mistake)
		return;
	if (n)
		memcpy(digits, r->at, n);
	digits[n] = '\0';
	x = strtod(digits, &end);
	if (!n || *end || !isfinite(x)) {
		json_reader_refuse(r, "a number is missing");
		return;
	}
	r->at += n;
	*ret = x;
}

static bool json_reader_take_word(struct json_reader *r, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
		return false;
	r->at += n;
	return true;
}

void json_reader_bool(struct json_reader *r, bool *ret)
{
	json_reader_pass_blanks(r);
	if (r->mistake)
		return;
	if (json_reader_take_word(r, "true"))
		*ret = true;
	else if (json_reader_take_word(r, "false"))
		*ret = false;
	else
		json_reader_refuse(r, "true or false is missing");
}

static void skip_object(struct json_reader *r)
{
	struct text key = TEXT_EMPTY;

	if (json_reader_enter(r, '{'))
		while (json_reader_member(r, &key))
			json_reader_skip(r);
	text_done(&key);
}

static void skip_array(struct json_reader *r)
{
	if (json_reader_enter(r, '['))
		while (json_reader_item(r))
			json_reader_skip(r);
}

/* Skips a value, to a depth of at most JSON_READER_DEPTH. */
void json_reader_skip(struct json_reader *r)
{
	struct text text = TEXT_EMPTY;
	double number;
	bool flag;

	switch (json_reader_peek(r)) {
	case JSON_READER_OBJECT:
		skip_object(r);
		break;
	case JSON_READER_ARRAY:
		skip_array(r);
		break;
	case JSON_READER_STRING:
		json_reader_string(r, &text);
		break;
	case JSON_READER_NUMBER:
		json_reader_number(r, &number);
		break;
	case JSON_READER_BOOL:
		json_reader_bool(r, &flag);
		break;
	case JSON_READER_NULL:
		if (!json_reader_take_word(r, "null"))
			json_reader_refuse(r, "a value is missing");
		break;
	case JSON_READER_NONE:
		json_reader_refuse(r, "a value is missing");
		break;
	}
	text_done(&text);
}

int json_reader_finish(struct json_reader *r, const char *what, struct diag *diag)
{
	json_reader_pass_blanks(r);
	if (!r->mistake && r->at != r->end)
		json_reader_refuse(r, "something follows");
	if (!r->mistake)
		return 0;
	return diag_set(diag, -EBADMSG, "%s is not what it should be: %s (at byte %zu)", what,
			r->mistake, r->offset);
}
