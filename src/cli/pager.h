/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The program that shows long output page by page.
 *
 * $PERF_PAGER, then core.pager of the configuration, then $PAGER, then less; "cat" and "" mean
 * none. `pager.CMD` switches it on or off for one command, or names another program. It is used
 * only for a terminal.
 */
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct config;

/*
 * Returns the program for the output of @command, or NULL for none. @paged is the default if
 * pager.@command is not set; @paginate (-1 never, 1 always) overrides both. Borrowed.
 */
const char *pager_choose(const struct config *config, const char *command, bool paged,
			 int paginate);

struct pager {
	pid_t pid;
	FILE *out; /* output written here is shown */
};

/*
 * Starts the shell command @program. Returns a negative errno if there is no pager; *@ret is then
 * untouched.
 */
int pager_start(const char *program, struct pager *ret);

/* Ends the output and waits until the user leaves the pager. */
void pager_finish(struct pager *p);
