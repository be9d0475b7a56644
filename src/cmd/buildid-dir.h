/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where the build-id cache is, for every command that reads or fills it.
 */
struct invocation;
struct symbol_request;

/*
 * By --buildid-dir, $PERF_BUILDID_DIR, buildid.dir in the configuration, or ~/.debug. NULL if there
 * is no such place, or it is turned off. The caller frees it.
 */
char *command_buildid_dir(const struct invocation *inv);

/*
 * The one that goes with the files that names are taken from: another machine, whose root --symfs
 * names, has its own. The caller frees it.
 */
char *command_symbols_dir(const struct invocation *inv, const struct symbol_request *rq);
