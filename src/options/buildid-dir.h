/* SPDX-License-Identifier: MIT */
#pragma once
/* The place of the build-id cache, for every command that reads or fills it. */
struct invocation;

/*
 * Returns the directory given by --buildid-dir, $PERF_BUILDID_DIR, buildid.dir in the
 * configuration, or ~/.debug. NULL if there is no such directory, or the cache is turned off. The
 * caller frees it.
 */
char *command_buildid_dir(const struct invocation *inv);
