/* SPDX-License-Identifier: MIT */
#pragma once
/* The table of work items that `perf kwork report` and `perf kwork latency` share. */
#include <stdbool.h>

#include "cli/option.h"
#include "tools/kwork/kwork-model.h"

struct invocation;
struct kwork_order;
struct kwork_reading_opts;

struct kwork_table_request {
	const struct kwork_reading_opts *reading;
	enum kwork_mode mode; /* run times or delays */
	const struct kwork_order *order;
	bool with_totals;
};

/* Sets a `struct kwork_order`. */
option_set_fn kwork_order_set;

/* Reads and prints the table. Returns the exit status. */
int kwork_table_show(struct invocation *inv, const struct kwork_table_request *rq);
