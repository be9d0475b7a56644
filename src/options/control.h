/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * When events count: -D, and --control, by which another program switches them while we run.
 */
#include "cli/option.h"
#include "measure/control-request.h"

/* Rows over a struct control_request, with a heading; -D takes ranges with record only. */
extern const struct option control_options[];
extern const struct option control_options_with_ranges[];

/* -D alone, without ranges, for a `struct delay`. */
option_set_fn delay_set;
