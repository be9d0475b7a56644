/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A session of a recording that is being made: fed by who records, instead of read from a file.
 *
 * It is given what the ring buffers gave, one pass over all of them after the other, and answers
 * the questions of session/machine.h about samples. What tells of a sample's maps may have come
 * into a ring that was emptied before the sample's own: answers about the samples of a pass are
 * final only when the next pass has been taken in. Such a session has no file to be delivered,
 * scanned or asked for (session_datafile() is NULL). One thread at a time feeds and asks.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/session.h"

struct session_live_options {
	const struct file_event *events; /* as they were opened; borrowed */
	size_t n_events;
	/* Borrowed, and nobody else's (see session_live_forget()); NULL: images are not read. */
	struct symbolizer *symbolizer;
	/* Whether there is no process @pid any more: asked when records were lost; or NULL. */
	bool (*is_gone)(uint32_t pid);
};

/* Release it with session_free(). */
struct session *session_live_new(const struct session_live_options *o);

/*
 * Whose record it is that begins at @bytes, of which there are @size, and when it was made. false:
 * no whole record is there. One that is shorter than its event's layout is nobody's. Any thread may
 * ask: the events do not change.
 */
bool session_live_place(const struct session *s, const uint8_t *bytes, size_t size,
			struct delivered *ret);

/*
 * Takes in a pass: @size bytes of whole records, which are to stay until the next one has been
 * taken in. Side-band without a time is applied at once, other in the order of time, as far as
 * nothing older can come any more: all of the pass before.
 */
void session_live_pass(struct session *s, const uint8_t *bytes, size_t size);

/*
 * All samples of the pass before the last have been asked about: what no later one can refer to may
 * be forgotten, as processes that have ended, what was unmapped, and images that nobody has. It is,
 * when there is enough of it, so that memory does not grow with the time that a recording takes.
 * Answers given so far are no longer valid.
 */
void session_live_forget(struct session *s);

/* That was the last pass: applies what is left of it. */
void session_live_finish(struct session *s);
