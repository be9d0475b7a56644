/* SPDX-License-Identifier: MIT */
#include "tools/sched/quantiles.h"

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
