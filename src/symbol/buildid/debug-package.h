/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which package has the debug symbols of a program, for a hint to the user. Reads the package
 * manager's files; runs nothing.
 */
#include <stdbool.h>
#include <stddef.h>

/*
 * The command that installs the debug symbols of the file @path: "sudo apt install
 * coreutils-dbgsym", and before it, if apt does not know the archive that has them, the commands
 * that tell it. Takes a few milliseconds. NULL: no package has that file, or the package manager is
 * not known. The caller frees it.
 */
char *debug_package_command(const char *path);

/*
 * The commands that tell apt of the archive of debug symbols, by the text of /etc/os-release. NULL:
 * the distribution is not known. The caller frees it.
 */
char *debug_archive_setup(const char *os_release);

/*
 * Whether @sources, the text of a *.list or *.sources file of apt, names an archive of debug
 * symbols that is in use.
 */
bool debug_archive_is_named(const char *sources);

/* As debug_package_command(), with dpkg's lists in the directory @info; only likely ones are read.
 */
char *debug_package_of_dpkg(const char *info, const char *path);

/*
 * This distribution's server for $DEBUGINFOD_URLS; NULL if that is set already, or this build
 * cannot use one.
 */
const char *debug_package_server(void);

/* The same by the text of /etc/os-release. */
const char *debug_package_server_of(const char *os_release);
