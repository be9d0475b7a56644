/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "code/target.h"

/* The width to which objdump pads an immediate if a comment follows. */
#define MOV_WIDTH 20

/* Conditions, and their aliases for SVE, which objdump shows in a comment. */
static const struct {
	const char *name, *shown, *aliases[3];
} conditions[] = {
	{ "eq", "eq", { "none" } },
	{ "ne", "ne", { "any" } },
	{ "hs", "cs", { "hs", "nlast" } },
	{ "cs", "cs", { "hs", "nlast" } },
	{ "lo", "cc", { "lo", "ul", "last" } },
	{ "cc", "cc", { "lo", "ul", "last" } },
	{ "mi", "mi", { "first" } },
	{ "pl", "pl", { "nfrst" } },
	{ "hi", "hi", { "pmore" } },
	{ "ls", "ls", { "plast" } },
	{ "ge", "ge", { "tcont" } },
	{ "lt", "lt", { "tstop" } },
};

/* Instructions whose last operand is a condition. */
static const char *const conditional[] = {
	"ccmn",  "ccmp",  "cinc",  "cinv",  "cneg",  "csel",   "cset",
	"csetm", "csinc", "csinv", "csneg", "fccmp", "fccmpe", "fcsel",
};

/* Instructions whose immediates are shown in hexadecimal digits. */
static const char *const hexadecimal[] = {
	"add", "adds", "bic",  "brk",  "ccmn", "ccmp", "cmn", "cmp", "fccmp", "hint", "hlt", "hvc",
	"mov", "movi", "movk", "movn", "movz", "mvni", "orr", "smc", "sub",   "subs", "svc", "udf",
};

static bool aarch64_is_among(const char *const *names, size_t n, const char *text)
{
	size_t length = strcspn(text, "\t");

	for (size_t i = 0; i < n; i++)
		if (strlen(names[i]) == length && !memcmp(names[i], text, length))
			return true;
	return false;
}

/* Replaces the @n characters at @at, which lie in @text, by @with, if there is space. */
static void aarch64_replace(char *text, char *at, size_t n, const char *with)
{
	size_t rest = strlen(at + n), length = strlen(with);

	if ((size_t)(at - text) + length + rest >= INSTRUCTION_TEXT_MAX)
		return;
	memmove(at + length, at + n, rest + 1);
	memcpy(at, with, length);
}

/* Appends a comment "eq = none" or "b.none": the aliases of @condition, each after @before. */
static void comment_on(struct instruction *in, size_t condition, const char *first,
		       const char *before)
{
	size_t at = strlen(first);

	snprintf(in->comment, sizeof(in->comment), "%s", first);
	for (size_t i = 0; i < 3 && conditions[condition].aliases[i]; i++) {
		const char *alias = conditions[condition].aliases[i];
		int n = snprintf(in->comment + at, sizeof(in->comment) - at, "%s%s%s",
				 i ? ", " : "", before, alias);

		at += (size_t)n;
	}
}

/* Returns the number of the condition at @at; SIZE_MAX: it is none, or has no alias. */
static size_t find_condition(const char *at, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(conditions); i++)
		if (n == 2 && !memcmp(at, conditions[i].name, 2))
			return i;
	return SIZE_MAX;
}

static void style_condition(struct instruction *in)
{
	char *last = strrchr(in->text, ' '), first[16];
	size_t which = last ? find_condition(last + 1, strlen(last + 1)) : SIZE_MAX;

	if (which == SIZE_MAX)
		return;
	memcpy(last + 1, conditions[which].shown, 2);
	snprintf(first, sizeof(first), "\t// %s = ", conditions[which].shown);
	comment_on(in, which, first, "");
}

static void style_branch(struct instruction *in)
{
	char *condition = !strncmp(in->text, "b.", 2) ? in->text + 2 : NULL;
	size_t which = condition ? find_condition(condition, strcspn(condition, "\t")) : SIZE_MAX;

	if (which == SIZE_MAX)
		return;
	memcpy(condition, conditions[which].shown, 2);
	comment_on(in, which, "  // ", "b.");
}

/* Finds an immediate operand at or after @at; not the distance of a shift, "lsl #4". */
static char *find_immediate(char *at)
{
	while ((at = strchr(at, '#')) && at[-1] != '\t' && at[-2] != ',')
		at++;
	return at;
}

/* Rewrites the number at @at in hexadecimal digits, padded to @width. Returns the text after it. */
static char *style_number(struct instruction *in, char *at, bool is_32, int width, uint64_t *ret)
{
	char *end, number[64];
	bool is_hex = !strncmp(at + 1, "0x", 2);

	errno = 0;
	/* A leading 0 does not make the number octal: vectors have several zeros. */
	*ret = at[1] == '-' ? (uint64_t)strtoll(at + 1, &end, 10)
			    : strtoull(at + 1, &end, is_hex ? 16 : 10);
	if (end == at + 1 || errno || *end == '.')
		return at + 1;
	if (is_32)
		*ret &= UINT32_MAX;
	snprintf(number, sizeof(number), "#0x%-*" PRIx64, width, *ret);
	aarch64_replace(in->text, at, (size_t)(end - at), number);
	return at + 1;
}

