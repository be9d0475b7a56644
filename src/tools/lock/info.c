/* SPDX-License-Identifier: MIT */
/* perf lock info: lists the threads and the locks of a recording. */
#include <errno.h>

#include "base/diag.h"
#include "cli/command.h"
#include "tools/lock/lock-work.h"
#include "tools/lock/opts.h"
#include "tools/lock/report-view.h"

struct opts {
	struct lock_opts common;
	bool threads, map;
};

static const struct option options[] = {
	OPT_SET(struct opts, common, lock_options),
	OPT_FLAG('t', "threads", struct opts, threads, "list the threads"),
	OPT_FLAG('m', "map", struct opts, map, "list the locks, by address, with their names"),
	OPT_END,
};

static void lock_info_show(const struct invocation *inv, FILE *out, struct lock_contention *m,
			   const struct lock_names *names)
{
	const struct opts *o = inv->opts;
	bool threads = o->threads || !o->map, map = o->map || !o->threads;
	size_t n;

	if (threads) {
		const uint32_t *tids = lock_contention_threads(m, &n);

		lock_info_print_threads(out, tids, n, names);
	}
	if (threads && map)
		fputc('\n', out);
	if (map) {
		const struct lock_row *rows = lock_contention_list(m, &n);

		lock_info_print_map(out, rows, n);
	}
}

static int lock_info_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	struct lock_request rq = { .by = LOCK_BY_ADDR,
				   .acquisitions = true,
				   .keep_threads = true,
				   .stack_skip = LOCK_STACK_SKIP,
				   .max_stack = LOCK_STACK_DEPTH };

	_cleanup_(diag_done) struct diag diag = { 0 };

	if (inv->argc) {
		diag_set(&diag, -EINVAL, "what is '%s' for? A recording is named by -i",
			 inv->argv[0]);
		return command_usage(inv, &diag);
	}
	return lock_command(inv, &o->common, &rq, lock_info_show);
}

static const char *const usage[] = { "[<options>]", NULL };

const struct command cmd_lock_info = {
	.name = "lock info",
	.summary = "list the threads and the locks of a recording",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.flags = COMMAND_PAGED,
	.run = lock_info_run,
};
