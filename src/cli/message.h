/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The presentation of a `struct diag` on the terminal.
 *
 *	perf list: no event is called 'cycls'
 *	  cycles,cycls
 *	         ^~~~~
 *	Did you mean 'cycles'?
 *
 * The text that it quotes may come from anywhere, so it is escaped.
 */
#include <stdio.h>

#include "cli/option.h"

struct command;
struct diag;

/*
 * Prints @prefix, the message, the marked excerpt and the hint. Without a message it describes
 * @error.
 */
void message_print(FILE *err, const char *prefix, int error, const struct diag *d);

/*
 * Prints lines unchanged, except for characters on which a terminal would act; on a terminal,
 * @wraps breaks them at blanks to fit.
 */
void message_print_plain(FILE *err, const char *s, bool wraps);

/*
 * Does the same as message_print() for a usage error of @c: with the usage, and the row of @about
 * unless NULL.
 */
void message_print_usage(FILE *err, const struct command *c, const struct option *about,
			 const struct diag *d);

/*
 * Prints " Usage: perf NAME ..." and its "or:" lines, broken at blanks to fit @columns; 0: they are
 * not broken.
 */
void message_print_synopsis(FILE *out, const struct command *c, unsigned columns);
