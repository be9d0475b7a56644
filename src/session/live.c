/* SPDX-License-Identifier: MIT */
#include "session/live.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "session/feed.h"
#include "session/internal.h"
#include "session/image-rules.h"
#include "session/machine-forget.h"
#include "symbol/jit-code.h"
#include "symbol/symbolizer.h"

/*
 * The recorder may be able to open a file through one of the processes that map it, so each is
 * tried, up to this many.
 */
#define FILE_TRIES 32

struct session *session_live_new(const struct session_live_options *o)
{
	struct session *s = xcalloc(1, sizeof(*s));

	s->features = o->features;
	s->with_symbols = o->symbolizer;
	s->notes_exits = true;
	s->keeps_all = o->keeps_all;
	s->is_gone = o->is_gone;
	s->batch = xmalloc(BATCH_MAX * sizeof(s->batch[0]));
	machine_init(&s->machine, o->symbolizer);
	s->image_rules = image_rules_new(FILE_TRIES);
	for (size_t i = 0; i < o->n_events; i++)
		events_put(&s->events, &o->events[i]);
	events_sync(&s->events, session_features(s));
	return s;
}

bool session_live_place(const struct session *s, const uint8_t *bytes, size_t size,
			struct delivered *ret)
{
	struct delivered d = { .raw = { .bytes = bytes } };

	if (record_header_decode(bytes, size, s->swap, &d.raw.header) < 0 ||
	    d.raw.header.size > size)
		return false;
	if (d.raw.header.type < PERF_RECORD_USER_FIRST)
		events_place(&s->events, &d.raw, s->swap, &d.event, &d.time);
	*ret = d;
	return true;
}

static int take_pass(struct session *s, const struct session_sink *sink, const uint8_t *bytes,
		     size_t size)
{
	uint64_t lost = s->counts.lost_records;
	int r = session_deliver_pass(s, sink, bytes, size);

	s->has_lost |= s->counts.lost_records != lost;
	s->settled = s->newest[0];
	s->newest[0] = s->newest[1];
	s->newest[1] = s->order.newest;
	return r;
}

void session_live_pass(struct session *s, const uint8_t *bytes, size_t size)
{
	(void)take_pass(s, NULL, bytes, size);
}

struct session_live_forgetting {
	const struct session *session;
	bool (*is_kept)(void *arg, const struct image *im); /* or NULL */
	void *arg;
	struct u64_map made; /* images of kept JIT code: all of them are kept, or none */
};

/*
 * True if the image is mapped by a living process, was used recently, or is referred to by the
 * caller.
 */
static bool is_image_needed(void *arg, const struct image *im)
{
	const struct session_live_forgetting *f = arg;
	const struct session *s = f->session;

	return images_has(&s->machine.images, im) || image_rules_has(s->image_rules, im) ||
	       (f->is_kept && (f->is_kept(f->arg, im) || u64_map_find(&f->made, (uintptr_t)im)));
}

static bool is_image_mapped(void *arg, const struct image *im)
{
	const struct session *s = arg;

	return images_has(&s->machine.images, im);
}

/*
 * True if the code is needed. JIT code with images that are referred to is kept with all its
 * images. Called before the images are checked.
 */
static bool is_code_needed(void *arg, const struct jit_code *c)
{
	struct session_live_forgetting *f = arg;
	const struct jit_load *loads;
	bool is_needed = u64_map_find(&f->session->machine.jit_maps, (uintptr_t)c);
	size_t n;

	if (is_needed || !f->is_kept)
		return is_needed;
	loads = jit_code_loads(c, &n);
	for (size_t i = 0; i < n && !is_needed; i++)
		is_needed = f->is_kept(f->arg, loads[i].image);
	for (size_t i = 0; i < n && is_needed; i++)
		u64_map_put(&f->made, (uintptr_t)loads[i].image, loads[i].image);
	return is_needed;
}

bool session_live_forget_is_due(const struct session *s)
{
	return s->settled && machine_forget_due(&s->machine);
}

void session_live_forget_but(struct session *s, bool (*is_kept)(void *arg, const struct image *im),
			     void *arg)
{
	struct machine *m = &s->machine;
	struct session_live_forgetting f = { .session = s, .is_kept = is_kept, .arg = arg };

	if (!session_live_forget_is_due(s))
		return;
	/*
	 * Samples of tasks that are gone may still be in the last pass, so they are forgotten next
	 * time.
	 */
	if (s->has_lost && s->is_gone)
		lineage_end_gone(&m->lineage, s->is_gone,
				 (struct moment){ s->order.newest, m->turn });
	s->has_lost = false;
	images_forget(&m->images);
	machine_forget_before(m, s->settled);
	image_rules_forget(s->image_rules, is_image_mapped, s);
	symbolizer_forget(m->images.symbolizer,
			  &(struct symbolizer_keeps){ is_image_needed, is_code_needed, &f });
	u64_map_done(&f.made);
}

void session_live_forget(struct session *s)
{
	session_live_forget_but(s, NULL, NULL);
}

void session_live_finish(struct session *s)
{
	(void)session_deliver_rest(s, NULL);
}

struct live_feed {
	struct feed feed;
	struct bytes filling, waiting; /* the present pass, and the one before it */
};

int live_feed_new(struct session *s, struct workers *w, const struct consumer *consumer,
		  struct live_feed **ret)
{
	struct live_feed *f = xcalloc(1, sizeof(*f));
	int r;

	f->feed = feed_of(s, w, consumer);
	r = feed_begin(&f->feed);
	if (r < 0)
		live_feed_free(f);
	else
		*ret = f;
	return r;
}

void live_feed_free(struct live_feed *f)
{
	if (!f)
		return;
	feed_done(&f->feed);
	bytes_done(&f->filling);
	bytes_done(&f->waiting);
	free(f);
}

int live_feed_tell(struct live_feed *f, const void *records, size_t size)
{
	const struct session_sink sink = feed_sink(&f->feed);
	int r = session_deliver_pass(f->feed.session, &sink, records, size);

	return r ? r : session_deliver_rest(f->feed.session, &sink);
}

void live_feed_take(struct live_feed *f, const struct iovec pieces[2])
{
	for (size_t i = 0; i < 2 && pieces[i].iov_len; i++)
		bytes_add(&f->filling, pieces[i].iov_base, pieces[i].iov_len);
}

uint64_t live_feed_newest(const struct live_feed *f)
{
	return f->feed.session->order.newest;
}

int live_feed_end_pass(struct live_feed *f)
{
	struct session *s = f->feed.session;
	const struct session_sink sink = feed_sink(&f->feed);
	struct bytes done = f->waiting;
	int r;

	/* An empty pass completes the one before it. */
	if (!f->filling.n && !f->waiting.n)
		return 0;
	r = take_pass(s, &sink, f->filling.data, f->filling.n);
	f->waiting = f->filling;
	f->filling = done;
	f->filling.n = 0;
	if (!s->keeps_all)
		session_live_forget(s);
	return r;
}

int live_feed_finish(struct live_feed *f)
{
	const struct session_sink sink = feed_sink(&f->feed);

	return session_deliver_rest(f->feed.session, &sink);
}
