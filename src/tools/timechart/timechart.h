/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The subcommands of perf timechart.
 */
#include "cli/command.h"

extern const struct command cmd_timechart_record;
