/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Skid: how far behind an instruction the samples lie that are about it.
 */
#include <stdbool.h>

struct session_event;

/*
 * Whether samples of @e come from an interrupt, which finds the CPU at the instruction behind the
 * one that it waited for: those of clocks, and those of counters unless they are precise.
 */
bool event_skids(const struct session_event *e);
