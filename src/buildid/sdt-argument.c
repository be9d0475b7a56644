/* SPDX-License-Identifier: MIT */
#include "buildid/sdt-argument.h"

#include <ctype.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"

#define OPERAND_MAX 64

/* The assembler's names of one x86 register by width, and the kernel's, which comes last. */
static const char *const x86_registers[][5] = {
	{ "rax", "eax", "ax", "al", "ax" },       { "rbx", "ebx", "bx", "bl", "bx" },
	{ "rcx", "ecx", "cx", "cl", "cx" },       { "rdx", "edx", "dx", "dl", "dx" },
	{ "rsi", "esi", "si", "sil", "si" },      { "rdi", "edi", "di", "dil", "di" },
	{ "rbp", "ebp", "bp", "bpl", "bp" },      { "rsp", "esp", "sp", "spl", "sp" },
	{ "r8", "r8d", "r8w", "r8b", "r8" },      { "r9", "r9d", "r9w", "r9b", "r9" },
	{ "r10", "r10d", "r10w", "r10b", "r10" }, { "r11", "r11d", "r11w", "r11b", "r11" },
	{ "r12", "r12d", "r12w", "r12b", "r12" }, { "r13", "r13d", "r13w", "r13b", "r13" },
	{ "r14", "r14d", "r14w", "r14b", "r14" }, { "r15", "r15d", "r15w", "r15b", "r15" },
};

/* Appends "%rdi" as the kernel calls it; false if it is no register. */
static bool add_x86_register(const char *name, size_t length, struct text *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(x86_registers); i++)
		for (size_t j = 0; j < 4; j++) {
			const char *known = x86_registers[i][j];

			if (strlen(known) == length && !memcmp(known, name, length)) {
				text_addf(out, "%%%s", x86_registers[i][4]);
				return true;
			}
		}
	return false;
}

/* x0 to x30, their halves w0 to w30 (in the same register), sp. */
static bool add_arm_register(const char *name, size_t length, struct text *out)
{
	char *end;

	if (length == 2 && !memcmp(name, "sp", 2)) {
		text_add(out, "%sp");
		return true;
	}
	if (length < 2 || (*name != 'x' && *name != 'w') || !isdigit((unsigned char)name[1]))
		return false;

	unsigned long number = strtoul(name + 1, &end, 10);

	if (end != name + length || number > 30)
		return false;
	text_addf(out, "%%x%lu", number);
	return true;
}

/* A number that ends exactly at @end. */
static bool read_number(const char *s, const char *end, long *ret)
{
	char *stop;

	if (s == end || isspace((unsigned char)*s))
		return false;
	*ret = strtol(s, &stop, 0);
	return stop == end;
}

static bool add_constant(const char *s, const char *end, struct text *out)
{
	long value;

	if (!read_number(s, end, &value))
		return false;
	text_addf(out, "\\%ld", value);
	return true;
}

/* Splits "name+8" or "8+name", up to @end, into the name, which is terminated, and the number. */
static char *split_variable(char *s, char *end, long *ret_offset)
{
	char *sign = s + strcspn(s, "+-"), *name = s;

	*ret_offset = 0;
	if (sign == end)
		return name;
	if (isdigit((unsigned char)*s)) {
		name = sign + 1;
		return *sign == '+' && read_number(s, sign, ret_offset) ? name : NULL;
	}
	if (!read_number(sign, end, ret_offset))
		return NULL;
	*sign = '\0';
	return name;
}

/* name(%rip), name+8(%rip): the assembler's way to write a global variable. */
static bool add_x86_variable(const char *s, const char *open, const struct sdt_place *place,
			     struct text *out)
{
	_cleanup_(freep) char *copy = xstrndup(s, (size_t)(open - s));
	uint64_t at;
	long offset;
	char *name = split_variable(copy, copy + strlen(copy), &offset);

	if (!place->variable || !name || !place->variable(place->arg, name, &at))
		return false;
	text_addf(out, "@+0x%llx", (unsigned long long)(at + (uint64_t)offset));
	return true;
}

/* $5, %rax, -8(%rbp), name(%rip). Scaled indexes are beyond the kernel. */
static bool add_x86_operand(const char *s, size_t length, const struct sdt_place *place,
			    struct text *out)
{
	const char *end = s + length, *open = memchr(s, '(', length);
	long offset = 0;

	if (open && !strcmp(open, "(%rip)"))
		return add_x86_variable(s, open, place, out);
	if (*s == '$')
		return add_constant(s + 1, end, out);
	if (*s == '%')
		return add_x86_register(s + 1, length - 1, out);
	if (!open || end[-1] != ')' || open[1] != '%' ||
	    (open > s && !read_number(s, open, &offset)))
		return false;
	text_addf(out, "%+ld(", offset);
	if (!add_x86_register(open + 2, (size_t)(end - 1 - (open + 2)), out))
		return false;
	text_add_char(out, ')');
	return true;
}

/* 5, x0, [sp, 16], [x1]. */
static bool add_arm_operand(const char *s, size_t length, struct text *out)
{
	const char *end = s + length, *comma = memchr(s, ',', length);
	long offset = 0;

	if (isdigit((unsigned char)*s) || *s == '-')
		return add_constant(s, end, out);
	if (*s != '[')
		return add_arm_register(s, length, out);
	if (end[-1] != ']')
		return false;

	const char *name_end = comma ? comma : end - 1;

	if (comma) {
		comma += 1 + strspn(comma + 1, " #");
		if (comma >= end || !read_number(comma, end - 1, &offset))
			return false;
	}
	text_addf(out, "%+ld(", offset);
	if (!add_arm_register(s + 1, (size_t)(name_end - (s + 1)), out))
		return false;
	text_add_char(out, ')');
	return true;
}

static bool add_operand(const char *s, size_t length, const struct sdt_place *place,
			struct text *out)
{
	if (!length || length >= OPERAND_MAX)
		return false;

	/* Bounded by a NUL, so that strtol() cannot run on. */
	char copy[OPERAND_MAX];

	memcpy(copy, s, length);
	copy[length] = '\0';
	switch (place->machine) {
	case EM_X86_64:
	case EM_386:
		return add_x86_operand(copy, length, place, out);
	case EM_AARCH64:
		return add_arm_operand(copy, length, out);
	default:
		return false;
	}
}

/* ":s32" for -4; "" where there is no size; NULL for one that the kernel does not have. */
static const char *type_of(const char *size, size_t length)
{
	static const char *const types[] = { ":u8", ":u16", ":u32", ":u64",
					     ":s8", ":s16", ":s32", ":s64" };
	static const char sizes[] = "1248";
	bool negative = length && *size == '-';
	const char *digit = size + negative;

	if (!length)
		return "";
	/* A letter behind it says that it is a floating-point number. */
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

	const char *type = type_of(s, sign), *word = separator ? separator + 1 : s;

	if (type && add_operand(word, (size_t)(s + length - word), place, &operand))
		text_addf(out, " arg%u=%s%s", number, operand.chars, type);
	text_done(&operand);
	return true;
}