/* Rewrites immediates: "mov w0, #-1" is "#0xffffffff", with the number after it. */
static void style_immediates(struct instruction *in)
{
	char *at = find_immediate(in->text);
	const char *operands = strchr(in->text, '\t');
	bool is_32 = operands && operands[1] == 'w';
	uint64_t value;

	if (!strncmp(in->text, "mov\t", 4) && at) {
		style_number(in, at, is_32, MOV_WIDTH, &value);
		snprintf(in->comment, sizeof(in->comment), "\t// #%" PRId64,
			 is_32 ? (int32_t)value : (int64_t)value);
		return;
	}
	while (at)
		at = find_immediate(style_number(in, at, is_32, 0, &value));
}

/* Removes the blanks of "{ z0.b }". */
static void style_list(struct instruction *in)
{
	char *open = strchr(in->text, '{'), *close;

	if (open && open[1] == ' ')
		aarch64_replace(in->text, open + 1, 1, "");
	close = strchr(in->text, '}');
	if (close > in->text && close[-1] == ' ')
		aarch64_replace(in->text, close - 1, 1, "");
}

/* Renames a widening shift by 0, which has its own mnemonic. */
static void style_widening(struct instruction *in)
{
	size_t n = strlen(in->text);

	if ((strncmp(in->text, "ushll", 5) && strncmp(in->text, "sshll", 5)) || n < 4 ||
	    strcmp(in->text + n - 4, ", #0"))
		return;
	in->text[n - 4] = '\0';
	aarch64_replace(in->text, in->text + 1, 4, "xtl");
}

/* Writes system registers in lower case. */
static void style_small(struct instruction *in)
{
	for (char *p = in->text; *p; p++)
		*p = (char)tolower((unsigned char)*p);
}

/* Rewrites a number such as "#1.00000000" with an exponent. */
static void style_float(struct instruction *in)
{
	char *at = strchr(in->text, '#'), *end, number[48];
	double value = at ? strtod(at + 1, &end) : 0;

	if (!at || end == at + 1)
		return;
	snprintf(number, sizeof(number), "#%.18e", value);
	aarch64_replace(in->text, at, (size_t)(end - at), number);
}

/* Removes the last operand, a distance or an address: the caller writes the target. */
static void cut_target(struct instruction *in)
{
	char *tab = strrchr(in->text, '\t'), *space = strrchr(in->text, ' ');
	char *before = space && (!tab || space > tab) ? space : tab;

	if (before)
		before[1] = '\0';
}

static void aarch64_style(struct instruction *in, const uint8_t *bytes, uint64_t addr,
			  enum disassembler_syntax syntax)
{
	(void)bytes, (void)addr, (void)syntax;
	if (in->flow.has_target) {
		cut_target(in);
		style_branch(in);
		return;
	}
	if (aarch64_is_among(hexadecimal, ARRAY_SIZE(hexadecimal), in->text))
		style_immediates(in);
	if (aarch64_is_among(conditional, ARRAY_SIZE(conditional), in->text))
		style_condition(in);
	if (!strncmp(in->text, "fmov\t", 5))
		style_float(in);
	if (!strncmp(in->text, "mrs\t", 4) || !strncmp(in->text, "msr\t", 4))
		style_small(in);
	style_list(in);
	style_widening(in);
}

static void aarch64_style_unknown(struct instruction *in, const uint8_t *bytes, size_t n)
{
	in->length = n < 4 ? 1 : 4;
	if (n < 4)
		snprintf(in->text, sizeof(in->text), ".byte\t0x%02x", bytes[0]);
	else
		snprintf(in->text, sizeof(in->text), ".inst\t0x%02x%02x%02x%02x ; undefined",
			 bytes[3], bytes[2], bytes[1], bytes[0]);
}

const struct disasm_target disasm_aarch64 = {
	.arch = &arch_aarch64,
	.llvm = { "AArch64", "+all",
		  "+v8.7a,+v9.3a,+sve2,+sve2-aes,+sve2-sm4,+sve2-sha3,+sve2-bitperm,+fullfp16,"
		  "+fp16fml,+bf16,+i8mm,+f32mm,+f64mm,+crypto,+sha3,+sm4,+aes,+mte,+rand,+spe,+ras,"
		  "+tme,+ls64,+sme,+sme-i64,+sme-f64,+brbe,+ete,+hbc,+mops" },
	.capstone = { .arch = 1 }, /* CS_ARCH_ARM64 */
	.style = aarch64_style,
	.style_unknown = aarch64_style_unknown,
};
