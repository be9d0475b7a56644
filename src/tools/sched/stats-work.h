/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The counters of /proc/schedstat before and after a command, into a file or a model; and out of a
 * file again.
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
	const char *output;          /* a file, "-": standard output; NULL: none is written */
};

/*
 * Measures. @ret has the counters, and *@ret_facts the domains, which are to be released in any
 * case;
 * *@ret_status is the exit status of the command, as of wait(). If the kernel does not count yet,
 * it does while this runs. Errors with @diag, which says what the kernel needs.
 */
int sched_stats_measure(const struct sched_stats_request *rq, struct sched_stats *ret,
			struct features *ret_facts, int *ret_status, struct diag *diag);

/*
 * Reads @path into @ret and, what it says of domains, into *@ret_facts; both are to be released in
 * any case. -ENODATA with @diag: it has no counters. Other errors as of any_session_open().
 */
int sched_stats_read(const char *path, bool force, struct sched_stats *ret,
		     struct features *ret_facts, struct notes *notes, struct diag *diag);
