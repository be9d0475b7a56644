/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The ways in which the stacks ended that were unwound while recording, stored in the recording
 * itself: as a HEADER_EVENT_TYPE record (like checkpoints) that names an event which does not
 * exist.
 */
#include <stdbool.h>

struct bytes;
struct record_event_type;
struct unwind_counts;

/* Appends the record, and a second one for the reasons if there are any. */
void unwound_note_put(const struct unwind_counts *c, struct bytes *out);

/* Adds the counts of @r to @c. false: it is another HEADER_EVENT_TYPE. */
bool unwound_note_get(const struct record_event_type *r, struct unwind_counts *c);
