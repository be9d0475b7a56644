/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "probe/probe-parser.h"

/* The kernel's MAX_ARRAY_LEN. */
#define ARRAY_LENGTH_MAX 64

/*
 * The types of Documentation/trace/kprobetrace.rst (older kernels lack some), and x, s, u, which
 * take the variable's size.
 */
static const char *const types[] = {
	"u8",  "u16",  "u32",    "u64",     "s8",     "s16",    "s32", "s64", "x8", "x16", "x32",
	"x64", "char", "string", "ustring", "symbol", "symstr", "x",   "s",   "u",  "%pd", "%pD",
};

static bool probe_type_is_known(const char *type, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (strlen(types[i]) == length && memcmp(types[i], type, length) == 0)
			return true;
	return false;
}

/* Returns the kernel's name for a C type that users write instead. */
static const char *kernel_type(const char *type)
{
	static const struct {
		const char *c, *kernel;
	} names[] = {
		{ "int", "s32" },      { "unsigned", "u32" }, { "long", "s64" },
		{ "short", "s16" },    { "size_t", "u64" },   { "bool", "u8" },
		{ "str", "string" },   { "hex", "x" },        { "ptr", "x64" },
		{ "pointer", "x64" },  { "int8_t", "s8" },    { "int16_t", "s16" },
		{ "int32_t", "s32" },  { "int64_t", "s64" },  { "uint8_t", "u8" },
		{ "uint16_t", "u16" }, { "uint32_t", "u32" }, { "uint64_t", "u64" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(names[i].c, type) == 0)
			return names[i].kernel;
	return NULL;
}

static int probe_type_refuse_unknown(const struct probe_parser *p, const char *start, size_t length)
{
	const char *sign = memchr(start, '@', length);

	if (sign) {
		probe_refuse(p, sign, (size_t)(start + length - sign),
			     "only @user may follow a type");
		return -EINVAL;
	}

	_cleanup_(freep) char *typed = xstrndup(start, length);
	struct similar near = { .typed = typed };

	/* Among names of a single letter, no suggestion is better than another. */
	for (size_t i = 0; length > 1 && i < ARRAY_SIZE(types); i++)
		similar_add(&near, types[i]);

	_cleanup_(freep) char *phrase = similar_phrase(&near);
	const char *kernel = kernel_type(typed);

	probe_refuse(p, start, length, "there is no type '%s'", typed);
	if (kernel)
		diag_hint(p->diag, "write '%s'", kernel);
	else if (phrase)
		diag_hint(p->diag, "did you mean %s?", phrase);
	else
		diag_hint(
			p->diag,
			"types: u8 to u64, s8 to s64, x8 to x64 (or u, s, x alone), char, string, "
			"ustring, symbol, bWIDTH@OFFSET/SIZE; TYPE[COUNT]");
	return -EINVAL;
}

/* Takes a number of a bit field, up to @sign. */
static const char *probe_type_take_number(const char *start, const char *end, char sign,
					  uint64_t *ret)
{
	const char *stop = sign ? memchr(start, sign, (size_t)(end - start)) : end;

	return stop && probe_number(start, stop, ret) >= 0 ? stop : NULL;
}

/* Checks a bit field: b<width>@<offset>/<size>. */
static int check_bits(const struct probe_parser *p, const char *start, const char *end)
{
	uint64_t width, offset, size;
	const char *at = probe_type_take_number(start + 1, end, '@', &width);

	if (at)
		at = probe_type_take_number(at + 1, end, '/', &offset);
	if (at)
		at = probe_type_take_number(at + 1, end, '\0', &size);
	if (!at) {
		probe_refuse(p, start, (size_t)(end - start), "this is not a bit field");
		diag_hint(p->diag, "bWIDTH@OFFSET/SIZE, as in b3@4/32: 3 bits from bit 4 of 32");
		return -EINVAL;
	}

	size_t length = (size_t)(end - start);

	if (size != 8 && size != 16 && size != 32 && size != 64)
		return probe_refuse(p, start, length,
				    "a bit field is in 8, 16, 32 or 64 bits, not in %llu",
				    (unsigned long long)size);
	if (!width || width > size || offset > size - width)
		return probe_refuse(p, start, length,
				    "%llu bits from bit %llu are not all in %llu bits",
				    (unsigned long long)width, (unsigned long long)offset,
				    (unsigned long long)size);
	return 0;
}

/* Checks "[COUNT]", from its bracket. */
static int check_count(const struct probe_parser *p, const char *open, const char *end)
{
	const char *close = memchr(open, ']', (size_t)(end - open));
	uint64_t n;

	if (!close)
		return probe_refuse(p, open, (size_t)(end - open), "this [ is never closed");
	if (close + 1 != end)
		return probe_refuse(p, close + 1, (size_t)(end - close) - 1,
				    "nothing follows the count of an array");
	if (probe_number(open + 1, close, &n) < 0 || !n || n > ARRAY_LENGTH_MAX)
		return probe_refuse(p, open, (size_t)(end - open),
				    "the kernel's arrays have 1 to %d items", ARRAY_LENGTH_MAX);
	return 0;
}

int probe_type_check(const struct probe_parser *p, const char *start, const char *end)
{
	const char *open = memchr(start, '[', (size_t)(end - start));
	const char *name_end = open ? open : end;
	size_t length = (size_t)(name_end - start);
	int r = 0;

	if (!length) {
		probe_refuse(p, start, 0, "the type is missing here");
		diag_hint(p->diag, "as in :u32, :x64 or :string");
		return -EINVAL;
	}
	if (!probe_type_is_known(start, length)) {
		/* A 'b' and a digit can only be a bit field. */
		if (*start != 'b' || length < 2 || !strchr("0123456789@", start[1]))
			return probe_type_refuse_unknown(p, start, length);
		r = check_bits(p, start, name_end);
	}
	if (r >= 0 && open)
		r = check_count(p, open, end);
	return r;
}
