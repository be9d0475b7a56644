/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How the stacks of a file ended that were unwound while it was recorded, as a record of it: a
 * HEADER_EVENT_TYPE, as which checkpoints go too, that names an event which there is not.
 */
#include <stdbool.h>

struct bytes;
struct record_event_type;
struct unwind_counts;

/* Appends the record, and a second one if there is more to tell. */
void unwound_note_put(const struct unwind_counts *c, struct bytes *out);

/*
 * Takes what @r says into @c: the first record all of it, a second one the reasons. false: it is
 * another HEADER_EVENT_TYPE.
 */
bool unwound_note_get(const struct record_event_type *r, struct unwind_counts *c);
