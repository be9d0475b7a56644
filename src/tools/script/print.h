/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf script` without a script: the recording as text.
 */
struct invocation;

/* Prints it to inv->out. Returns the exit status. */
int script_run(struct invocation *inv);
