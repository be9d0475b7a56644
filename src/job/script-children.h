/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The programs that a script by name is: one records, one reports, or both at once with a pipe
 * between them.
 *
 * Ctrl-C reaches all of them, as they are in the foreground together. A signal that was sent to us
 * alone ends the recording, so that the report comes to its end; a second one ends both.
 */
struct diag;

struct script_children {
	/* What to run, NULL-terminated, the program's path first; or NULL. */
	char *const *record, *const *report;
};

/* How they ended, as wait() tells; 0 for what was not run. */
struct script_ends {
	int record, report;
};

/* Runs them and waits for them. A negative errno with @diag: one could not be started. */
int script_children_run(const struct script_children *c, struct script_ends *ret,
			struct diag *diag);
