/* SPDX-License-Identifier: MIT */
/* perf bench internals */
#include "base/cleanup.h"
#include "base/diag.h"
#include "options/target.h"
#include "tools/bench/bench.h"
#include "tools/bench/internals-work.h"

BENCH_OPTS(internals_synthesize, struct bench_synthesize_params);
BENCH_OPTS(internals_kallsyms_parse, struct bench_iterations_params);
BENCH_OPTS(internals_inject_build_id, struct bench_inject_params);
BENCH_OPTS(internals_evlist_open_close, struct bench_evlist_params);
BENCH_OPTS(internals_pmu_scan, struct bench_iterations_params);

static const struct option internals_synthesize_options[] = {
	OPT_FLAG('s', "st", struct internals_synthesize_opts, params.single,
		 "perf itself, by one thread (default)"),
	OPT_FLAG('t', "mt", struct internals_synthesize_opts, params.multi,
		 "all processes, by several threads"),
	OPT_UINT('m', "min-threads", struct internals_synthesize_opts, params.min_threads, "n",
		 "fewest threads of --mt (default: 1)"),
	OPT_UINT('M', "max-threads", struct internals_synthesize_opts, params.max_threads, "n",
		 "most threads of --mt (default: one for each CPU)"),
	OPT_UINT('i', "single-iterations", struct internals_synthesize_opts,
		 params.single_iterations, "n", "times that are taken by --st (default: 10000)"),
	OPT_UINT('I', "multi-iterations", struct internals_synthesize_opts, params.multi_iterations,
		 "n", "times that are taken by --mt (default: 50)"),
	OPT_SET(struct internals_synthesize_opts, common, bench_options),
	OPT_END,
};

static const struct option internals_kallsyms_parse_options[] = {
	OPT_UINT('i', "iterations", struct internals_kallsyms_parse_opts, params.iterations, "n",
		 "times that are taken (default: 100)"),
	OPT_SET(struct internals_kallsyms_parse_opts, common, bench_options),
	OPT_END,
};

static const struct option internals_pmu_scan_options[] = {
	OPT_UINT('i', "iterations", struct internals_pmu_scan_opts, params.iterations, "n",
		 "times that are taken (default: 100)"),
	OPT_SET(struct internals_pmu_scan_opts, common, bench_options),
	OPT_END,
};

static const struct option internals_inject_build_id_options[] = {
	OPT_UINT('i', "iterations", struct internals_inject_build_id_opts, params.iterations, "n",
		 "times that are taken (default: 100)"),
	OPT_UINT('m', "nr-mmaps", struct internals_inject_build_id_opts, params.mmaps, "n",
		 "maps in each stream (default: 100)"),
	OPT_UINT('n', "nr-samples", struct internals_inject_build_id_opts, params.samples, "n",
		 "samples for each map (default: 100)"),
	OPT_FLAG('v', "verbose", struct internals_inject_build_id_opts, params.verbose,
		 "tell of each child"),
	OPT_SET(struct internals_inject_build_id_opts, common, bench_options),
	OPT_END,
};

static const struct option internals_evlist_open_close_options[] = {
	OPT_STRING('e', "event", struct internals_evlist_open_close_opts, params.event, "event",
		   "what to open (default: dummy)"),
	OPT_UINT('n', "nr-events", struct internals_evlist_open_close_opts, params.events, "n",
		 "how often each of them is opened (default: 1)"),
	OPT_UINT('i', "iterations", struct internals_evlist_open_close_opts, params.iterations, "n",
		 "times that are taken (default: 100)"),
	OPT_FLAG(0, "per-thread", struct internals_evlist_open_close_opts, params.target.per_thread,
		 "a ring buffer for each thread, not for each CPU"),
	OPT_SET(struct internals_evlist_open_close_opts, params.target, target_options),
	OPT_SET(struct internals_evlist_open_close_opts, common, bench_options),
	OPT_END,
};

static const struct internals_synthesize_opts internals_synthesize_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { .single_iterations = 10000, .multi_iterations = 50, .min_threads = 1 },
};
static const struct internals_kallsyms_parse_opts internals_kallsyms_parse_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { 100 },
};
static const struct internals_pmu_scan_opts internals_pmu_scan_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { 100 },
};
static const struct internals_inject_build_id_opts internals_inject_build_id_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { .iterations = 100, .mmaps = 100, .samples = 100 },
};
static const struct internals_evlist_open_close_opts internals_evlist_open_close_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { .iterations = 100, .events = 1 },
};

BENCH_DEFINE(internals_synthesize, "bench internals synthesize", "internals/synthesize",
	     "Benchmark perf event synthesis", bench_internals_synthesize, false);
BENCH_DEFINE(internals_kallsyms_parse, "bench internals kallsyms-parse", "internals/kallsyms-parse",
	     "Benchmark kallsyms parsing", bench_internals_kallsyms_parse, false);
BENCH_DEFINE(internals_inject_build_id, "bench internals inject-build-id",
	     "internals/inject-build-id", "Benchmark build-id injection",
	     bench_internals_inject_build_id, false);
static int internals_evlist_open_close_run(struct invocation *inv)
{
	struct internals_evlist_open_close_opts *o = inv->opts;
	const char *dropped = target_settle(&o->params.target);
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (dropped) {
		diag_set(&diag, 0, "%s", dropped);
		command_warn(inv, &diag);
	}
	return bench_run(inv, &benchmark_internals_evlist_open_close, &o->common, &o->params);
}

static void internals_evlist_open_close_done(void *opts)
{
	struct internals_evlist_open_close_opts *o = opts;

	target_done(&o->params.target);
}

BENCH_DEFINE_COMMAND(internals_evlist_open_close, "bench internals evlist-open-close",
		     "internals/evlist-open-close", "Benchmark evlist open and close",
		     bench_internals_evlist_open_close, false,
		     .done = internals_evlist_open_close_done);
BENCH_DEFINE(internals_pmu_scan, "bench internals pmu-scan", "internals/pmu-scan",
	     "Benchmark sysfs PMU info scanning", bench_internals_pmu_scan, false);
