/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Whom to measure: -a, -C, -p, -t, -u, for every command that opens events.
 */
#include "cli/option.h"
#include "measure/target.h"

/* Rows over a struct target, with a heading; --per-thread is a row of `record` alone. */
extern const struct option target_options[];
