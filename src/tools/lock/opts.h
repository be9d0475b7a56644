/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Common parts of the subcommands of `perf lock`. Each includes lock_options with OPT_SET(struct
 * opts, common, lock_options).
 */
#include <stdbool.h>
#include <stdio.h>

#include "cli/option.h"
#include "symbol/symbol-request.h"
#include "tools/lock/contention-model.h"
#include "tools/lock/fields-view.h"

struct command;
struct invocation;
struct lock_request;
struct record_line;

struct lock_opts {
	const char *input;  /* NULL: perf.data, or standard input when that is a pipe */
	const char *output; /* NULL: the choice of lock_output() */
	bool force;
	bool dump_raw;
	bool quiet;
	unsigned verbose;
	struct symbol_request symbols;
};

/* The subcommands, each in a file of its own. */
extern const struct command cmd_lock_record;
extern const struct command cmd_lock_report;
extern const struct command cmd_lock_info;
extern const struct command cmd_lock_script;
extern const struct command cmd_lock_contention;

/* The options over a struct lock_opts. */
extern const struct option lock_options[];

/* Adds -D, -f, -i and -v for another command after the words of @l. */
void lock_forward(const struct lock_opts *o, struct record_line *l);

/*
 * Prints the result to @out: --output, or standard error as in Linux's perf, or the pager, if both
 * standard error and standard output are a terminal.
 */
typedef void lock_show_fn(const struct invocation *inv, FILE *out, struct lock_contention *m,
			  const struct lock_names *names);

/*
 * Fills in the input of @rq from @o, runs the request (-D before it), and shows the result. Returns
 * the exit status, which is that of a command that ran.
 */
int lock_command(struct invocation *inv, const struct lock_opts *o, struct lock_request *rq,
		 lock_show_fn *show);

/* Set `enum lock_field` and `struct lock_columns`. Those of contention do not have "acquired". */
option_set_fn lock_key_set, lock_columns_set;
option_set_fn lock_wait_key_set, lock_wait_columns_set;
