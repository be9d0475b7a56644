/* SPDX-License-Identifier: MIT */
#pragma once
/* Skid: the distance from an instruction to the samples that belong to it. */
#include <stdbool.h>

struct session_event;

/*
 * True if samples of @e come from an interrupt, which finds the CPU at the instruction after the
 * one that it waited for. These are the events of clocks, and those of counters unless they are
 * precise.
 */
bool event_skids(const struct session_event *e);
