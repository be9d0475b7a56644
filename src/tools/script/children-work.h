/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Runs the programs of a script by name: one that records, one that reports, or both at once with a
 * pipe between them.
 *
 * Ctrl-C ends the recording, so that the report comes to its end and shows everything. A signal
 * that was sent to us has the same effect. A second signal ends the report, too.
 */
#include <stdbool.h>

struct diag;

struct script_children {
	/* The programs to run, NULL-terminated, with the program's path first; or NULL. */
	char *const *record, *const *report;
};

/* The results of wait(); 0 for a program that was not run. */
struct script_ends {
	int record, report;
	bool was_stopped; /* stopped by a signal */
};

/*
 * Runs the programs and waits for them. Returns a negative errno with @diag if one could not be
 * started.
 */
int script_children_run(const struct script_children *c, struct script_ends *ret,
			struct diag *diag);
