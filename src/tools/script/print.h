/* SPDX-License-Identifier: MIT */
#pragma once
/* `perf script` without a script: prints the recording as text. */
struct invocation;

/* Prints the recording to inv->out. Returns the exit status. */
int script_run(struct invocation *inv);
