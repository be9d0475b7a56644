/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where the build-id cache is, for every command that reads or fills it.
 */
struct invocation;

/*
 * By --buildid-dir, $PERF_BUILDID_DIR, buildid.dir in the configuration, or ~/.debug. NULL if there
 * is no such place, or it is turned off. The caller frees it.
 */
char *command_buildid_dir(const struct invocation *inv);
