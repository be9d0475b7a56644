/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What found the rings full, by the kernel's own counts (read_format LOST, since 6.0).
 *
 * A ring tells of it with a LOST record before the next one that fits. After the last records of a
 * run none comes, and a reader that was too slow would never know what it has missed: only the
 * counts tell.
 */
#include <stddef.h>
#include <stdint.h>

struct opened_event;
struct opened_events;
struct record_tally;

/* How many records of @e were lost at @place; 0 where the kernel does not tell. */
uint64_t lost_at(const struct opened_event *e, size_t place);

/* How many more were lost of all events than the LOST records in @told say. */
uint64_t lost_untold(const struct opened_events *es, const struct record_tally *told);
