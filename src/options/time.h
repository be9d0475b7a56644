/* SPDX-License-Identifier: MIT */
#pragma once
/* The option values for times: --time windows, and durations with a unit. */
#include "cli/option.h"
#include "session/time-window.h"

/* The option_set_fn for a `struct time_window`. */
option_set_fn time_window_set;

/*
 * The option_set_fn for nanoseconds in a `uint64_t`, from a number with s, ms, us or ns (default).
 */
option_set_fn duration_set;
