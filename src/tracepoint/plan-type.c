/* SPDX-License-Identifier: MIT */
#include "tracepoint/plan-type.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"

/* The size of a long, which differs between machines. */
#define LONG 0

static const struct {
	const char *name;
	uint8_t bytes;
	bool is_signed;
} typedefs[] = {
#define TYPEDEF(name, bytes, is_signed) { #name, bytes, is_signed },
#include "tracepoint/typedefs.def"
#undef TYPEDEF
};

static bool type_is_word(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && memcmp(word, name, length) == 0;
}

static bool add_typedef(struct type_words *t, const char *word, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(typedefs); i++) {
		if (!type_is_word(word, length, typedefs[i].name))
			continue;
		t->named = (struct integer_type){ .bytes = typedefs[i].bytes,
						  .is_signed = typedefs[i].is_signed };
		t->is_typedef = true;
		return true;
	}
	return false;
}

/* True for words that qualify a type without changing its size. */
static bool is_qualifier(const char *word, size_t length)
{
	static const char *const words[] = { "const",      "volatile",  "__user",   "__iomem",
					     "__data_loc", "__rel_loc", "restrict", "__rcu" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (type_is_word(word, length, words[i]))
			return true;
	return false;
}

bool type_word_add(struct type_words *t, const char *word, size_t length)
{
	const struct {
		const char *name;
		bool *flag;
	} words[] = {
		{ "signed", &t->is_signed }, { "unsigned", &t->is_unsigned },
		{ "char", &t->is_char },     { "short", &t->is_short },
		{ "int", &t->is_int },       { "void", &t->is_void },
		{ "struct", &t->is_tagged }, { "union", &t->is_tagged },
		{ "enum", &t->is_tagged },   { "bool", &t->is_bool },
		{ "_Bool", &t->is_bool },
	};

	if (t->is_tagged || is_qualifier(word, length))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (type_is_word(word, length, words[i].name))
			return *words[i].flag = true;
	if (type_is_word(word, length, "long")) {
		t->longs++;
		return true;
	}
	return add_typedef(t, word, length);
}

struct integer_type type_of_words(const struct type_words *t, unsigned long_size)
{
	bool is_signed = !t->is_unsigned;

	if (t->is_void || t->is_tagged)
		return (struct integer_type){ 0 };
	if (t->is_bool)
		return (struct integer_type){ .bytes = 1, .is_bool = true };
	if (t->is_typedef)
		return (struct integer_type){ .bytes = t->named.bytes ? t->named.bytes : long_size,
					      .is_signed = t->named.is_signed };
	/* char is signed on x86 and unsigned on Arm; print fmts do not depend on it. */
	if (t->is_char)
		return (struct integer_type){ .bytes = 1, .is_signed = t->is_signed };
	if (t->is_short)
		return (struct integer_type){ .bytes = 2, .is_signed = is_signed };
	if (t->longs)
		return (struct integer_type){ .bytes = t->longs > 1 ? 8 : long_size,
					      .is_signed = is_signed };
	if (t->is_int || t->is_signed || t->is_unsigned)
		return (struct integer_type){ .bytes = 4, .is_signed = is_signed };
	return (struct integer_type){ 0 };
}

struct integer_type type_of_declaration(const char *type, unsigned long_size)
{
	struct type_words words = { 0 };

	if (strchr(type, '*'))
		return (struct integer_type){ .bytes = long_size, .is_signed = false };
	while (*type && *type != '[') {
		size_t n = 1;

		if (isalpha((unsigned char)*type) || *type == '_') {
			while (isalnum((unsigned char)type[n]) || type[n] == '_')
				n++;
			if (!type_word_add(&words, type, n))
				return (struct integer_type){ 0 };
		}
		type += n;
	}
	return type_of_words(&words, long_size);
}
