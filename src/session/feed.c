/* SPDX-License-Identifier: MIT */
#include "session/feed.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/workers.h"
#include "session/group-read.h"
#include "session/internal.h"
#include "session/sample-filter.h"

/*
 * This number of samples is decoded at a time: with their records they fit into the first-level
 * cache.
 */
#define DECODED_MAX 32

/*
 * A slice is large enough to make the cost of sharing negligible, and small enough that the output
 * of CONSUMER_SLICES_MAX slices stays small. Batches below PARALLEL_MIN records are not shared.
 */
#define SLICE_BYTES  (32 << 10)
#define ALONE_BYTES  (256 << 10) /* size of a slice when one thread takes all */
#define PARALLEL_MIN 1024
#define SLICES_MAX   64 /* in any order, no output accumulates */

/*
 * A record is prefetched this many records before its turn, because another thread touched it long
 * before.
 */
#define AHEAD 8

/* Space for decoded samples; not cleared, because most of it is never used. */
struct decoded {
	struct session_sample items[DECODED_MAX];
	struct sample samples[DECODED_MAX];
	uint64_t types[DECODED_MAX]; /* sample_type of the sample decoded there; 0: to be cleared */
};

/* One thread's work: collected records, or decoded samples. */
struct session_feed_taking {
	struct feed *feed;
	unsigned worker, slice;
	const struct delivered *run; /* consecutive records */
	size_t n_run;
	struct decoded *decoded;
	size_t n;
	uint64_t n_stacks; /* samples with a call chain */
};

static int hand_samples(struct session_feed_taking *t)
{
	const struct consumer *c = &t->feed->consumer;
	const struct sample_batch b = {
		.items = t->decoded->items, .n = t->n, .worker = t->worker, .slice = t->slice
	};

	if (!t->n)
		return 0;
	t->n = 0;
	return c->samples(c->arg, &b);
}

static int hand_records(struct session_feed_taking *t)
{
	const struct consumer *c = &t->feed->consumer;
	const struct record_batch b = {
		.items = t->run, .n = t->n_run, .worker = t->worker, .slice = t->slice
	};

	if (!t->n_run)
		return 0;
	t->n_run = 0;
	return c->records(c->arg, &b);
}

static int feed_take_record(struct session_feed_taking *t, const struct delivered *d)
{
	int r = hand_samples(t);

	if (!r && t->n_run && t->run + t->n_run != d)
		r = hand_records(t);
	if (!t->n_run)
		t->run = d;
	t->n_run++;
	return r;
}

static int feed_add_sample(struct session_feed_taking *t, const struct delivered *d,
			   const struct sample *s, struct group_share share)
{
	t->decoded->items[t->n++] = (struct session_sample){
		.record = d,
		.event = share.event,
		.sample = s,
		.time = d->time,
		.period = share.period,
		.samples = t->feed->session->is_summed ? s->stream_id : 1,
	};
	return t->n == DECODED_MAX ? hand_samples(t) : 0;
}

static bool feed_passes(const struct feed *f, const struct delivered *d, const struct sample *s)
{
	return !f->consumer.filter ||
	       sample_filter_passes_moment(f->consumer.filter, d->time, s->cpu);
}

/* Notes the depth of a sample's chain, which may be cut. */
static inline void note_depth(struct session_feed_taking *t, const struct session_event *e,
			      const struct sample *s)
{
	size_t frames;

	if (!s->chain.n)
		return;
	t->n_stacks++;
	if (s->chain.n < CHAIN_DEPTH_DEFAULT || !t->feed->depths)
		return;
	frames = chain_depth_of(&s->chain);
	if (frames >= CHAIN_DEPTH_DEFAULT)
		chain_depths_add(t->feed->depths, e->index, frames);
}

/*
 * Takes the shares of a sample. Samples that are filtered out still update the counts of their
 * group.
 */
static int take_shares(struct session_feed_taking *t, const struct delivered *d,
		       const struct sample *s)
{
	struct feed *f = t->feed;
	const struct group_share *shares;
	size_t n = group_reads_share(f->groups, f->session, s, &shares);
	int r = feed_passes(f, d, s) ? hand_samples(t) : 0;

	if (r || !n || !feed_passes(f, d, s))
		return r;
	note_depth(t, d->event, s);
	/* All shares are of the same sample. */
	t->decoded->samples[0] = *s;
	t->decoded->types[0] = 0;
	for (size_t i = 0; i < n && !r; i++)
		r = feed_add_sample(t, d, &t->decoded->samples[0], shares[i]);
	return r ? r : hand_samples(t);
}

/* Decodes into the next slot. */
static int feed_decode(struct session_feed_taking *t, const struct delivered *d, struct sample *s)
{
	const struct attr *attr = &d->event->attr;
	uint64_t *type = &t->decoded->types[t->n];

	if (*type && *type == attr->sample_type)
		return session_decode_sample_again(t->feed->session, d, s);
	*type = sample_is_plain(attr) ? attr->sample_type : 0;
	return session_decode_sample(t->feed->session, d, s);
}

