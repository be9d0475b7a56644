/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds the package that has the debug symbols of a program, for a hint to the user. Reads the
 * package manager's files; runs nothing.
 */
#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the command that installs the debug symbols of the file @path: "sudo apt install
 * coreutils-dbgsym". If apt does not know the archive that has them, the commands that add it come
 * before. Takes a few milliseconds. NULL: no package has that file, or the package manager is not
 * known. The caller frees it.
 */
char *debug_package_command(const char *path);

/*
 * Returns the commands that add the archive of debug symbols to apt, according to the text of
 * /etc/os-release. NULL: the distribution is not known. The caller frees it.
 */
char *debug_archive_setup(const char *os_release);

/*
 * True if @sources, the text of a *.list or *.sources file of apt, names an archive of debug
 * symbols that is in use.
 */
bool debug_archive_is_named(const char *sources);

/*
 * Does the same as debug_package_command(), with dpkg's lists in the directory @info; only likely
 * lists are read.
 */
char *debug_package_of_dpkg(const char *info, const char *path);

/*
 * Returns this distribution's server for $DEBUGINFOD_URLS; NULL if that is set already, or this
 * build cannot use one.
 */
const char *debug_package_server(void);

/* Does the same with the text of /etc/os-release. */
const char *debug_package_server_of(const char *os_release);
