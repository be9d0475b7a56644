/* SPDX-License-Identifier: MIT */
#include "base/short-name.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"

/* Longer names, which occur in no source, lose all arguments at once. */
#define LENGTH_USUAL 4096

#define RUST_HASH_LENGTH 19 /* "::h" and 16 digits */

static bool name_starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* Linker names and the names in the source. Longer spellings come first. */
static const struct {
	const char *linker, *source;
} words[] = {
	{ "std::__cxx11::", "std::" },
	{ "std::__1::", "std::" },
	{ "std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string" },
	{ "std::basic_string<char, std::char_traits<char>, std::allocator<char>>", "std::string" },
	{ "std::basic_string<char>", "std::string" },
	{ "std::basic_string_view<char, std::char_traits<char> >", "std::string_view" },
	{ "std::basic_string_view<char, std::char_traits<char>>", "std::string_view" },
	{ "std::basic_ostream<char, std::char_traits<char> >", "std::ostream" },
	{ "std::basic_ostream<char, std::char_traits<char>>", "std::ostream" },
	{ "std::basic_istream<char, std::char_traits<char> >", "std::istream" },
	{ "std::basic_istream<char, std::char_traits<char>>", "std::istream" },
};

/* Template arguments that are seldom written out. */
static const char *const defaults[] = {
	", std::allocator<", ", std::char_traits<", ", std::default_delete<",
	", std::equal_to<",  ", std::hash<",        ", std::less<",
};

/*
 * Returns the number of characters at @s, after "operator", that are its sign and no bracket: "<<",
 * "->", "()".
 */
static size_t operator_sign(const char *s)
{
	if (name_starts(s, "()"))
		return 2;
	return strspn(s, "<>-=");
}

/*
 * A walk over a name that counts the depth in <> and () of each character. Signs of operators, and
 * the "->" of Rust, are no brackets.
 */
struct short_name_walk {
	const char *at;
	size_t angles, rounds;
	size_t skip; /* characters from @at on that are not brackets */
};

enum step {
	STEP_PLAIN,
	STEP_OPEN,
	STEP_CLOSE,
};

static enum step name_step(struct short_name_walk *w)
{
	char c = *w->at;

	if (w->skip) {
		w->skip--;
		return STEP_PLAIN;
	}
	if (name_starts(w->at, "operator"))
		w->skip = strlen("operator") - 1 + operator_sign(w->at + strlen("operator"));
	else if (name_starts(w->at, "->"))
		w->skip = 1;
	else if (c == '<')
		return w->angles++, STEP_OPEN;
	else if (c == '>' && w->angles)
		return w->angles--, STEP_CLOSE;
	else if (c == '(')
		w->rounds++;
	else if (c == ')' && w->rounds)
		w->rounds--;
	return STEP_PLAIN;
}

/* Returns the end of the argument that begins at @s, after its last '>'; NULL: it has none. */
static const char *name_argument_end(const char *s)
{
	struct short_name_walk w = { .at = s };

	for (; *w.at; w.at++)
		if (name_step(&w) == STEP_CLOSE && !w.angles)
			return w.at + 1;
	return NULL;
}

/* Returns the end of the default argument at @s; NULL: there is none. */
static const char *skip_default(const char *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(defaults) && *s == ','; i++) {
		const char *end = name_starts(s, defaults[i]) ? name_argument_end(s + 2) : NULL;

		if (end)
			return name_starts(end, " >") ? end + 1 : end;
	}
	return NULL;
}

/* True for "@@GLIBC_2.34" and "@GLIBC_2.17", the version of a function; not for "@plt". */
static bool is_version(const char *s)
{
	return *s == '@' && isupper((unsigned char)s[1 + (s[1] == '@')]);
}

static bool is_rust_hash(const char *s)
{
	if (!name_starts(s, "::h") || strlen(s) != RUST_HASH_LENGTH)
		return false;
	for (s += 3; *s; s++)
		if (!isxdigit((unsigned char)*s))
			return false;
	return true;
}

