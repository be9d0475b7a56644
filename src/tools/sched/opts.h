/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Common parts of the subcommands of `perf sched`. Each includes sched_options with OPT_SET(struct
 * opts, common, sched_options).
 */
#include <stdbool.h>

#include "cli/option.h"

struct command;
struct diag;
struct invocation;
struct recorded_request;

struct sched_opts {
	const char *input; /* NULL: perf.data, or standard input when that is a pipe */
	bool force;
	bool dump_raw;
	unsigned verbose;
};

/* The subcommands, each in a file of its own. */
extern const struct command cmd_sched_latency;
extern const struct command cmd_sched_map;
extern const struct command cmd_sched_record;
extern const struct command cmd_sched_replay;
extern const struct command cmd_sched_script;
extern const struct command cmd_sched_stats;
extern const struct command cmd_sched_timehist;
extern const struct command cmd_sched_queue;
extern const struct command cmd_sched_chains;

/* The options over a struct sched_opts. */
extern const struct option sched_options[];

/* Returns the request for the recording, to which the caller may add. */
struct recorded_request sched_recorded_request(const struct sched_opts *o,
					       const struct invocation *inv);

/*
 * Prints all records if -D requests it. If the input is standard input, nothing is left to read
 * afterwards, and 1 is returned. Errors are those of any_session_open().
 */
int sched_dump(const struct sched_opts *o, const struct invocation *inv, struct diag *diag);

/* The options for the distribution of tasks' times, for every command that shows tables of them. */

struct quantiles_opts {
	bool quantiles;
	bool histogram; /* quantiles with a histogram */
};

/* The options over a struct quantiles_opts. */
extern const struct option quantiles_options[];

bool quantiles_wanted(const struct quantiles_opts *o);
