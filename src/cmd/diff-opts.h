/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options of `perf diff`, for the files that do its work.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu-list.h"
#include "cmd/diff-method.h"
#include "cmd/opt/symbols.h"
#include "cmd/opt/table.h"
#include "cmd/opt/value.h"
#include "cmd/opt/verbosity.h"
#include "profile/threshold.h"

struct diff_opts {
	bool force, dump_raw;

	struct diff_method method;
	bool cycles_hist, stream;
	bool baseline_only, periods, formulas;
	uint64_t order;
	const char *sort;
	const char *separator;
	enum percentage percentage;
	bool json;
	struct thresholds limits;

	const char *comms, *dsos, *symbols;
	const char *time; /* parts of it, between colons, are for one side each */
	struct cpu_list cpus;
	struct id_list pids, tids;

	struct symbol_request names;
	struct verbosity_opts verbosity;
};