static int feed_take_sample(struct session_feed_taking *t, const struct delivered *d)
{
	struct feed *f = t->feed;
	struct sample *s = &t->decoded->samples[t->n];
	int r = hand_records(t);

	if (r || !d->event || event_set_has(&f->unwanted, d->event))
		return r;
	if (feed_decode(t, d, s) < 0)
		return 0;
	if (f->groups && group_reads_wanted(d->event))
		return take_shares(t, d, s);
	if (!feed_passes(f, d, s))
		return 0;
	note_depth(t, d->event, s);
	return feed_add_sample(t, d, s, (struct group_share){ d->event, s->period });
}

static int feed_take(struct session_feed_taking *t, const struct delivered *d)
{
	const struct consumer *c = &t->feed->consumer;
	uint32_t type = d->raw.header.type;
	int r = 0;

	if (c->types & RECORD_TYPE_BIT(type))
		r = feed_take_record(t, d);
	if (!r && type == PERF_RECORD_SAMPLE && c->samples)
		r = feed_take_sample(t, d);
	return r;
}

/* True if the consumer takes all records undecoded. */
static bool wants_all_records(const struct consumer *c)
{
	return c->types == RECORD_TYPES_ALL && !c->samples;
}

/* Prefetches the parts that most samples need. */
static void feed_fetch(const struct delivered *d)
{
	__builtin_prefetch(d->raw.bytes);
	__builtin_prefetch(d->raw.bytes + 64);
}

/* Hands @items to the consumer, with the number @worker and as a part of @slice. */
static int take_all(struct feed *f, unsigned worker, unsigned slice, const struct delivered *items,
		    size_t n)
{
	struct decoded decoded;
	struct session_feed_taking t = {
		.feed = f, .worker = worker, .slice = slice, .decoded = &decoded
	};
	int r = 0;

	memset(decoded.types, 0, sizeof(decoded.types));
	if (wants_all_records(&f->consumer)) {
		t.run = items;
		t.n_run = n;
		n = 0;
	}
	for (size_t i = 0; i < n && !r; i++) {
		if (i + AHEAD < n)
			feed_fetch(&items[i + AHEAD]);
		r = feed_take(&t, &items[i]);
	}
	if (f->depths && t.n_stacks)
		chain_depths_add_stacks(f->depths, t.n_stacks);
	if (!r)
		r = hand_records(&t);
	return r ? r : hand_samples(&t);
}

static int end_slice(struct feed *f, unsigned slice)
{
	const struct consumer *c = &f->consumer;

	return c->slice_end ? c->slice_end(c->arg, slice) : 0;
}

/* A batch that is cut into slices; slice i ends where i + 1 begins. */
struct cut {
	struct feed *feed;
	const struct delivered *items;
	size_t begin[SLICES_MAX + 1];
	size_t n;
	atomic_int result; /* the first result of a callback that wants to stop */
};

/* Cuts up to @max slices of about @bytes each out of the records from @from on. */
static void feed_cut(struct cut *c, size_t from, size_t n, size_t bytes, size_t max)
{
	c->begin[0] = from;
	for (c->n = 0; c->n < max && from < n; c->n++) {
		for (size_t sum = 0; sum < bytes && from < n; from++)
			sum += c->items[from].raw.header.size;
		c->begin[c->n + 1] = from;
	}
}

static void take_slice(void *arg, size_t i, unsigned worker)
{
	struct cut *c = arg;
	unsigned slice = c->feed->consumer.order == CONSUMER_SLICES ? (unsigned)i : 0;
	int r = take_all(c->feed, worker, slice, &c->items[c->begin[i]],
			 c->begin[i + 1] - c->begin[i]);
	int none = 0;

	if (r)
		atomic_compare_exchange_strong(&c->result, &none, r);
}

static int take_parallel(struct feed *f, const struct delivered *items, size_t n)
{
	bool slices = f->consumer.order == CONSUMER_SLICES;
	struct cut c = { .feed = f, .items = items };
	int r = 0;

	for (size_t from = 0; from < n && !r; from = c.begin[c.n]) {
		feed_cut(&c, from, n, SLICE_BYTES, slices ? CONSUMER_SLICES_MAX : SLICES_MAX);
		workers_run(f->workers, c.n, take_slice, &c);
		r = atomic_load(&c.result);
		for (unsigned i = 0; i < c.n && slices && !r; i++)
			r = end_slice(f, i);
	}
	return r;
}

