/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options of `perf annotate`, for the files that do its work.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/cpu-list.h"
#include "cli/colour.h"
#include "cmd/opt/symbols.h"
#include "cmd/opt/table.h"
#include "cmd/opt/value.h"
#include "cmd/opt/verbosity.h"
#include "view/annotate/annotate.h"

struct annotate_opts {
	const char *input;
	bool force, dump_raw;
	struct symbol_request symbols;
	bool ignore_vmlinux;
	bool quiet;

	bool stdio, stdio2;
	enum colour_when colour;

	const char *symbol, *dsos;
	struct cpu_list cpus;
	double percent_limit;
	bool skip_missing;

	enum choice source, asm_raw, group;
	enum annotate_figure figure;
	enum annotate_base base;
	bool print_line, full_paths;
	const char *style, *prefix;
	uint64_t prefix_strip;

	/* Of the configuration alone. */
	struct annotate_layout layout;
};
