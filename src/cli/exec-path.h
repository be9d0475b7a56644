/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The place of the scripts and filters that come with perf: the folder that contains scripts/ and
 * dlfilters/.
 */

struct invocation;

/*
 * Finds that folder: the one of `perf --exec-path=DIR`, of the variable PERF_EXEC_PATH, beside the
 * program (in a build directory), where it was installed relative to the program, or where it was
 * planned to be installed. The caller frees it.
 */
char *exec_path_find(const char *option);

/*
 * Returns the current path of @planned, a path below the prefix of the build: an installation may
 * be moved as a whole, and the program's own path shows where to. The caller frees it.
 */
char *installed_path(const char *planned);

/*
 * Calls exec_path_find() for @inv, and sets PERF_EXEC_PATH to the result for scripts. The caller
 * frees it.
 */
char *command_exec_path(const struct invocation *inv);
