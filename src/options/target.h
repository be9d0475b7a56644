/* SPDX-License-Identifier: MIT */
#pragma once
/* The options that say what to measure: -a, -C, -p, -t, -u, for every command that opens events. */
#include "cli/option.h"
#include "measure/target.h"

/* Options over a struct target, with a heading; --per-thread is an option of `record` alone. */
extern const struct option target_options[];
