/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "code/target.h"

/* Sizes of the two parts of a text, which together fit into it. */
#define NAME_ROOM     48
#define OPERANDS_ROOM 200

/* Instructions whose suffix objdump omits if a register shows the size. */
static const char *const sized[] = {
	"adc",   "add",  "and",     "bsf",   "bsr",  "bswap", "bt",   "btc",    "btr",
	"bts",   "cmp",  "cmpxchg", "dec",   "div",  "idiv",  "imul", "inc",    "lea",
	"lzcnt", "mov",  "mul",     "neg",   "not",  "or",    "pop",  "popcnt", "push",
	"rcl",   "rcr",  "rol",     "ror",   "sar",  "sbb",   "shl",  "shld",   "shr",
	"shrd",  "sub",  "test",    "tzcnt", "xadd", "xchg",  "xor",  "andn",   "bextr",
	"blsi",  "blsr", "blsmsk",  "bzhi",  "mulx", "pdep",  "pext", "rorx",   "sarx",
	"shlx",  "shrx", "stos",    "lods",  "movs", "scas",  "cmps",
};

/* Instructions that have only one size in 64-bit code. */
static const char *const unsized[] = { "call", "jmp", "leave", "movabs", "pop", "push", "ret" };

static bool x86_64_is_among(const char *const *names, size_t n, const char *text, size_t length)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(names[i]) == length && !memcmp(names[i], text, length))
			return true;
	return false;
}

/* True if an operand is a register that is not just part of an address. */
static bool has_register_operand(const char *operands)
{
	int depth = 0;

	for (const char *p = operands; *p; p++) {
		depth += (*p == '(') - (*p == ')');
		/* "%fs:0x28" is an address, too. */
		if (*p == '%' && !depth && p[strcspn(p, ":,(")] != ':')
			return true;
	}
	return false;
}

/* True for cmovae: the letters between cmov and the suffix are a condition. */
static bool is_cmov(const char *name, size_t length)
{
	return length > 5 && !memcmp(name, "cmov", 4);
}

/* Removes a suffix from the last word of @name if the operands show the size. */
static void drop_suffix(char *name, const char *operands)
{
	const char *space = strrchr(name, ' '), *word = space ? space + 1 : name;
	size_t length = strlen(word);
	char *last = name + strlen(name) - 1;

	/* movq to a vector is a separate instruction. */
	if (length < 3 || !strchr("bwlq", *last) || strstr(operands, "mm"))
		return;
	if ((*last == 'q' && x86_64_is_among(unsized, ARRAY_SIZE(unsized), word, length - 1)) ||
	    (has_register_operand(operands) &&
	     (x86_64_is_among(sized, ARRAY_SIZE(sized), word, length - 1) ||
	      is_cmov(word, length))))
		*last = '\0';
}

/* Copies operands without blanks after commas and before masks, and adds an implied scale of 1. */
static void copy_operands(char *to, size_t room, const char *from)
{
	size_t n = 0, commas = 0;

	for (; *from && n + 3 < room; from++) {
		if (*from == ' ' && ((n && to[n - 1] == ',') || from[1] == '{'))
			continue;
		commas = *from == '(' ? 0 : commas + (*from == ',');
		if (*from == ')' && commas == 1) {
			to[n++] = ',';
			to[n++] = '1';
		}
		to[n++] = *from;
	}
	to[n] = '\0';
}

/* Replaces the @n characters at @at in the operands by @with, if there is space. */
static void x86_64_replace(char *operands, char *at, size_t n, const char *with)
{
	size_t rest = strlen(at + n), length = strlen(with);

	if ((size_t)(at - operands) + length + rest >= OPERANDS_ROOM)
		return;
	memmove(at + length, at + n, rest + 1);
	memcpy(at, with, length);
}

/* Rewrites "$-0x1" as an unsigned number with the number of bits that the suffix gives. */
static void style_negative(char *operands, char suffix)
{
	char *at = strstr(operands, "$-0x"), *end, number[32];
	uint64_t value;

	if (!at)
		return;
	value = (uint64_t)strtoll(at + 1, &end, 16);
	if (suffix == 'l' || suffix == 'w' || suffix == 'b')
		value &= suffix == 'l' ? UINT32_MAX : suffix == 'w' ? UINT16_MAX : UINT8_MAX;
	snprintf(number, sizeof(number), "$0x%" PRIx64, value);
	x86_64_replace(operands, at, (size_t)(end - at), number);
}

/* True if the bytes of a long nop encode a displacement, which is 0. */
static bool is_padded_nop(const uint8_t *bytes, size_t n)
{
	size_t at = 0;

	while (at < n && (bytes[at] == 0x66 || bytes[at] == 0x2e))
		at++;
	return at + 2 < n && bytes[at] == 0x0f && bytes[at + 1] == 0x1f && bytes[at + 2] & 0xc0;
}

/* Adds an encoded displacement of 0, which some registers always have. */
static void style_zero(char *operands, const uint8_t *bytes, size_t n)
{
	char *open = strchr(operands, '(');

	if (!open || (open > operands && !strchr(",:*", open[-1])))
		return;
	if (open[1] == ',' || !strncmp(open, "(%rbp", 5) || !strncmp(open, "(%r13", 5) ||
	    is_padded_nop(bytes, n))
		x86_64_replace(operands, open, 0, "0x0");
}

