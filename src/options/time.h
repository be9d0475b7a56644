/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Times on the command line: --time windows, and durations with a unit.
 */
#include "cli/option.h"
#include "session/time-window.h"

/* option_set_fn for a `struct time_window`. */
option_set_fn time_window_set;

/* option_set_fn for a `uint64_t` of nanoseconds, from a number with s, ms, us or ns (default). */
option_set_fn duration_set;
