/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Over what counts are summed up: -A and --per-core, --per-socket, ..., for `stat` and `stat
 * report`. The last one given wins.
 */
#include "cli/option.h"
#include "measure/aggregate-request.h"

/* Rows over a struct aggregate_request, with a heading; --per-thread is a row of `stat` alone. */
extern const struct option aggregate_options[];

/* Setter over a `struct aggregate_request` for a row without a value, known by its name. */
option_set_fn aggregate_set;
