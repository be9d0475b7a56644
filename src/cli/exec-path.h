/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where the scripts and filters are that come with perf: the folder that has scripts/ and
 * dlfilters/.
 */

struct invocation;

/*
 * That folder: of `perf --exec-path=DIR`, of the variable PERF_EXEC_PATH, beside the program (in a
 * build directory), where it was installed relative to the program, or where it was to be
 * installed. The caller frees it.
 */
char *exec_path_find(const char *option);

/*
 * Where @planned, a path below the prefix of the build, is now: an installation may be moved as a
 * whole, and the program tells where to. The caller frees it.
 */
char *installed_path(const char *planned);

/*
 * exec_path_find() for @inv, and scripts find it in PERF_EXEC_PATH. The caller frees it.
 */
char *command_exec_path(const struct invocation *inv);
