/* SPDX-License-Identifier: MIT */
#pragma once
/* `perf script -s x.py [args]`: passes the events of a profile to a script. */
struct invocation;

/* Runs the script of -s. Returns the script's exit status. */
int script_python_run(struct invocation *inv);
