/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf' in shell scripts that we run is this program, and not another one that is installed.
 */
struct diag;

struct program_first {
	char *made; /* a folder of ours that has a link called perf; NULL: none was needed */
};

/* The path of this program, to be freed; NULL: the kernel does not tell. */
char *program_path(void);

/*
 * Puts the program's folder first in PATH, or one with a link to it if it is called something else
 * than perf. A negative errno with @diag: the link cannot be made.
 */
int program_first_in_path(struct program_first *p, struct diag *diag);

/* Removes the link. */
void program_first_done(struct program_first *p);
