/* SPDX-License-Identifier: MIT */
#pragma once
/* `perf test -w NAME`: small programs that other perf commands measure. */
struct invocation;

/* Prints the names of the workloads. */
int test_workload_list(const struct invocation *inv);

/*
 * Runs the workload @name with the positional arguments as its own. @control is that of
 * --record-ctl, or NULL: the recording is enabled for as long as the workload runs. The exit
 * status.
 */
int test_workload_run(const struct invocation *inv, const char *name, const char *control);
