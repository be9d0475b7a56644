/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The programs that a script by name is: one records, one reports, or both at once with a pipe
 * between them.
 *
 * Ctrl-C ends the recording, so that the report comes to its end and shows everything; so does a
 * signal that was sent to us. A second one ends the report, too.
 */
#include <stdbool.h>

struct diag;

struct script_children {
	/* What to run, NULL-terminated, the program's path first; or NULL. */
	char *const *record, *const *report;
};

/* How they ended, as wait() tells; 0 for what was not run. */
struct script_ends {
	int record, report;
	bool was_stopped; /* by a signal */
};

/* Runs them and waits for them. A negative errno with @diag: one could not be started. */
int script_children_run(const struct script_children *c, struct script_ends *ret,
			struct diag *diag);
