/* SPDX-License-Identifier: MIT */
/* perf kwork report: shows the run times of interrupts, softirqs and work items. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "cli/command.h"
#include "tools/kwork/opts.h"
#include "tools/kwork/order-model.h"
#include "tools/kwork/table.h"

struct opts {
	struct kwork_reading_opts reading;
	struct kwork_order order;
	bool with_summary;
};

static const struct option options[] = {
	OPT_SET(struct opts, reading, kwork_reading_options),
	OPT_SET(struct opts, reading, kwork_bpf_options),
	OPT_CALL('s', "sort", struct opts, order, "key[,key2...]",
		 "order of the rows: runtime, max, count", .set = kwork_order_set,
		 .flags = OPTION_NO_NEGATION),
	OPT_FLAG('S', "with-summary", struct opts, with_summary, "totals below the rows"),
	OPT_END,
};

static const struct opts defaults = {
	.order = { .keys = { KWORK_BY_SUM, KWORK_BY_MAX, KWORK_BY_COUNT }, .n = 3 },
};

static int kwork_report_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;

	return kwork_table_show(inv,
				&(struct kwork_table_request){ .reading = &o->reading,
							       .mode = KWORK_RUNTIME,
							       .order = &o->order,
							       .with_totals = o->with_summary });
}

static void kwork_report_done(void *opts)
{
	kwork_reading_done(&((struct opts *)opts)->reading);
}

static const char *const usage[] = { "[<options>]", "-b [<options>] [<command>]", NULL };

const struct command cmd_kwork_report = {
	.name = "kwork report",
	.summary = "how long each of them ran",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.flags = COMMAND_PAGED | COMMAND_WORKLOAD,
	.run = kwork_report_run,
	.done = kwork_report_done,
};
