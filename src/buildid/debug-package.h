/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which package has the debug symbols of a program, for a hint to the user. Reads the package
 * manager's files; runs nothing.
 */
#include <stdbool.h>
#include <stddef.h>

/*
 * The command that installs the debug symbols of the file @path: "apt install coreutils-dbgsym".
 * With @by_name the package's name is looked up, which takes a few milliseconds; else the command
 * does it. NULL: no package has that file, or the package manager is not known. The caller frees
 * it.
 */
char *debug_package_command(const char *path, bool by_name);

/* The same with dpkg's lists in the directory @info; only likely ones are read. */
char *debug_package_of_dpkg(const char *info, const char *path);

/*
 * This distribution's server for $DEBUGINFOD_URLS; NULL if that is set already, or this build
 * cannot use one.
 */
const char *debug_package_server(void);

/* The same by the text of /etc/os-release. */
const char *debug_package_server_of(const char *os_release);
