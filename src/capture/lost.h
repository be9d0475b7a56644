/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts of records that found the rings full, from the kernel's own counters (read_format LOST,
 * since 6.0).
 *
 * A ring reports a loss with a LOST record before the next record that fits. After the last records
 * of a run there is none, and a reader that was too slow would never know what it has missed. Only
 * the counters show it.
 */
#include <stddef.h>
#include <stdint.h>

struct opened_event;
struct opened_events;
struct record_tally;

/*
 * Returns the number of records of @e that were lost at @place; 0 if the kernel does not report it.
 */
uint64_t lost_at(const struct opened_event *e, size_t place);

/*
 * Returns the number of lost records of all events beyond those that the LOST records in @told
 * report.
 */
uint64_t lost_untold(const struct opened_events *es, const struct record_tally *told);
