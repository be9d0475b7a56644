/* SPDX-License-Identifier: MIT */
#include "tools/script/fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "base/text.h"
#include "options/value.h"

static const struct {
	const char *name;
	unsigned type;
} types[] = {
	{ "hw", FIELD_TYPE_HW },   { "sw", FIELD_TYPE_SW },       { "trace", FIELD_TYPE_TRACE },
	{ "raw", FIELD_TYPE_RAW }, { "synth", FIELD_TYPE_SYNTH },
};

void field_opts_done(struct field_opts *f)
{
	free(f->items);
	*f = (struct field_opts){ 0 };
}

static bool script_fields_equals(const char *name, const char *word, size_t n)
{
	return strlen(name) == n && !strncmp(name, word, n);
}

static uint64_t field_bit(const char *word, size_t n)
{
	for (size_t i = 0; i < SCRIPT_FIELDS; i++)
		if (script_fields_equals(script_field_name(i), word, n))
			return 1ULL << i;
	return 0;
}

static unsigned type_bit(const char *word, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (script_fields_equals(types[i].name, word, n))
			return types[i].type;
	return 0;
}

static const char no_such_field[] = "there is no such field";
static const char no_such_type[] = "there is no such type of events";
static const char mixed[] = "fields with + or - cannot be mixed with others";

/*
 * Takes one word of the list: "comm", "+comm" or "-comm". Returns NULL, or the reason why it is
 * wrong.
 */
static const char *script_fields_take_field(const char *word, size_t n, bool first,
					    struct field_request *f)
{
	bool sign = n && (*word == '+' || *word == '-');
	uint64_t bit = field_bit(word + sign, n - sign);

	if (!bit)
		return no_such_field;
	if (!first && sign == f->replace)
		return mixed;
	f->replace = !sign;
	*(*word == '-' ? &f->remove : &f->add) |= bit;
	return NULL;
}

int field_request_parse(const char *text, struct field_request *ret, size_t *ret_offset,
			size_t *ret_length, const char **ret_why)
{
	struct field_request f = { .types = FIELD_TYPE_ALL, .replace = true };
	size_t n = strcspn(text, ":,");
	const char *s = text, *why = NULL;

	if (text[n] == ':') {
		f.types = type_bit(text, n);
		why = f.types ? NULL : no_such_type;
		/* "hw:" alone shows no fields of those events. */
		s = why ? text : text + n + 1;
	}
	for (bool first = true; !why && (*s || s == text); first = false) {
		n = value_word(s);
		why = script_fields_take_field(s, n, first, &f);
		if (why || !s[n])
			break;
		s += n + 1;
	}
	if (why) {
		*ret_offset = (size_t)(s - text);
		*ret_length = n;
		*ret_why = why;
		return -EINVAL;
	}
	*ret = f;
	return 0;
}

bool field_list_is(const char *word)
{
	struct field_request f;
	size_t offset, length;
	const char *why;

	return field_request_parse(word, &f, &offset, &length, &why) >= 0;
}

static void script_fields_hint_names(const char *word, size_t n, struct diag *diag)
{
	bool sign = n && (*word == '+' || *word == '-');
	_cleanup_(freep) char *typed = xstrndup(word + sign, n - sign);
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct similar near = { .typed = typed };

	for (size_t i = 0; i < SCRIPT_FIELDS; i++)
		similar_add(&near, script_field_name(i));

	_cleanup_(freep) char *phrase = similar_phrase(&near);

	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	for (size_t i = 0; i < SCRIPT_FIELDS; i++)
		text_addf(&t, "%s%s", i ? " " : "", script_field_name(i));
	diag_hint(diag, "Fields: %s", t.chars);
	diag_hint(diag,
		  "With hw:, sw:, trace:, raw: or synth: before them they are for those events "
		  "only; +a and -a change the default set.");
}

int field_opts_set(void *field, const struct option *o, const char *value, bool negated,
		   struct diag *diag)
{
	struct field_request f;
	size_t offset, length;
	const char *why;

	if (negated) {
		field_opts_done(field);
		return 0;
	}
	if (field_request_parse(value, &f, &offset, &length, &why) < 0) {
		value_refuse(diag, o, value, offset, length, "'%.*s': %s", (int)length,
			     value + offset, why);
		if (why == no_such_field)
			script_fields_hint_names(value + offset, length, diag);
		else
			diag_hint(diag, "[hw:|sw:|trace:|raw:|synth:]a,b sets the fields of those "
					"events; [...:]+a,-b changes the usual ones.");
		return -EINVAL;
	}
	*ARRAY_ADD((struct field_opts *)field) = f;
	return 0;
}
