/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The subcommands of a family: `latency` of `perf sched`.
 */
#include <stdio.h>

struct command;
struct diag;

/* Returns the last word of its name: "latency" of "sched latency". */
const char *family_word(const struct command *subcommand);

/*
 * Finds the subcommand that @word means: by its word, or by the first three or more letters of it,
 * where the first match in the family's order counts. NULL: none.
 */
const struct command *family_find(const struct command *family, const char *word);

/*
 * Reports that @word, which may be NULL, is not a subcommand, and lists those that exist. Returns
 * -EINVAL.
 */
int family_refuse(const struct command *family, const char *word, struct diag *diag);

/* Print the words of all subcommands in a line; and a row for each, for help. */
void family_print_words(const struct command *family, FILE *out);
void family_print_help(const struct command *family, FILE *out);
