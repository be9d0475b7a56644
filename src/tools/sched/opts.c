/* SPDX-License-Identifier: MIT */
#include "tools/sched/opts.h"

#include "cli/command.h"
#include "options/input.h"
#include "options/raw-dump.h"
#include "profile/recorded.h"

const struct option sched_options[] = {
	OPT_INPUT(struct sched_opts, input),
	OPT_FORCE(struct sched_opts, force),
	OPT_DUMP_RAW(struct sched_opts, dump_raw),
	OPT_COUNT('v', "verbose", struct sched_opts, verbose, "say more"),
	OPT_END,
};

struct recorded_request sched_recorded_request(const struct sched_opts *o,
					       const struct invocation *inv)
{
	return (struct recorded_request){ .path = input_path(o->input),
					  .force = o->force,
					  .progress = command_progress(inv, false, false) };
}

int sched_dump(const struct sched_opts *o, const struct invocation *inv, struct diag *diag)
{
	return o->dump_raw ? command_dump_raw(inv, o->input, o->force, diag) : 0;
}

const struct option quantiles_options[] = {
	OPT_FLAG(0, "quantiles", struct quantiles_opts, quantiles,
		 "show how each task's delays, sleeps and runs spread: p50, p90, p99"),
	OPT_FLAG(0, "histogram", struct quantiles_opts, histogram,
		 "the same, with how many there are of each length"),
	OPT_END
};

bool quantiles_wanted(const struct quantiles_opts *o)
{
	return o->quantiles || o->histogram;
}
