/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * All commands: those of this program, and those of Linux's perf that are still to come.
 */
#include <stdio.h>

#include "cli/command.h"

/* In the order `perf help` shows them, NULL-terminated. */
extern const struct command *const commands[];

/* Names a user may type, so that the answer is "not yet" and not "what?". Ends with a NULL name. */
struct planned_command {
	const char *name, *summary;
};
extern const struct planned_command planned_commands[];

/* Prints the usage, the common commands and the names of the others, in less than 24 lines of 80
 * columns. */
void commands_print_short(FILE *out);

/* Prints the usage and the table of all commands. @columns of a terminal, or 0: lines of any
 * length. */
void commands_print(unsigned columns, FILE *out);

/*
 * Says on @err that there is no command @name, and which names are near; or that it is still to
 * come. Returns the exit status.
 */
int commands_unknown(const char *name, FILE *err);
