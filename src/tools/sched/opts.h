/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the subcommands of `perf sched` have in common. Each includes sched_options by
 * OPT_SET(struct opts, common, sched_options).
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

/* The subcommands, each in its file. */
extern const struct command cmd_sched_latency;
extern const struct command cmd_sched_map;
extern const struct command cmd_sched_record;
extern const struct command cmd_sched_replay;
extern const struct command cmd_sched_script;
extern const struct command cmd_sched_stats;
extern const struct command cmd_sched_timehist;
extern const struct command cmd_sched_queue;
extern const struct command cmd_sched_chains;

/* Rows over a struct sched_opts. */
extern const struct option sched_options[];

/* What is to be read; the caller may add to it. */
struct recorded_request sched_recorded_request(const struct sched_opts *o,
					       const struct invocation *inv);

/*
 * Prints all records first, if -D asks for that. Standard input is read by that, so that nothing is
 * left for what follows: then it returns 1. Errors as of any_session_open().
 */
int sched_dump(const struct sched_opts *o, const struct invocation *inv, struct diag *diag);

/*
 * How the times of tasks spread: for every command that shows tables of them.
 */

struct quantiles_opts {
	bool quantiles;
	bool histogram; /* with quantiles, too */
};

/* Rows over a struct quantiles_opts. */
extern const struct option quantiles_options[];

bool quantiles_wanted(const struct quantiles_opts *o);
