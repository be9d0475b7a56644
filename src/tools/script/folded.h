/* SPDX-License-Identifier: MIT */
#pragma once
/* `perf script --folded`: prints a line for each distinct stack, in place of events. */
struct invocation;

/* Runs it: @inv's options are struct script_opts. Returns the exit status. */
int script_folded_run(struct invocation *inv);