/* Sets the target to @distance after the end of the instruction. */
static void x86_64_take_relative(struct instruction *in, uint64_t addr, int64_t distance)
{
	in->flow.has_target = true;
	in->flow.target = addr + in->length + (uint64_t)distance;
	in->lead = "        # ";
}

/* Finds the target of an operand such as "0x2ec2(%rip)". */
static void find_rip_att(struct instruction *in, uint64_t addr)
{
	const char *rip = strstr(in->text, "(%rip)"), *number = rip;

	if (!rip)
		return;
	while (number > in->text && strchr("0123456789abcdefx-", number[-1]))
		number--;
	x86_64_take_relative(in, addr, number < rip ? strtoll(number, NULL, 0) : 0);
}

/* Finds the target of an operand such as "[rip+0x2ec2]". */
static void find_rip_intel(struct instruction *in, uint64_t addr)
{
	const char *rip = strstr(in->text, "[rip");
	int64_t distance;

	if (!rip)
		return;
	rip += strlen("[rip");
	distance = strtoll(rip + strspn(rip, " +-"), NULL, 0);
	x86_64_take_relative(in, addr, strspn(rip, " -") > strspn(rip, " ") ? -distance : distance);
}

/*
 * Splits the text into the name, perhaps of several words, and the operands; those of a branch are
 * empty.
 */
static void x86_64_split(const struct instruction *in, char *name, char *operands)
{
	const char *tab = strrchr(in->text, '\t');
	size_t length = tab ? (size_t)(tab - in->text) : strlen(in->text);

	size_t n = 0;

	for (size_t i = 0; i < length && n + 1 < NAME_ROOM; i++) {
		bool is_space = in->text[i] == '\t' || in->text[i] == ' ';

		if (!is_space || (n && name[n - 1] != ' '))
			name[n++] = is_space ? ' ' : in->text[i];
	}
	name[n] = '\0';
	copy_operands(operands, OPERANDS_ROOM, tab ? tab + 1 : "");
	if (in->flow.has_target)
		operands[0] = '\0';
}

/* Joins name and operands, with the name in a column of its own. */
static void x86_64_join(struct instruction *in, const char *name, const char *operands)
{
	bool is_alone = !*operands && !in->flow.has_target;

	snprintf(in->text, sizeof(in->text), is_alone ? "%s%s" : "%-6s %s", name, operands);
}

/* Rewrites "nopw %cs:(%rax)" as "cs nopw (%rax)". */
static void style_nop(char *name, char *operands)
{
	char *cs = !strncmp(name, "nop", 3) ? strstr(operands, "%cs:") : NULL;

	if (!cs)
		return;
	x86_64_replace(operands, cs, strlen("%cs:"), "");
	memmove(name + 3, name, strlen("nopw") + 1);
	memcpy(name, "cs ", 3);
}

static void style_att(struct instruction *in, const uint8_t *bytes, uint64_t addr)
{
	char name[NAME_ROOM], operands[OPERANDS_ROOM];

	x86_64_split(in, name, operands);
	if (!strcmp(name, "nop") && in->length == 2 && bytes[0] == 0x66) {
		snprintf(in->text, sizeof(in->text), "xchg   %%ax,%%ax");
		return;
	}
	if (*name)
		style_negative(operands, name[strlen(name) - 1]);
	style_nop(name, operands);
	style_zero(operands, bytes, in->length);
	drop_suffix(name, operands);
	x86_64_join(in, name, operands);
	if (!in->flow.has_target)
		find_rip_att(in, addr);
}

/* Rewrites "qword ptr [rbp - 8]" as "QWORD PTR [rbp-8]". */
static void style_address(char *operands)
{
	char *to = operands, *ptr = strstr(operands, " ptr ");
	bool within = false;

	for (char *p = ptr ? ptr + 3 : NULL; p && p >= operands && *p != ',' && *p != '\t'; p--)
		*p = (char)toupper((unsigned char)*p);
	for (const char *from = operands; *from; from++) {
		within = *from == '[' || (within && *from != ']');
		if (*from != ' ' || !within)
			*to++ = *from;
	}
	*to = '\0';
}

static void style_intel(struct instruction *in, uint64_t addr)
{
	char name[NAME_ROOM], operands[OPERANDS_ROOM];

	x86_64_split(in, name, operands);
	style_address(operands);
	x86_64_join(in, name, operands);
	if (!in->flow.has_target)
		find_rip_intel(in, addr);
}

static void x86_64_style(struct instruction *in, const uint8_t *bytes, uint64_t addr,
			 enum disassembler_syntax syntax)
{
	if (syntax == SYNTAX_ATT)
		style_att(in, bytes, addr);
	else
		style_intel(in, addr);
}

static void x86_64_style_unknown(struct instruction *in, const uint8_t *bytes, size_t n)
{
	(void)bytes, (void)n;
	in->length = 1;
	snprintf(in->text, sizeof(in->text), "(bad)");
}

static const char *const prefixes[] = { "lock",     "rep",    "repne", "notrack", "xacquire",
					"xrelease", "data16", "cs",    NULL };

const struct disasm_target disasm_x86_64 = {
	.arch = &arch_x86_64,
	.llvm = { "X86", "", "" },
	.capstone = { .arch = 3, .mode = 1 << 3 }, /* CS_ARCH_X86, CS_MODE_64 */
	.has_syntaxes = true,
	.prefixes = prefixes,
	.style = x86_64_style,
	.style_unknown = x86_64_style_unknown,
};
