/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "probe/probe-parser.h"

/* The steps that the kernel has for one argument (FETCH_INSN_MAX) hold no more. */
#define DEREFERENCES_MAX 14

/* True if the text is a number, possibly with a sign. */
static bool probe_fetch_text_is_number(const char *start, const char *end)
{
	uint64_t n;

	if (start < end && (*start == '-' || *start == '+'))
		start++;
	return start < end && probe_number(start, end, &n) >= 0;
}

static bool probe_fetch_text_all_digits(const char *start, const char *end)
{
	for (const char *at = start; at < end; at++)
		if (!isdigit((unsigned char)*at))
			return false;
	return start < end;
}

static bool probe_fetch_text_equals(const char *start, const char *end, const char *word)
{
	return strlen(word) == (size_t)(end - start) &&
	       memcmp(start, word, (size_t)(end - start)) == 0;
}

static int refuse_dollar(const struct probe_parser *p, const char *start, const char *end)
{
	static const char *const names[] = { "$retval", "$stack", "$comm", "$vars", "$params" };
	_cleanup_(freep) char *typed = xstrndup(start, (size_t)(end - start));
	struct similar near = { .typed = typed };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		similar_add(&near, names[i]);

	_cleanup_(freep) char *phrase = similar_phrase(&near);

	probe_refuse(p, start, (size_t)(end - start), "there is no '%s'", typed);
	if (phrase)
		diag_hint(p->diag, "did you mean %s?", phrase);
	else
		diag_hint(p->diag,
			  "there are $retval, $arg1 and so on, $stack, $stack0 and so on, $comm, "
			  "$vars and $params; variables have no $");
	return -EINVAL;
}

/* Checks $retval, $stack, $stack3, $comm, $arg1; and $arg*, which kernels know since 6.5. */
static int check_dollar(const struct probe_parser *p, const char *start, const char *end,
			bool is_return)
{
	size_t length = (size_t)(end - start);

	if (probe_fetch_text_equals(start, end, "$retval")) {
		if (is_return)
			return 0;
		probe_refuse(p, start, length, "there is no $retval before the function returns");
		diag_hint(p->diag, "a return probe has it: FUNC%%return");
		return -EINVAL;
	}
	if (probe_fetch_text_equals(start, end, "$stack") ||
	    probe_fetch_text_equals(start, end, "$comm") ||
	    probe_fetch_text_equals(start, end, "$COMM") ||
	    probe_fetch_text_equals(start, end, "$arg*"))
		return 0;
	if (length > 6 && memcmp(start, "$stack", 6) == 0 &&
	    probe_fetch_text_all_digits(start + 6, end))
		return 0;
	if (length > 4 && memcmp(start, "$arg", 4) == 0 &&
	    probe_fetch_text_all_digits(start + 4, end)) {
		if (start[4] == '0')
			return probe_refuse(p, start, length,
					    "the first argument of a function is $arg1");
		return 0;
	}
	if (probe_fetch_text_equals(start, end, "$vars") ||
	    probe_fetch_text_equals(start, end, "$params"))
		return probe_refuse(p, start, length, "'%.*s' is several values", (int)length,
				    start);
	return refuse_dollar(p, start, end);
}

static int probe_fetch_text_check_register(const struct probe_parser *p, const char *start,
					   const char *end)
{
	size_t length = (size_t)(end - start);

	if (probe_fetch_text_equals(start, end, "%return")) {
		probe_refuse(p, start, length, "%%return follows the function without a blank");
		return -EINVAL;
	}
	if (length == 1)
		return probe_refuse(p, end, 0, "the name of a register is missing after '%%'");
	for (const char *at = start + 1; at < end; at++)
		if (!isalnum((unsigned char)*at) && *at != '_')
			return *at == ')' ? probe_refuse(p, at, 1, "this ) has no ( before it")
					  : probe_refuse(p, at, 1,
							 "no register has a '%c' in its name", *at);
	return 0;
}

static bool is_symbol_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* Checks @SYM, @SYM+8, @0xffff..., or @+OFFSET of a program's file. */
static int check_memory(const struct probe_parser *p, const char *start, const char *end)
{
	const char *at = start + 1;
	size_t length = (size_t)(end - at);

	if (!length)
		return probe_refuse(p, end, 0, "a symbol or an address is missing after '@'");
	if (isdigit((unsigned char)*at) || *at == '+' || *at == '-') {
		if (!probe_fetch_text_is_number(at, end))
			return probe_refuse(p, at, length, "this is not an address");
		return 0;
	}

	size_t name = 0;

	while (name < length && is_symbol_char(at[name]))
		name++;
	if (name < length && at[name] != '+' && at[name] != '-')
		return probe_refuse(p, at + name, 1, "no symbol has a '%c'", at[name]);
	if (name < length && !probe_fetch_text_is_number(at + name + 1, end))
		return probe_refuse(p, at + name, length - name,
				    "the offset behind a symbol must be a number");
	return 0;
}

