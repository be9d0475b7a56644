/* SPDX-License-Identifier: MIT */
#include "session/unwound-note.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "session/stack-unwind.h"
#include "wire/record.h"

/* The config of the named event; a checkpoint's is one more. */
#define NOTE_CONFIG (UINT64_MAX - 1)

/*
 * Only counts that are never reached would be truncated; the result is then not taken for a note.
 */
#define NOTE_SIZE 64

/* The text of the record for unwind_counts.is_rest. */
#define REST "the rest of those unwound in the kernel"

static void session_unwound_note_put(const char *text, struct bytes *out)
{
	const struct record r = {
		.header.type = PERF_RECORD_HEADER_EVENT_TYPE,
		.event_type = { .event_id = NOTE_CONFIG, .name = text },
	};

	(void)record_encode(&r, NULL, out);
}

/*
 * Returns the number of stacks that are incomplete for a reason other than memory that was not
 * copied.
 */
static uint64_t all_lost(const struct unwind_counts *c)
{
	uint64_t n = 0;

	for (int end = UNWIND_CUT + 1; end < UNWIND_ENDS; end++)
		n += c->ended[end];
	return n;
}

void unwound_note_put(const struct unwind_counts *c, struct bytes *out)
{
	uint64_t lost = all_lost(c);
	char text[NOTE_SIZE];

	snprintf(text, sizeof(text), "unwound %" PRIu64 " cut %" PRIu64 " lost %" PRIu64, c->stacks,
		 c->ended[UNWIND_CUT], lost);
	session_unwound_note_put(text, out);
	if (c->is_rest)
		session_unwound_note_put(REST, out);
	if (c->ended[UNWIND_UNTOUCHED]) {
		snprintf(text, sizeof(text), "untouched %" PRIu64, c->ended[UNWIND_UNTOUCHED]);
		session_unwound_note_put(text, out);
	}
	if (lost == c->ended[UNWIND_LOST])
		return;
	snprintf(text, sizeof(text),
		 "lost %" PRIu64 " max %" PRIu64 " file %" PRIu64 " rule %" PRIu64
		 " stack %" PRIu64,
		 c->ended[UNWIND_LOST], c->ended[UNWIND_MAX], c->ended[UNWIND_NO_FILE],
		 c->ended[UNWIND_NO_CFI], c->ended[UNWIND_OTHER_STACK]);
	session_unwound_note_put(text, out);
}

static bool get_sums(const char *text, struct unwind_counts *ret)
{
	struct unwind_counts c = { 0 };

	if (sscanf(text, "unwound %" SCNu64 " cut %" SCNu64 " lost %" SCNu64, &c.stacks,
		   &c.ended[UNWIND_CUT], &c.ended[UNWIND_LOST]) != 3)
		return false;
	*ret = c;
	return true;
}

/* Reads the reasons from the second record. */
static bool get_reasons(const char *text, struct unwind_counts *c)
{
	uint64_t lost, max, file, rule, stack;

	if (sscanf(text,
		   "lost %" SCNu64 " max %" SCNu64 " file %" SCNu64 " rule %" SCNu64
		   " stack %" SCNu64,
		   &lost, &max, &file, &rule, &stack) != 5)
		return false;
	c->ended[UNWIND_LOST] = lost;
	c->ended[UNWIND_MAX] = max;
	c->ended[UNWIND_NO_FILE] = file;
	c->ended[UNWIND_NO_CFI] = rule;
	c->ended[UNWIND_OTHER_STACK] = stack;
	return true;
}

static bool get_untouched(const char *text, struct unwind_counts *c)
{
	return sscanf(text, "untouched %" SCNu64, &c->ended[UNWIND_UNTOUCHED]) == 1;
}

static bool get_rest(const char *text, struct unwind_counts *c)
{
	if (strcmp(text, REST) != 0)
		return false;
	c->is_rest = true;
	return true;
}

bool unwound_note_get(const struct record_event_type *r, struct unwind_counts *c)
{
	return r->event_id == NOTE_CONFIG && (get_sums(r->name, c) || get_rest(r->name, c) ||
					      get_reasons(r->name, c) || get_untouched(r->name, c));
}
