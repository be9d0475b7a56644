/* SPDX-License-Identifier: MIT */
/*
 * perf lock report: shows the number of times that locks were taken, and the times that threads
 * waited for them.
 */
#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/command.h"
#include "cli/fitted-output.h"
#include "tools/lock/contention-model.h"
#include "tools/lock/event-model.h"
#include "tools/lock/lock-work.h"
#include "tools/lock/opts.h"
#include "tools/lock/report-view.h"

#define ENTRIES_DEFAULT INT32_MAX

struct opts {
	struct lock_opts common;
	enum lock_field key;
	struct lock_columns columns;
	bool combine, threads;
	int64_t entries;
};

static const struct option options[] = {
	OPT_SET(struct opts, common, lock_options),
	OPT_CALL('k', "key", struct opts, key, "field",
		 "sort by acquired (the default), contended, avg_wait, wait_total, wait_max or "
		 "wait_min",
		 .set = lock_key_set, .flags = OPTION_NO_NEGATION),
	OPT_CALL('F', "field", struct opts, columns, "field[,field...]",
		 "columns: the names of --key (default: all)", .set = lock_columns_set,
		 .flags = OPTION_NO_NEGATION),
	OPT_FLAG('c', "combine-locks", struct opts, combine, "one row for each class of locks"),
	OPT_FLAG('t', "threads", struct opts, threads, "one row for each thread"),
	OPT_INT('E', "entries", struct opts, entries, "n", "show so many rows (default: all)"),
	OPT_END,
};

static const struct opts defaults = { .key = LOCK_FIELD_ACQUIRED, .entries = ENTRIES_DEFAULT };

static struct lock_columns lock_report_columns_of(const struct opts *o)
{
	struct lock_columns c = o->columns;

	for (size_t i = 0; !o->columns.n && i < LOCK_FIELDS; i++)
		lock_columns_add(&c, (enum lock_field)i);
	lock_columns_add(&c, o->key);
	return c;
}

static void lock_report_show(const struct invocation *inv, FILE *out, struct lock_contention *m,
			     const struct lock_names *names)
{
	const struct opts *o = inv->opts;
	const struct lock_report_view v = { .columns = lock_report_columns_of(o),
					    .entries = o->entries > 0 ? (uint64_t)o->entries : 1,
					    .quiet = o->common.quiet,
					    .trailer = o->common.verbose };
	size_t n;
	const struct lock_row *rows = lock_contention_sort(
		m, &(struct lock_sort){ .key = o->key, .combine = o->combine }, &n);

	struct fitted_output fitted;

	(void)names;
	fitted_open(&fitted, inv, out);
	lock_report_print(fitted.out, &v, rows, n, lock_contention_failures(m));
	fitted_close(&fitted);
	if (!lock_contention_events(m)->has[LOCK_ACQUIRE] && !o->common.quiet)
		command_remark(inv, "The recording has no lock:lock_acquire: only kernels with "
				    "CONFIG_LOCKDEP and CONFIG_LOCK_STAT tell when a lock is "
				    "taken. Waits for locks: perf lock contention");
}

static int lock_report_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	struct lock_request rq = { .by = o->threads ? LOCK_BY_TASK : LOCK_BY_ADDR,
				   .acquisitions = true,
				   .stack_skip = LOCK_STACK_SKIP,
				   .max_stack = LOCK_STACK_DEPTH };
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (o->combine && o->threads)
		diag_set(&diag, -EINVAL,
			 "-c combines locks of one class, but the rows of -t are threads");
	return inv->argc || diag.message ? command_usage(inv, diag.message ? &diag : NULL)
					 : lock_command(inv, &o->common, &rq, lock_report_show);
}

static const char *const usage[] = { "[<options>]", NULL };

const struct command cmd_lock_report = {
	.name = "lock report",
	.summary = "show how often locks were taken, and how long threads waited for them",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.flags = COMMAND_PAGED,
	.run = lock_report_run,
};
