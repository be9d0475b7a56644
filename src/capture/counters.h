/* SPDX-License-Identifier: MIT */
#pragma once
/* Reads the counts of events that were opened to count (capture/opened-events.h). */
struct opened_events;

/*
 * Reads all counts into the events, each group at once. Returns a negative errno if a descriptor
 * cannot be read.
 */
int counters_read(struct opened_events *es);
