/* SPDX-License-Identifier: MIT */
/* perf test: for now the workloads that tests measure. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/number.h"
#include "cli/command.h"
#include "workload/workload.h"

struct opts {
	const char *workload;
	bool list_workloads;
};

static const struct option options[] = {
	OPT_STRING('w', "workload", struct opts, workload, "name",
		   "run a workload, for so many seconds (default: 1)"),
	OPT_FLAG(0, "list-workloads", struct opts, list_workloads, "list the workloads for -w"),
	OPT_END,
};

static int list(const struct invocation *inv)
{
	for (const struct test_workload *const *w = test_workloads; *w; w++)
		fprintf(inv->out, "%s\n", (*w)->name);
	return EXIT_OK;
}

static int run_workload(const struct invocation *inv, const char *name)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct test_workload *w = test_workload_find(name);
	uint64_t seconds = 1;
	int r;

	if (!w) {
		diag_set(&diag, -ENOENT, "there is no workload '%s'", name);
		diag_hint(&diag, "'perf test --list-workloads' lists them.");
		return command_fail(inv, -ENOENT, &diag);
	}
	if (inv->argc > 1 ||
	    (inv->argc && (number_parse(inv->argv[0], &seconds) < 0 || seconds > 1000000))) {
		diag_set(&diag, -EINVAL, "'%s' is no number of seconds", inv->argv[inv->argc - 1]);
		return command_usage(inv, &diag);
	}
	r = w->run((unsigned)seconds);
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}

static int run(struct invocation *inv)
{
	const struct opts *o = inv->opts;

	if (o->list_workloads)
		return list(inv);
	if (o->workload)
		return run_workload(inv, o->workload);
	return command_failf(inv, "this version has no self-tests yet, only workloads (-w)");
}

static const char *const usage[] = { "-w <name> [<seconds>]", "--list-workloads", NULL };

const struct command cmd_test = {
	.name = "test",
	.summary = "run workloads that tests measure",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.run = run,
};
