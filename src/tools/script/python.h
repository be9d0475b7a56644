/* SPDX-License-Identifier: MIT */
#pragma once
/* `perf script -s x.py [args]`: the events of a profile handed to a script. */
struct invocation;

/* Runs the script of -s. The exit status is the script's. */
int script_python_run(struct invocation *inv);
