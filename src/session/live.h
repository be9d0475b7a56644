/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A live session: ring buffers instead of a file.
 *
 * It is given the contents of the rings, one pass over all of them after the other. Records about a
 * sample's maps may have come into a ring that was emptied before the sample's own, so a pass is
 * complete only when the next one has been taken in. Then a live_feed hands its samples and records
 * to a consumer, in order of time, as session_feed() does with those of a file. Without a feed only
 * the side-band is taken in, and the code that has the records looks things up for them
 * (session/machine.h). One thread at a time feeds and looks up.
 *
 * State to which no later sample can refer is forgotten on the way, so that memory does not grow
 * with time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "session/consumer.h"

struct image;
struct live_feed;

struct session_live_options {
	const struct file_event *events; /* as they were opened; borrowed */
	size_t n_events;
	/*
	 * The known facts about the machine, and names and groups of the events; borrowed. NULL:
	 * nothing is known.
	 */
	const struct features *features;
	/*
	 * Borrowed, and used by this session only (see session_live_forget()); NULL: images are not
	 * read.
	 */
	struct symbolizer *symbolizer;
	/* Returns true if process @pid no longer exists: called when records were lost; or NULL. */
	bool (*is_gone)(uint32_t pid);
	/* For a live_feed: nothing is forgotten, for consumers that keep results of lookups. */
	bool keeps_all;
};

/* Makes a session. Release it with session_free(). */
struct session *session_live_new(const struct session_live_options *o);

/*
 * Finds the event of the record that begins at @bytes, of which there are @size, and its time.
 * false: there is no whole record. A record that is shorter than its event's layout has no event.
 * Any thread may call this, because the events do not change.
 */
bool session_live_place(const struct session *s, const uint8_t *bytes, size_t size,
			struct delivered *ret);

/*
 * Takes in a pass: @size bytes of whole records, which must stay valid until the next pass has been
 * taken in. Side-band without a time is applied immediately. Other side-band is applied in the
 * order of time, as far as nothing older can come any more: that is the whole pass before.
 */
void session_live_pass(struct session *s, const uint8_t *bytes, size_t size);

/*
 * Tells the session that all lookups for samples of the pass before the last are done. State to
 * which no later sample can refer may be forgotten: processes that have ended, unmapped memory, and
 * images that are in no process. This is done when there is enough of it, so that memory does not
 * grow with the length of a recording. Earlier results of lookups are no longer valid.
 */
void session_live_forget(struct session *s);

/*
 * Does the same for callers that refer to images: those for which @is_kept returns true stay too.
 * Maps and names of tasks do not. @is_kept is called only when forgetting is due.
 */
bool session_live_forget_is_due(const struct session *s);
void session_live_forget_but(struct session *s, bool (*is_kept)(void *arg, const struct image *im),
			     void *arg);

/* Applies the remaining records after the last pass. */
void session_live_finish(struct session *s);

/*
 * Makes a feed that gives @consumer, which begins immediately, the contents of the rings from now
 * on. @w may be NULL. Returns a negative errno of begin().
 */
int live_feed_new(struct session *s, struct workers *w, const struct consumer *consumer,
		  struct live_feed **ret);
void live_feed_free(struct live_feed *f);
DEFINE_FREEP(live_feed)

/* Takes in synthesised records about the state before. Only allowed before the first pass. */
int live_feed_tell(struct live_feed *f, const void *records, size_t size);

/* Copies the content of one ring in this pass: whole records in two pieces. */
void live_feed_take(struct live_feed *f, const struct iovec pieces[2]);

/* Returns the time of the newest record that has been taken in. */
uint64_t live_feed_newest(const struct live_feed *f);

/*
 * Ends a pass, when all rings have been read. Hands out the pass before this one, and forgets the
 * past: earlier results of lookups are no longer valid, unless the session keeps all. Returns the
 * consumer's result: > 0 if it wants to stop.
 */
int live_feed_end_pass(struct live_feed *f);

/* Hands out the rest, when there are no more passes. */
int live_feed_finish(struct live_feed *f);
