/* SPDX-License-Identifier: MIT */
#pragma once
/* `perf script -g python`: writes perf-script.py, the skeleton of a script for a recording. */
struct invocation;

/* Runs it: @inv's options are struct script_opts. Returns the exit status. */
int script_skeleton_run(struct invocation *inv);
