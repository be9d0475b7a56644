/* SPDX-License-Identifier: MIT */
#include "symbol/buildid/sdt-argument.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/operand.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"

#define OPERAND_MAX 64

/* "@+0x4018": where a global variable is. */
static bool sdt_argument_add_variable(const struct arch_operand *o, const struct sdt_place *place,
				      struct text *out)
{
	_cleanup_(freep) char *name = xstrndup(o->name, o->name_length);
	uint64_t at;

	if (!place->variable || !place->variable(place->arg, name, &at))
		return false;
	text_addf(out, "@+0x%" PRIx64, at + (uint64_t)o->number);
	return true;
}

static bool sdt_argument_add_operand(const char *s, size_t length, const struct sdt_place *place,
				     struct text *out)
{
	char copy[OPERAND_MAX];
	struct arch_operand o;

	if (!length || length >= OPERAND_MAX || !place->arch || !place->arch->sdt_operand)
		return false;
	memcpy(copy, s, length);
	copy[length] = '\0';
	if (!place->arch->sdt_operand(copy, length, &o))
		return false;
	switch (o.kind) {
	case OPERAND_CONSTANT:
		text_addf(out, "\\%" PRId64, o.number);
		break;
	case OPERAND_REGISTER:
		text_addf(out, "%%%s", o.reg);
		break;
	case OPERAND_MEMORY:
		text_addf(out, "%+" PRId64 "(%%%s)", o.number, o.reg);
		break;
	case OPERAND_VARIABLE:
		return sdt_argument_add_variable(&o, place, out);
	}
	return true;
}

/* ":s32" for -4; "" where there is no size; NULL for one that the kernel does not have. */
static const char *sdt_argument_type_of(const char *size, size_t length)
{
	static const char *const types[] = { ":u8", ":u16", ":u32", ":u64",
					     ":s8", ":s16", ":s32", ":s64" };
	static const char sizes[] = "1248";
	bool negative = length && *size == '-';
	const char *digit = size + negative;

	if (!length)
		return "";
	/* A letter behind the size stands for a floating-point number. */
	if (length < 1u + negative || (length > 1u + negative && isdigit((unsigned char)digit[1])))
		return NULL;

	const char *found = *digit ? strchr(sizes, *digit) : NULL;

	return found ? types[(found - sizes) + (negative ? 4 : 0)] : NULL;
}

/* The end of the argument at @s: a blank, but not one within brackets. */
static size_t argument_length(const char *s)
{
	size_t n = 0, depth = 0;

	for (; s[n] && (depth || s[n] != ' '); n++) {
		if (s[n] == '[')
			depth++;
		else if (s[n] == ']' && depth)
			depth--;
	}
	return n;
}

bool sdt_argument_next(const char **at, const struct sdt_place *place, unsigned number,
		       struct text *out)
{
	const char *s = *at + strspn(*at, " ");
	size_t length = argument_length(s), sign = 0;
	const char *separator = memchr(s, '@', length);
	struct text operand = TEXT_EMPTY;

	if (!length)
		return false;
	*at = s + length;
	if (separator)
		sign = (size_t)(separator - s);

	const char *type = sdt_argument_type_of(s, sign), *word = separator ? separator + 1 : s;

	if (type && sdt_argument_add_operand(word, (size_t)(s + length - word), place, &operand))
		text_addf(out, " arg%u=%s%s", number, operand.chars, type);
	text_done(&operand);
	return true;
}
