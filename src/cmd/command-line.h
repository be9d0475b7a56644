/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The words of the running command line, for files that remember how they were made.
 */
#include <stddef.h>

struct command_line {
	const char **argv; /* the path of the program that runs, then what was typed */
	size_t n;
	char *text, *program; /* what argv points into */
};

/* Empty if /proc does not tell. Release with command_line_done(). */
struct command_line command_line_typed(void);
void command_line_done(struct command_line *l);
