/* SPDX-License-Identifier: MIT */
#pragma once
/* The list of a program's commands, for users. @commands ends with NULL. */
#include <stdio.h>

struct command;

/*
 * Prints the usage, the common commands and the names of the others, in less than 24 lines of 80
 * columns.
 */
void command_list_print_short(const struct command *const *commands, FILE *out);

/*
 * Prints the usage and the table of all commands. @columns of a terminal, or 0: lines of any
 * length.
 */
void command_list_print(const struct command *const *commands, unsigned columns, FILE *out);

/*
 * Reports on @err that there is no command @name, and which names are similar. Returns the exit
 * status.
 */
int command_list_miss(const struct command *const *commands, const char *name, FILE *err);
