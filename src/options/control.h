/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options that say when events count: -D, and --control, by which another program switches the
 * events while we run.
 */
#include "cli/option.h"
#include "measure/control-request.h"

/* Options over a struct control_request, with a heading; only record lets -D take ranges. */
extern const struct option control_options[];
extern const struct option control_options_with_ranges[];

/* -D alone, without ranges, for a `struct delay`. */
option_set_fn delay_set;
