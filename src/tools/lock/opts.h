/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the subcommands of `perf lock` have in common. Each includes lock_options by OPT_SET(struct
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
	const char *output; /* NULL: as lock_output() says */
	bool force;
	bool dump_raw;
	bool quiet;
	unsigned verbose;
	struct symbol_request symbols;
};

/* The subcommands, each in its file. */
extern const struct command cmd_lock_record;
extern const struct command cmd_lock_report;
extern const struct command cmd_lock_info;
extern const struct command cmd_lock_script;
extern const struct command cmd_lock_contention;

/* Rows over a struct lock_opts. */
extern const struct option lock_options[];

/* -D, -f, -i and -v for another command, behind the words of @l. */
void lock_forward(const struct lock_opts *o, struct record_line *l);

/*
 * Prints what was found, to @out: --output, or like Linux's perf standard error; or the pager, if
 * both of that and standard output are a terminal.
 */
typedef void lock_show_fn(const struct invocation *inv, FILE *out, struct lock_contention *m,
			  const struct lock_names *names);

/*
 * Fills in where @rq reads from, by @o, does what it says (and -D before), and shows the result.
 * Returns the exit status: that of a command that ran.
 */
int lock_command(struct invocation *inv, const struct lock_opts *o, struct lock_request *rq,
		 lock_show_fn *show);

/* `enum lock_field` and `struct lock_columns`; those of contention have no "acquired". */
option_set_fn lock_key_set, lock_columns_set;
option_set_fn lock_wait_key_set, lock_wait_columns_set;
