/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options for aggregation: -A and --per-core, --per-socket, ..., for `stat` and `stat report`.
 * The last one wins.
 */
#include "cli/option.h"
#include "measure/aggregate-request.h"

/*
 * The options over a struct aggregate_request, with a heading. --per-thread belongs to `stat`
 * alone.
 */
extern const struct option aggregate_options[];

/*
 * A setter over a `struct aggregate_request` for an option without a value, which is recognized by
 * its name.
 */
option_set_fn aggregate_set;
