/* SPDX-License-Identifier: MIT */
#pragma once
/* The browser of events: searches, describes and counts them, and makes command lines from them. */
#include <stdbool.h>
#include <stddef.h>

struct catalog;
struct config;
struct diag;

struct event_browser {
	const struct catalog *catalogs; /* an array of @n */
	size_t n;
	const struct config *config;
	const char *buildid_dir; /* the directory with markers; or NULL */
	const char *missing;     /* a sentence about entries that could not be listed; or NULL */
	bool prints;             /* stdout is a pipe or file: a command line is printed, not run */
	bool without_colour;
};

/* The user's choice, which is carried out after the terminal is given back. */
struct event_pick {
	char *line; /* owned; NULL: nothing was chosen */
	bool runs;  /* a command line to run; otherwise it is to be printed */
};

/*
 * Runs until the user chooses something or quits. Returns the errors of screen_open(), the signal
 * that ended it, or 0.
 */
int event_browser_run(const struct event_browser *b, struct event_pick *ret, struct diag *diag);