static int take_alone(struct feed *f, const struct delivered *items, size_t n)
{
	struct cut c = { .feed = f, .items = items };
	int r = 0;

	/* Slices are only needed by consumers with slice_end(). */
	if (!f->consumer.slice_end)
		return take_all(f, 0, 0, items, n);
	for (size_t from = 0; from < n && !r; from = c.begin[1]) {
		feed_cut(&c, from, n, ALONE_BYTES, 1);
		r = take_all(f, 0, 0, &items[from], c.begin[1] - from);
		if (!r)
			r = end_slice(f, 0);
	}
	return r;
}

static void feed_look_at_events(struct feed *f)
{
	const struct consumer *c = &f->consumer;

	for (; f->n_events < session_event_count(f->session); f->n_events++) {
		const struct session_event *e = session_event(f->session, f->n_events);

		if (!f->groups && !c->undivided && group_reads_wanted(e))
			f->groups = group_reads_new();
		if (c->wants)
			*ARRAY_ADD(&f->unwanted) = !c->wants(c->arg, e);
	}
}

int feed_begin(struct feed *f)
{
	int r = 0;

	if (f->begun)
		return 0;
	f->begun = true;
	if (f->consumer.begin)
		r = f->consumer.begin(f->consumer.arg, &f->consumer);
	feed_look_at_events(f);
	return r;
}

static int on_batch(void *arg, const struct delivered *items, size_t n)
{
	struct feed *f = arg;
	int r = feed_begin(f);

	if (r)
		return r;
	feed_look_at_events(f);
	if (f->workers && f->consumer.order != CONSUMER_IN_ORDER && !f->groups && n >= PARALLEL_MIN)
		return take_parallel(f, items, n);
	return take_alone(f, items, n);
}

static int on_slice(void *arg, unsigned worker, unsigned slot, const struct delivered *items,
		    size_t n)
{
	return take_all(arg, worker, slot, items, n);
}

static int feed_on_slice_end(void *arg, unsigned slot)
{
	return end_slice(arg, slot);
}

static int feed_on_samples(void *arg, unsigned worker, const struct delivered *items, size_t n)
{
	return take_all(arg, worker, 0, items, n);
}

static int feed_on_user(void *arg, const struct delivered *d)
{
	struct feed *f = arg;

	return f->consumer.user(f->consumer.arg, d);
}

struct feed feed_of(struct session *s, struct workers *w, const struct consumer *consumer)
{
	struct feed f = { .session = s, .workers = w, .consumer = *consumer };

	f.consumer.session = s;
	return f;
}

void feed_done(struct feed *f)
{
	group_reads_free(f->groups);
	free(f->unwanted.items);
}

struct session_sink feed_sink(struct feed *f)
{
	const struct consumer *c = &f->consumer;
	bool slices = f->begun && c->order == CONSUMER_SLICES && f->workers && !f->groups;

	return (struct session_sink){
		.slice = slices && workers_count(f->workers) > 1 ? on_slice : NULL,
		.slice_end = feed_on_slice_end,
		.n_workers = f->workers ? workers_count(f->workers) : 1,
		.stays = c->on_this_thread || (f->workers && c->order == CONSUMER_ANY_ORDER),
		.batch = c->begin || c->samples || c->types ? on_batch : NULL,
		.user = c->user ? feed_on_user : NULL,
		.skips = c->wants && !(c->types & RECORD_TYPE_BIT(PERF_RECORD_SAMPLE))
				 ? &f->unwanted
				 : NULL,
		.arg = f,
	};
}

static bool feed_wants_order(const struct feed *f)
{
	const struct consumer *c = &f->consumer;

	return c->order != CONSUMER_ANY_ORDER || c->types || c->user || f->groups;
}

static int feed_deliver(struct feed *f, struct diag *diag)
{
	struct session *s = f->session;
	const struct session_sink ordered = feed_sink(f);
	const struct unordered_sink any = {
		.samples = feed_on_samples,
		.is_costly = f->consumer.is_costly,
		.arg = f,
	};
	/* A stream continues at its present position. */
	bool is_stream = session_is_stream(s) || datafile_rewind(s->file) < 0;

	if (is_stream || s->forgets || feed_wants_order(f))
		return session_deliver(s, &ordered, diag);
	return f->consumer.samples ? session_deliver_unordered(s, f->workers, &any, diag)
				   : session_scan(s, diag);
}

int session_feed(struct session *s, struct workers *w, const struct consumer *consumer,
		 struct diag *diag)
{
	struct feed f = feed_of(s, w, consumer);

	/* A recording may be read twice, and its chains are then counted again. */
	if (consumer->samples) {
		chain_depths_free(s->chain_depths);
		s->chain_depths = f.depths = chain_depths_new();
	}

	int r = session_is_stream(s) ? 0 : feed_begin(&f);

	if (!r)
		r = feed_deliver(&f, diag);
	if (!r)
		r = feed_begin(&f);
	feed_done(&f);
	return r < 0 ? r : 0;
}
