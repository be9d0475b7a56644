/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes the counters of /proc/schedstat before and after a command to a file or a model, and reads
 * them from a file again.
 */
#include <stdbool.h>

struct cpu_list;
struct diag;
struct features;
struct notes;
struct sched_stats;

struct sched_stats_request {
	char *const *argv;           /* the command; empty: until Ctrl-C */
	const struct cpu_list *cpus; /* only these; empty: all */
	const char *output;          /* a file, "-": standard output; NULL: no file */
};

/*
 * Measures. @ret gets the counters, and *@ret_facts the domains; both must be released in any case.
 * *@ret_status is the exit status of the command, as from wait(). If the kernel does not count yet,
 * counting is enabled while this runs. Errors with @diag, which reports what the kernel needs.
 */
int sched_stats_measure(const struct sched_stats_request *rq, struct sched_stats *ret,
			struct features *ret_facts, int *ret_status, struct diag *diag);

/*
 * Reads @path into @ret, and its data about domains into *@ret_facts. Both must be released in any
 * case. Returns -ENODATA with @diag if there are no counters. Other errors are those of
 * any_session_open().
 */
int sched_stats_read(const char *path, bool force, struct sched_stats *ret,
		     struct features *ret_facts, struct notes *notes, struct diag *diag);
