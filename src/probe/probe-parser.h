/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The parts of the parser of probe definitions (probe-def.h), for its own files only.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/probe-def.h"

/* The kernel's MAX_ARG_NAME_LEN. */
#define PROBE_ARG_NAME_MAX 32

struct probe_parser {
	const char *text;
	const char *at; /* the next character */
	struct diag *diag;
};

/*
 * Marks @length characters at @where as wrong and returns -EINVAL. The message begins with the
 * words that users' tests expect from Linux's perf: "Semantic error".
 */
int probe_refuse(const struct probe_parser *p, const char *where, size_t length, const char *format,
		 ...) __attribute__((format(printf, 4, 5)));

/* Returns the part of the text from @start to the parser's position. */
struct probe_words probe_words_from(const struct probe_parser *p, const char *start);

/* True if the parser is at the end of a word. */
bool probe_at_end(const struct probe_parser *p);

/*
 * True if @name is a letter or _, followed by these and digits: the names that the kernel accepts
 * for an event or field.
 */
bool probe_name_is_good(const char *name, size_t length);

/*
 * Parses the number from @start to @end, in the notation of C (0x10, 020, 16). -EINVAL: it is not a
 * number; -ERANGE: it does not fit.
 */
int probe_number(const char *start, const char *end, uint64_t *ret);

/* The characters that end a name and tell what follows, and those that end a word. */
#define PROBE_SIGNS  ":@+%;"
#define PROBE_BLANKS " \t\n\v\f\r"

/*
 * Takes the next name, up to a sign or the end of the word; sets neither result if the name is
 * empty. The name is a file's if it looks like one and a line or a pattern follows, or, with
 * @may_be_alone, if nothing follows; otherwise it is a function's.
 */
int probe_place_take(struct probe_parser *p, bool may_be_alone, char **ret_function,
		     char **ret_file);

/* Takes the name of a file, which may not be empty. */
int probe_file_take(struct probe_parser *p, char **ret);

int probe_point_take(struct probe_parser *p, struct probe_point *ret);
void probe_point_done(struct probe_point *p);

int probe_arg_take(struct probe_parser *p, const struct probe_point *point, struct probe_arg *ret);
void probe_arg_done(struct probe_arg *a);

/* Checks the type from @start to @end. */
int probe_type_check(const struct probe_parser *p, const char *start, const char *end);

/* Checks text in the kernel's notation from @start to @end: $retval, %x0, @sym, +8(%sp), \1. */
int probe_fetch_check(const struct probe_parser *p, const char *start, const char *end,
		      bool is_return);
