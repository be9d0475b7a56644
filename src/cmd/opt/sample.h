/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What each sample carries besides its address, and the clock of its time.
 */
#include <stdbool.h>

#include "cli/option.h"
#include "cmd/opt/value.h"

struct clock_choice {
	bool given;
	int id; /* as clock_gettime() numbers them */
};

struct sample_opts {
	bool data_addr;
	bool phys_addr;
	bool data_page_size;
	bool code_page_size;
	bool weight;
	bool transaction;
	bool raw;
	bool cpu;
	bool identifier;
	bool thread_counts;
	bool no_samples;
	bool running_time;
	enum choice timestamp;
	enum choice period;
	const char *intr_regs; /* names; "": all; "?": list them; NULL: none */
	const char *user_regs; /* likewise */
	struct clock_choice clock;
};

/* Rows over a struct sample_opts, with a heading. */
extern const struct option sample_options[];
