/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where this distribution keeps the debug symbols of its programs: what to tell a user whose
 * program is stripped. Looks into the package manager's own files; runs nothing.
 */
#include <stdbool.h>
#include <stddef.h>

/*
 * The command that installs the debug symbols of the file @path: "apt install coreutils-dbgsym".
 * Unless @by_name, which takes a few milliseconds, the command looks for the package itself. NULL:
 * no package has that file, or its manager is not known. The caller frees it.
 */
char *debug_package_command(const char *path, bool by_name);

/* The same with dpkg's lists in the directory @info, of which only the likely ones are read. */
char *debug_package_of_dpkg(const char *info, const char *path);

/* A server for $DEBUGINFOD_URLS that has this distribution's; NULL if it is set already, or this
 * build cannot ask one. */
const char *debug_package_server(void);

/* The same by the text of /etc/os-release. */
const char *debug_package_server_of(const char *os_release);
