/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the setters of option values share: sizes, times, lists of ids, and one way
 * to say what is wrong with a value.
 *
 * The functions of type option_set_fn go into option tables as `.set`; the comment says what the
 * option's field must be. Refused values leave the field as it was.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/id-list.h"
#include "cli/option.h"

struct cpu_list;
struct diag;

/*
 * Says what is wrong with @value of @o: "--name: message", with @length characters at @offset of
 * @value marked. Returns -EINVAL.
 */
int value_refuse(struct diag *diag, const struct option *o, const char *value, size_t offset,
		 size_t length, const char *format, ...) __attribute__((format(printf, 6, 7)));

/*
 * Says that @value of @o is not among the colours whose names @name gives, up to NULL, and which
 * there are. Returns -EINVAL.
 */
int value_refuse_colours(struct diag *diag, const struct option *o, const char *value,
			 const char *(*name)(size_t i));

/* A number of bytes that must end in B, K, M or G. -EINVAL, -ERANGE. */
int value_parse_size(const char *value, uint64_t *ret_bytes);

/* Is @typed one or more of the first letters of @name? */
bool value_abbreviates(const char *typed, const char *name);

/* The length of the first of the words that commas separate in @list. */
size_t value_word(const char *list);

/* What follows the first word and its comma; NULL: it is the last one. */
const char *value_next(const char *list);

/* `uint64_t` bytes, from a size with its unit; --no-x is 0. */
option_set_fn size_set;

/* `struct id_list`; the last use of the option wins. */
option_set_fn id_list_set;

/* `struct cpu_list`; the last use of the option wins. */
option_set_fn cpu_list_set;

/* `const char *`, an extended regular expression that compiles; --no-x is NULL. */
option_set_fn regex_set;
