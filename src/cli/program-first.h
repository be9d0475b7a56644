/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Makes `perf' in shell scripts that we run mean this program, and not another one that is
 * installed.
 */
struct diag;

struct program_first {
	char *made; /* our folder with a link called perf; NULL: not needed */
};

/* Returns the path of this program, to be freed; NULL: the kernel does not report it. */
char *program_path(void);

/*
 * Puts the program's folder first in PATH, or one with a link to the program if its name is not
 * perf. Returns a negative errno with @diag if the link cannot be made.
 */
int program_first_in_path(struct program_first *p, struct diag *diag);

/* Removes the link. */
void program_first_done(struct program_first *p);
