/* SPDX-License-Identifier: MIT */
/*
 * Parses names of functions and files in definitions. Names in C are simple. Those of C++ and Rust
 * contain blanks and operators (`ns::Map<int, char>::operator+=`); brackets, "::" and "operator"
 * show where.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "probe/probe-parser.h"

/* A name while it is parsed. */
struct name {
	struct text chars;
	const char *start;
	const char *odd;   /* the first character that no function's name has, or NULL */
	bool has_brackets; /* it has brackets, as in C++ and Rust: <>, (), {} */
};

/* Takes everything between two quotes as part of the name. */
static int probe_name_take_quoted(struct probe_parser *p, struct name *n)
{
	const char *open = p->at;
	const char *close = strchr(open + 1, *open);

	if (!close)
		return probe_refuse(p, open, 1, "this quote is never closed");
	if (close == open + 1)
		return probe_refuse(p, open, 2, "there is no name between these quotes");
	text_add_bytes(&n->chars, open + 1, (size_t)(close - open) - 1);
	p->at = close + 1;
	return 0;
}

static char probe_name_closing(char open)
{
	return open == '<' ? '>' : open == '(' ? ')' : open == '[' ? ']' : '}';
}

/*
 * Takes the text from an opening bracket to its closing one; blanks and signs in between are part
 * of the name.
 */
static int take_bracketed(struct probe_parser *p, struct name *n)
{
	const char *open = p->at;
	size_t depth = 0;

	for (const char *at = open; *at; at++) {
		/* This is the arrow of a function type, not a closing bracket. */
		bool is_arrow = *at == '>' && at > open && at[-1] == '-';

		if (*at == *open)
			depth++;
		else if (*at == probe_name_closing(*open) && !is_arrow)
			depth--;
		if (depth)
			continue;
		text_add_bytes(&n->chars, open, (size_t)(at + 1 - open));
		n->has_brackets |= *open != '[';
		p->at = at + 1;
		return 0;
	}
	return probe_refuse(p, open, 1, "this %c is never closed", *open);
}

/* Returns the length of the C++ operator at @at. */
static size_t operator_length(const char *at)
{
	/* Longer operators come before their prefixes. */
	static const char *const operators[] = {
		"<=>", "->*", "<<=", ">>=", "->", "()", "[]", "++", "--", "<<", ">>", "<=", ">=",
		"==",  "!=",  "&&",  "||",  "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "+",
		"-",   "*",   "/",   "%",   "^",  "&",  "|",  "~",  "!",  "=",  "<",  ">",  ",",
	};

	for (size_t i = 0; i < ARRAY_SIZE(operators); i++)
		if (strncmp(at, operators[i], strlen(operators[i])) == 0)
			return strlen(operators[i]);
	return 0;
}

/* Takes "operator" and the signs after it, which are part of the name: operator+=, operator(). */
static bool probe_name_take_operator(struct probe_parser *p, struct name *n)
{
	static const char word[] = "operator";
	size_t length = sizeof(word) - 1;
	bool begins = p->at == n->start || p->at[-1] == ':';

	if (!begins || strncmp(p->at, word, length) != 0)
		return false;

	const char *signs = p->at + length;
	size_t n_signs = operator_length(signs);

	/* This is a function called "operator", followed by an offset or by %return. */
	if (!n_signs || isalnum((unsigned char)signs[n_signs]))
		return false;
	text_add_bytes(&n->chars, p->at, length + n_signs);
	n->has_brackets = true;
	p->at = signs + n_signs;
	return true;
}

static bool probe_name_is_plain(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || strchr("_.$*?~/", c);
}

static int take_escaped(struct probe_parser *p, struct name *n)
{
	if (!p->at[1])
		return probe_refuse(p, p->at, 1, "nothing follows this backslash");
	text_add_char(&n->chars, p->at[1]);
	p->at += 2;
	return 0;
}

/* Takes one character of a name, or several that belong together. */
static int take_name_part(struct probe_parser *p, struct name *n)
{
	if (*p->at == '\\')
		return take_escaped(p, n);
	if (p->at == n->start && (*p->at == '"' || *p->at == '\''))
		return probe_name_take_quoted(p, n);
	if (*p->at && strchr("<([{", *p->at))
		return take_bracketed(p, n);
	if (probe_name_take_operator(p, n))
		return 0;
	if (p->at[0] == ':' && p->at[1] == ':')
		text_add_char(&n->chars, *p->at++);
	else if (!probe_name_is_plain(*p->at) && !n->odd)
		n->odd = p->at;
	text_add_char(&n->chars, *p->at++);
	return 0;
}

