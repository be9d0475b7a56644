/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The functions that setters of option values share: sizes, times, lists of ids, and one way to
 * report a wrong value.
 *
 * The functions of type option_set_fn go into option tables as `.set`; the comment gives the type
 * that the option's field must have. A refused value leaves the field as it was.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/id-list.h"
#include "cli/option.h"

struct cpu_list;
struct diag;

/*
 * Reports the mistake in @value of @o: "--name: message", with @length characters at @offset of
 * @value marked. Returns -EINVAL.
 */
int value_refuse(struct diag *diag, const struct option *o, const char *value, size_t offset,
		 size_t length, const char *format, ...) __attribute__((format(printf, 6, 7)));

/*
 * Reports that @value of @o is not among the colours, and lists the colours, whose names @name
 * gives until it returns NULL. Returns -EINVAL.
 */
int value_refuse_colours(struct diag *diag, const struct option *o, const char *value,
			 const char *(*name)(size_t i));

/* Parses a number of bytes, which must end in B, K, M or G. -EINVAL, -ERANGE. */
int value_parse_size(const char *value, uint64_t *ret_bytes);

/* True if @typed consists of one or more of the first letters of @name. */
bool value_abbreviates(const char *typed, const char *name);

/* Returns the length of the first word of @list, in which commas separate words. */
size_t value_word(const char *list);

/* Returns the text after the first word and its comma; NULL: that word is the last one. */
const char *value_next(const char *list);

/* Sets bytes in a `uint64_t`, from a size with its unit; --no-x is 0. */
option_set_fn size_set;

/* Sets a `struct id_list`; the last use of the option wins. */
option_set_fn id_list_set;

/* Sets a `struct cpu_list`; the last use of the option wins. */
option_set_fn cpu_list_set;

/* Sets a `const char *` to an extended regular expression that compiles; --no-x is NULL. */
option_set_fn regex_set;