/* Checks an immediate value: \1, \-1, \"text". */
static int check_immediate(const struct probe_parser *p, const char *start, const char *end)
{
	const char *at = start + 1;

	if (at == end)
		return probe_refuse(p, end, 0, "a number or \"text\" is missing after '\\'");
	if (*at == '"') {
		if (end - at < 2 || end[-1] != '"')
			return probe_refuse(p, at, (size_t)(end - at),
					    "this text is never closed (it cannot have blanks)");
		return 0;
	}
	if (!probe_fetch_text_is_number(at, end))
		return probe_refuse(p, at, (size_t)(end - at), "a number or \"text\" follows '\\'");
	return 0;
}

static int refuse_inner(const struct probe_parser *p, const char *start, const char *end)
{
	size_t length = (size_t)(end - start);

	if (!length)
		return probe_refuse(p, start, 0, "what is to be read is missing here");
	if (isalpha((unsigned char)*start) || *start == '_') {
		probe_refuse(p, start, length, "a variable cannot be in parentheses");
		diag_hint(p->diag,
			  "write VARIABLE->MEMBER or VARIABLE[INDEX]; in parentheses there "
			  "may be %%REG, $stack, @SYMBOL or +OFFSET(...)");
		return -EINVAL;
	}
	probe_refuse(p, start, length, "this cannot be recorded");
	if (*start == '*')
		diag_hint(p->diag, "write %.*s[0] for what a pointer points to", (int)length - 1,
			  start + 1);
	else if (*start == '&')
		diag_hint(p->diag, "values are recorded, not where they are");
	else if (*start == '(')
		diag_hint(p->diag, "a cast follows its value: VARIABLE:u32");
	else if (isdigit((unsigned char)*start))
		diag_hint(p->diag, "a constant is written \\%.*s, memory +8(%%REG)", (int)length,
			  start);
	else
		diag_hint(p->diag, "a variable, or one of $retval, $arg1, $stack, $comm, %%REG, "
				   "@SYMBOL, +OFFSET(...)");
	return -EINVAL;
}

/* Checks "+8(" or "-u8(", and returns where the parenthesis is, or an error. */
static int probe_fetch_text_check_offset(const struct probe_parser *p, const char *start,
					 const char *end, const char **ret_open)
{
	const char *digits = start + 1 + (end - start > 1 && start[1] == 'u');
	const char *open = memchr(start, '(', (size_t)(end - start));

	if (!open) {
		probe_refuse(p, end, 0, "'(' is missing here: %.*s(WHERE)", (int)(end - start),
			     start);
		diag_hint(p->diag, "an offset in a function follows it without a blank");
		return -EINVAL;
	}
	if (digits == open)
		return probe_refuse(p, open, 0, "the offset is missing here");
	if (!isdigit((unsigned char)*digits) || !probe_fetch_text_is_number(digits, open))
		return probe_refuse(p, digits, (size_t)(open - digits),
				    "the offset must be a number of 64 bits");
	*ret_open = open;
	return 0;
}

/* Enters one pair of parentheses after the other. */
static int enter_dereferences(const struct probe_parser *p, const char **start, const char **end)
{
	for (int depth = 0; *start < *end && (**start == '+' || **start == '-'); depth++) {
		const char *open = NULL;
		int r = probe_fetch_text_check_offset(p, *start, *end, &open);

		if (r < 0)
			return r;
		if ((*end)[-1] != ')')
			return memchr(open, ')', (size_t)(*end - open))
				       ? probe_refuse(p, *end - 1, 1, "')' is expected here")
				       : probe_refuse(p, open, 1, "this ( is never closed");
		if (depth == DEREFERENCES_MAX)
			return probe_refuse(p, *start, (size_t)(*end - *start),
					    "the kernel follows %d pointers at most",
					    DEREFERENCES_MAX);
		*start = open + 1;
		--*end;
	}
	return 0;
}

int probe_fetch_check(const struct probe_parser *p, const char *start, const char *end,
		      bool is_return)
{
	const char *whole = start;
	int r = enter_dereferences(p, &start, &end);

	if (r < 0)
		return r;
	if (start < end) {
		bool is_inner = start != whole;

		if (is_inner && (probe_fetch_text_equals(start, end, "$comm") ||
				 strncmp(start, "\\\"", 2) == 0))
			return probe_refuse(p, start, (size_t)(end - start),
					    "this is a text, not a pointer");
		switch (*start) {
		case '$':
			return check_dollar(p, start, end, is_return);
		case '%':
			return probe_fetch_text_check_register(p, start, end);
		case '@':
			return check_memory(p, start, end);
		case '\\':
			return check_immediate(p, start, end);
		}
	}
	return refuse_inner(p, start, end);
}