static bool at_name_end(const struct probe_parser *p)
{
	if (p->at[0] == ':' && p->at[1] == ':')
		return false;
	return probe_at_end(p) || strchr(PROBE_SIGNS, *p->at);
}

static int probe_name_take(struct probe_parser *p, struct name *n)
{
	int r = 0;

	n->start = p->at;
	while (r >= 0 && !at_name_end(p))
		r = take_name_part(p, n);
	return r;
}

/* True if the name looks like a compiler's copy of a function: foo.isra.0, foo.cold. */
static bool is_copy_of_function(const char *name)
{
	static const char *const endings[] = { ".isra.", ".constprop.", ".part.", ".cold",
					       ".llvm." };

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		if (strstr(name, endings[i]))
			return true;
	return false;
}

/* True if it is the name of a file. Files have a dot; functions do not. */
static bool probe_name_names_file(const struct name *n)
{
	const char *chars = n->chars.chars;

	if (n->has_brackets || strstr(chars, "::"))
		return false;
	return strchr(chars, '/') || (strchr(chars, '.') && !is_copy_of_function(chars));
}

/* True if the name ends like that of a source file. No function has such a name. */
static bool probe_name_is_source(const char *name)
{
	static const char *const endings[] = { ".c",   ".h",   ".S",   ".cc", ".cpp",
					       ".cxx", ".hpp", ".hxx", ".rs", ".go" };
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < ARRAY_SIZE(endings); i++)
		if (strcmp(dot, endings[i]) == 0)
			return true;
	return false;
}

static int refuse_odd(const struct probe_parser *p, const char *odd)
{
	if (*odd == '=') {
		probe_refuse(p, odd, 1, "an event has one name, and a function's name has no '='");
		diag_hint(p->diag, "write \\= where the name of the function has one");
	} else if (*odd == '-') {
		probe_refuse(p, odd, 1, "no name of a function has a '-'");
		diag_hint(p->diag, "an offset counts from the function's first byte: FUNC+OFFSET");
	} else if (strchr(",|&", *odd)) {
		probe_refuse(p, odd, 1, "a definition names one function");
		diag_hint(p->diag, "give each its own --add, or use a glob such as 'tcp_*'");
	} else {
		probe_refuse(p, odd, 1, "no name of a function has a '%c'", *odd);
		diag_hint(p->diag, "write a backslash before it if this one has");
	}
	return -EINVAL;
}

static int probe_name_check_function(const struct probe_parser *p, const struct name *n)
{
	const char *name = n->chars.chars;
	size_t length = n->chars.length;
	size_t source_length = (size_t)(p->at - n->start);

	if (probe_name_is_source(name) && !n->has_brackets) {
		probe_refuse(p, n->start, source_length, "a source file needs a line or a pattern");
		diag_hint(p->diag, "FILE:LINE or FILE;PATTERN");
		return -EINVAL;
	}
	if (n->odd)
		return refuse_odd(p, n->odd);
	if (length > 2 && strcmp(name + length - 2, "()") == 0 && p->at[-1] == ')' &&
	    !strstr(name, "operator")) {
		probe_refuse(p, p->at - 2, 2, "a function is named without its parentheses");
		return -EINVAL;
	}
	if (length && strspn(name, "0123456789") == length) {
		probe_refuse(p, n->start, source_length, "a number is not a function");
		diag_hint(p->diag, "an address is written in hexadecimal: 0x%llx",
			  strtoull(name, NULL, 10));
		return -EINVAL;
	}
	return 0;
}

/* True if the name of a file can end here. */
static bool file_may_end(const struct probe_parser *p, bool may_be_alone)
{
	return *p->at == ':' || *p->at == ';' || (may_be_alone && probe_at_end(p));
}

int probe_place_take(struct probe_parser *p, bool may_be_alone, char **ret_function,
		     char **ret_file)
{
	struct name n = { .chars = TEXT_EMPTY };
	int r = probe_name_take(p, &n);

	if (r >= 0 && n.chars.length) {
		bool is_file = file_may_end(p, may_be_alone) && probe_name_names_file(&n);

		r = is_file ? 0 : probe_name_check_function(p, &n);
		*(is_file ? ret_file : ret_function) = text_take(&n.chars);
	}
	text_done(&n.chars);
	return r;
}

int probe_file_take(struct probe_parser *p, char **ret)
{
	struct name n = { .chars = TEXT_EMPTY };
	int r = probe_name_take(p, &n);

	if (r >= 0 && !n.chars.length)
		r = probe_refuse(p, p->at, 0, "the name of the source file is missing here");
	if (r >= 0)
		*ret = text_take(&n.chars);
	text_done(&n.chars);
	return r;
}
