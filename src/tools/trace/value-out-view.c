/* SPDX-License-Identifier: MIT */
#include "tools/trace/value-out-view.h"

#include <string.h>

#include "base/digits.h"
#include "base/escape.h"
#include "base/text.h"
#include "view/json.h"

void out_signed(struct value_out *o, int64_t v)
{
	if (o->json)
		json_signed(o->json, v);
	else
		text_filled(o->text, digits_signed(text_room(o->text, DIGITS_MAX), v));
}

void out_unsigned(struct value_out *o, uint64_t v)
{
	if (o->json)
		json_unsigned(o->json, v);
	else
		text_filled(o->text, digits_decimal(text_room(o->text, DIGITS_MAX), v));
}

static void put_hex(struct text *t, uint64_t v)
{
	char *at = text_room(t, 2 + DIGITS_MAX);

	at = mempcpy(at, "0x", 2);
	text_filled(t, digits_hex(at, v));
}

void out_hex(struct value_out *o, uint64_t v)
{
	if (o->json)
		json_address(o->json, v);
	else
		put_hex(o->text, v);
}

void out_pointer(struct value_out *o, uint64_t v)
{
	if (v)
		out_hex(o, v);
	else if (o->json)
		json_null(o->json);
	else
		put(o->text, "NULL", 4);
}

void out_octal(struct value_out *o, uint64_t v)
{
	char s[24], *at = s + sizeof(s);

	*--at = '\0';
	for (; v; v >>= 3)
		*--at = (char)('0' + (v & 7));
	*--at = '0';
	out_plain(o, at);
}

void out_plain(struct value_out *o, const char *s)
{
	if (o->json)
		json_string(o->json, s);
	else
		text_add(o->text, s);
}

static void name_json(struct json *j, const char *prefix, const char *name)
{
	char s[160], *end = s + sizeof(s) - 1;
	char *at = stpncpy(s, prefix, sizeof(s) - 1);

	at = stpncpy(at, name, (size_t)(end - at));
	*at = '\0';
	json_string(j, s);
}

void out_name(struct value_out *o, const char *prefix, const char *name)
{
	if (o->json) {
		name_json(o->json, prefix, name);
		return;
	}
	if (o->style->shows_prefix)
		text_add(o->text, prefix);
	put(o->text, name, strlen(name));
}

static void out_end_string(struct value_out *o, bool is_cut)
{
	o->is_cut |= is_cut;
	if (is_cut && !o->json)
		put(o->text, "...", 3);
}

void out_string(struct value_out *o, const void *bytes, size_t n, bool is_cut)
{
	if (o->json) {
		json_string_bytes(o->json, bytes, n);
	} else {
		text_add_bytes(o->text, "\"", 1);
		escape_quoted(o->text, bytes, n);
		text_add_bytes(o->text, "\"", 1);
	}
	out_end_string(o, is_cut);
}

void out_buffer(struct value_out *o, const void *bytes, size_t n, bool is_cut)
{
	if (o->json || o->style->shows_names) {
		out_string(o, bytes, n, is_cut);
		return;
	}
	escape_quoted(o->text, bytes, n);
	out_end_string(o, is_cut);
}

void out_struct_begin(struct value_out *o)
{
	if (o->json) {
		json_object(o->json);
		return;
	}
	text_add(o->text, o->style->shows_names ? "{ " : "{");
	o->is_filled = false;
}

/* Writes the separator of values in braces and brackets. */
static void out_separate(struct value_out *o)
{
	if (o->is_filled)
		put(o->text, ", ", 2);
	o->is_filled = true;
}

void out_member(struct value_out *o, const char *name)
{
	if (o->json) {
		json_key(o->json, name);
		return;
	}
	out_separate(o);
	if (!o->style->shows_names)
		return;
	put(o->text, ".", 1);
	text_add(o->text, name);
	put(o->text, ": ", 2);
}

/* Marks missing values before the brace or the bracket closes. */
static void end_cut(struct value_out *o)
{
	o->is_cut = true;
	if (o->json)
		return;
	out_separate(o);
	put(o->text, "...", 3);
}

void out_struct_end(struct value_out *o, bool is_cut)
{
	if (is_cut)
		end_cut(o);
	if (o->json) {
		json_end(o->json, '}');
		return;
	}
	text_add(o->text, o->style->shows_names ? " }" : "}");
	o->is_filled = true;
}

void out_array_begin(struct value_out *o)
{
	if (o->json) {
		json_array(o->json);
		return;
	}
	put(o->text, "[", 1);
	o->is_filled = false;
}

void out_element(struct value_out *o)
{
	if (!o->json)
		out_separate(o);
}

void out_array_end(struct value_out *o, bool is_cut)
{
	if (is_cut)
		end_cut(o);
	if (o->json) {
		json_end(o->json, ']');
		return;
	}
	put(o->text, "]", 1);
	o->is_filled = true;
}
