/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The browser of events: searches, describes and counts them, and makes command lines of them.
 */
#include <stdbool.h>
#include <stddef.h>

struct catalog;
struct config;
struct diag;

struct event_browser {
	const struct catalog *catalogs; /* @n of them */
	size_t n;
	const struct config *config;
	const char *buildid_dir; /* where markers are known; or NULL */
	const char *missing;     /* what could not be listed, as one sentence; or NULL */
	bool prints;             /* somebody reads stdout: a command line is printed, not run */
	bool without_colour;
};

/* What is to be done once the terminal is given back. */
struct event_pick {
	char *line; /* owned; NULL: nothing was chosen */
	bool runs;  /* it is a command line to run; otherwise it is to be printed */
};

/*
 * Runs until something was chosen or not. Errors as screen_open(); the signal that ended it, or 0.
 */
int event_browser_run(const struct event_browser *b, struct event_pick *ret, struct diag *diag);
