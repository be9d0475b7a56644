/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Scripts by name: `perf script --list`, `perf script NAME`, `perf script record NAME`, `perf
 * script report NAME`.
 */
struct invocation;

/* Prints the list of scripts. Returns the exit status. */
int script_list_run(struct invocation *inv);

/* Runs the script that the words name. Returns the exit status. */
int script_named_run(struct invocation *inv);