/* Appends @name in the words of the source, in one pass. */
static void say_plainly(struct text *out, const char *name)
{
	while (*name && !is_rust_hash(name)) {
		const char *behind = skip_default(name);

		for (size_t i = 0; !behind && i < ARRAY_SIZE(words); i++)
			if (name_starts(name, words[i].linker)) {
				text_add(out, words[i].source);
				behind = name + strlen(words[i].linker);
			}
		if (!behind)
			text_add_char(out, *name);
		name = behind ? behind : name + 1;
	}
}

/*
 * Simplifies @name in two passes. The first one removes inner namespaces from words that the second
 * one replaces.
 */
static void name_simplify(struct text *out, const char *name)
{
	_cleanup_(text_done) struct text first = TEXT_EMPTY;

	if (strlen(name) > LENGTH_USUAL) {
		text_add(out, name);
		return;
	}
	for (; *name; name++) {
		if (name_starts(name, words[0].linker) || name_starts(name, words[1].linker)) {
			text_add(&first, "std::");
			name = strchr(name + strlen("std::"), ':') + 1;
		} else {
			text_add_char(&first, *name);
		}
	}
	say_plainly(out, first.chars);
}

static size_t name_deepest(const char *name)
{
	size_t depth = 0;

	for (struct short_name_walk w = { .at = name }; *w.at; w.at++) {
		(void)name_step(&w);
		depth = w.angles > depth ? w.angles : depth;
	}
	return depth;
}

/* Appends @name without the parts that are at least @depth deep in <>. */
static void name_elide(struct text *out, const char *name, size_t depth, const char *dots)
{
	for (struct short_name_walk w = { .at = name }; *w.at; w.at++) {
		enum step s = name_step(&w);

		if (s == STEP_OPEN && w.angles == depth) {
			text_add_char(out, '<');
			text_add(out, dots);
		} else if (w.angles < depth) {
			text_add_char(out, *w.at);
		}
	}
}

/* Returns the beginning of the next part of the name: after a "::" outside of brackets. */
static const char *name_next_part(const char *name)
{
	struct short_name_walk w = { .at = name };

	for (; *w.at; w.at++) {
		if (!w.skip && name_starts(w.at, "operator"))
			return NULL;
		if (name_step(&w) == STEP_PLAIN && !w.angles && !w.rounds &&
		    name_starts(w.at, "::"))
			return w.at + 2;
	}
	return NULL;
}

static size_t name_columns_of(const char *s)
{
	return escape_columns(s, strlen(s));
}

/* Drops as few outer parts as necessary; the last part stays. */
static void drop_outer(struct text *out, const char *name, size_t columns, const char *dots)
{
	size_t extra = 0;

	for (const char *next;
	     name_columns_of(name) + extra > columns && (next = name_next_part(name));) {
		name = next;
		extra = name_columns_of(dots) + strlen("::");
	}
	if (extra) {
		text_add(out, dots);
		text_add(out, "::");
	}
	text_add(out, name);
}

/* Drops the version of a function, which is at the end of a name and not in the source. */
static void drop_version(struct text *name)
{
	char *at = strchr(name->chars, '@');

	if (at && is_version(at) && !strchr(at, ' '))
		text_filled(name, at);
}

void name_shorten(struct text *out, const char *name, size_t columns, const char *dots)
{
	_cleanup_(text_done) struct text whole = TEXT_EMPTY, shorter = TEXT_EMPTY;
	size_t depth;

	name_simplify(&whole, name);
	if (name_columns_of(whole.chars) > columns)
		drop_version(&whole);
	if (name_columns_of(whole.chars) <= columns) {
		text_add(out, whole.chars);
		return;
	}
	depth = whole.length > LENGTH_USUAL ? 1 : name_deepest(whole.chars);
	for (; depth; depth--) {
		text_clear(&shorter);
		name_elide(&shorter, whole.chars, depth, dots);
		if (name_columns_of(shorter.chars) <= columns)
			break;
	}
	drop_outer(out, shorter.length ? shorter.chars : whole.chars, columns, dots);
}
