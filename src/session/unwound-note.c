/* SPDX-License-Identifier: MIT */
#include "session/unwound-note.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/bytes.h"
#include "session/stack-unwind.h"
#include "wire/record.h"

/* The config of the event that is named; of a checkpoint it is one more. */
#define NOTE_CONFIG (UINT64_MAX - 1)

void unwound_note_put(const struct unwind_counts *c, struct bytes *out)
{
	char text[64];
	const struct record r = {
		.header.type = PERF_RECORD_HEADER_EVENT_TYPE,
		.event_type = { .event_id = NOTE_CONFIG, .name = text },
	};

	/* Cut short only by counts that nobody lives to see; it is found to be no note then. */
	snprintf(text, sizeof(text), "unwound %" PRIu64 " cut %" PRIu64 " lost %" PRIu64, c->stacks,
		 c->cut, c->lost);
	(void)record_encode(&r, NULL, out);
}

bool unwound_note_get(const struct record_event_type *r, struct unwind_counts *ret)
{
	struct unwind_counts c;

	if (r->event_id != NOTE_CONFIG ||
	    sscanf(r->name, "unwound %" SCNu64 " cut %" SCNu64 " lost %" SCNu64, &c.stacks, &c.cut,
		   &c.lost) != 3)
		return false;
	*ret = c;
	return true;
}
