/* SPDX-License-Identifier: MIT */
#pragma once
/* The options of `perf mem`, which may stand before or after the subcommand. */
#include <stdbool.h>
#include <stdint.h>

#include "cli/option.h"

struct command;

extern const struct command cmd_mem_record;
extern const struct command cmd_mem_report;

struct mem_opts {
	unsigned accesses; /* enum memory_access; 0: all */
	const char *cpus;  /* as typed */
	const char *input;
	const char *separator;
	const char *sort; /* the sort keys of report */
	bool force;
	bool dump_samples, hide_unresolved;
	bool phys_data, data_page_size;
	bool type_profile;
	unsigned verbose;
};

/* The options over a struct mem_opts: those of report, and those that record has too. */
extern const struct option mem_options[];
extern const struct option mem_both_options[];
