/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A session of what happens now: ring buffers instead of a file.
 *
 * It is given what the rings gave, one pass over all of them after the other. What tells of a
 * sample's maps may have come into a ring that was emptied before the sample's own, so a pass is
 * complete only when the next one has been taken in. Then a live_feed hands its samples and records
 * to a consumer, in order of time, as session_feed() does with those of a file. Without a feed only
 * the side-band is taken in, and whoever has the records asks about them (session/machine.h). One
 * thread at a time feeds and asks.
 *
 * What no later sample can refer to is forgotten on the way, so that memory does not grow with
 * time.
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
	/* What is known of the machine, names and groups of the events; borrowed. NULL: nothing. */
	const struct features *features;
	/* Borrowed, and nobody else's (see session_live_forget()); NULL: images are not read. */
	struct symbolizer *symbolizer;
	/* Whether there is no process @pid any more: asked when records were lost; or NULL. */
	bool (*is_gone)(uint32_t pid);
	/* Of a live_feed: nothing is forgotten, for consumers that keep what they were answered. */
	bool keeps_all;
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

/*
 * The same for those who refer to images: those that @is_kept says stay, too. Maps and names of
 * tasks do not. Only where it is due does it ask.
 */
bool session_live_forget_is_due(const struct session *s);
void session_live_forget_but(struct session *s, bool (*is_kept)(void *arg, const struct image *im),
			     void *arg);

/* That was the last pass: applies what is left of it. */
void session_live_finish(struct session *s);

/*
 * Feeds @consumer, which begins at once, with what the rings give from now on. @w may be NULL. A
 * negative errno is what begin() returned.
 */
int live_feed_new(struct session *s, struct workers *w, const struct consumer *consumer,
		  struct live_feed **ret);
void live_feed_free(struct live_feed *f);
DEFINE_FREEP(live_feed)

/* Takes in synthesised records of what was there before. Only before the first pass. */
int live_feed_tell(struct live_feed *f, const void *records, size_t size);

/* Copies what one ring gave in this pass: whole records in two pieces. */
void live_feed_take(struct live_feed *f, const struct iovec pieces[2]);

/* The time of the newest record that has been taken in. */
uint64_t live_feed_newest(const struct live_feed *f);

/*
 * All rings have been looked into. Hands out the pass before this one, and forgets what is past:
 * answers given so far are no longer valid, unless the session keeps all. Results as of the
 * consumer: > 0, it wants to stop.
 */
int live_feed_end_pass(struct live_feed *f);

/* There are no more passes: hands out the rest. */
int live_feed_finish(struct live_feed *f);
