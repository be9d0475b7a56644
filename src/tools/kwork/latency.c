/* SPDX-License-Identifier: MIT */
/* perf kwork latency: shows the times for which softirqs and work items waited before they ran. */
#include "base/cleanup.h"
#include "cli/command.h"
#include "tools/kwork/opts.h"
#include "tools/kwork/order-model.h"
#include "tools/kwork/table.h"

struct opts {
	struct kwork_reading_opts reading;
	struct kwork_order order;
};

static const struct option options[] = {
	OPT_SET(struct opts, reading, kwork_reading_options),
	OPT_SET(struct opts, reading, kwork_bpf_options),
	OPT_CALL('s', "sort", struct opts, order, "key[,key2...]",
		 "order of the rows: avg, max, count", .set = kwork_order_set,
		 .flags = OPTION_NO_NEGATION),
	OPT_END,
};

static const struct opts defaults = {
	.order = { .keys = { KWORK_BY_AVERAGE, KWORK_BY_MAX, KWORK_BY_COUNT }, .n = 3 },
};

static int kwork_latency_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;

	return kwork_table_show(inv, &(struct kwork_table_request){ .reading = &o->reading,
								    .mode = KWORK_DELAY,
								    .order = &o->order });
}

static void kwork_latency_done(void *opts)
{
	kwork_reading_done(&((struct opts *)opts)->reading);
}

static const char *const usage[] = { "[<options>]", "-b [<options>] [<command>]", NULL };

const struct command cmd_kwork_latency = {
	.name = "kwork latency",
	.summary = "how long each of them waited before it ran",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.flags = COMMAND_PAGED | COMMAND_WORKLOAD,
	.run = kwork_latency_run,
	.done = kwork_latency_done,
};
