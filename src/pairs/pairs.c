/* SPDX-License-Identifier: MIT */
#include "pairs/pairs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "pairs/pair-rule.h"
#include "session/consumer.h"

/* The rules that are about one event. */
struct event_sides {
	bool is_bound;
	size_t n;
	struct pair_side *items;
};

struct pairs {
	struct pairs_options o;
	struct open_pairs open;
	struct pair_counts counts;
	struct {
		struct event_sides *items; /* by the event's index */
		size_t n, room;
	} events;
};

static unsigned key_count(const struct pair_spec *spec)
{
	unsigned n = 1;

	for (const char *c = spec->rules[0].keys; *c; c++)
		n += *c == ',';
	return n < PAIR_KEYS_MAX ? n : PAIR_KEYS_MAX;
}

struct pairs *pairs_new(const struct pairs_options *o)
{
	struct pairs *p = xcalloc(1, sizeof(*p));

	p->o = *o;
	open_pairs_init(&p->open, key_count(o->spec) - o->spec->n_compared);
	return p;
}

void pairs_free(struct pairs *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->events.n; i++)
		free(p->events.items[i].items);
	free(p->events.items);
	open_pairs_done(&p->open);
	free(p);
}

static void pairs_bind(struct pairs *p, struct event_sides *sides,
		       const struct session_event *event)
{
	const struct pair_spec *spec = p->o.spec;

	sides->is_bound = true;
	sides->items = xcalloc(spec->n_rules, sizeof(*sides->items));
	for (size_t i = 0; i < spec->n_rules; i++)
		if (pair_rule_is_about(&spec->rules[i], event))
			sides->items[sides->n++] = pair_side_bind(spec, &spec->rules[i], event,
								  p->o.swap);
}

/*
 * Returns the rules of @event. Events are bound at their first sample, because those of a stream
 * become known only while it is read.
 */
static const struct event_sides *sides_of(struct pairs *p, const struct session_event *event)
{
	while (p->events.n <= event->index)
		ARRAY_ADD(&p->events);

	struct event_sides *sides = &p->events.items[event->index];

	if (!sides->is_bound)
		pairs_bind(p, sides, event);
	return sides;
}

static void pairs_begin(struct pairs *p, const struct session_sample *s, const uint64_t *keys)
{
	struct open_pair o = {
		.begin_ns = s->time,
		.pid = s->sample->pid,
		.tid = s->sample->tid,
		.cpu = s->sample->cpu,
	};

	memcpy(o.keys, keys, sizeof(o.keys));
	p->counts.replaced += open_pairs_put(&p->open, &o);
}

static bool are_same(const struct pairs *p, const uint64_t *a, const uint64_t *b)
{
	return !memcmp(a + p->open.n_keys, b + p->open.n_keys,
		       (PAIR_KEYS_MAX - p->open.n_keys) * sizeof(*a));
}

static void pairs_end(struct pairs *p, const struct session_sample *s, const uint64_t *keys,
		      bool is_flush)
{
	struct open_pair *o = open_pairs_find(&p->open, keys);
	struct open_pair begun;

	if (!o) {
		p->counts.unbegun++;
		return;
	}
	begun = *o;
	open_pairs_remove(&p->open, o);
	if (!are_same(p, begun.keys, keys)) {
		p->counts.mismatched++;
	} else if (s->time < begun.begin_ns) {
		p->counts.backwards++;
	} else {
		p->counts.pairs++;
		p->counts.flushes += is_flush;
		p->o.found(p->o.arg, &(struct pair){ .begin_ns = begun.begin_ns,
						     .end_ns = s->time,
						     .keys = begun.keys,
						     .pid = begun.pid,
						     .tid = begun.tid,
						     .cpu = begun.cpu,
						     .is_flush = is_flush,
						     .end = s });
	}
}

static void pairs_cancel(struct pairs *p, const uint64_t *keys)
{
	struct open_pair *o = open_pairs_find(&p->open, keys);

	if (!o)
		return;
	open_pairs_remove(&p->open, o);
	p->counts.cancelled++;
}

static void pairs_apply(struct pairs *p, const struct pair_side *side,
			const struct session_sample *s)
{
	uint64_t keys[PAIR_KEYS_MAX];
	enum pair_reading r = pair_side_read(side, s, p->open.seed, keys);

	if (r == PAIR_UNREADABLE)
		p->counts.unreadable++;
	else if (r == PAIR_EMPTY)
		p->counts.empty++;
	else if (r == PAIR_NOT_MEANT)
		return;
	else if (side->role == PAIR_BEGIN)
		pairs_begin(p, s, keys);
	else if (side->role == PAIR_END)
		pairs_end(p, s, keys, r == PAIR_READ_FLUSH);
	else
		pairs_cancel(p, keys);
}

void pairs_take(struct pairs *p, const struct session_sample *s)
{
	const struct event_sides *sides = sides_of(p, s->event);

	for (size_t i = 0; i < sides->n; i++)
		pairs_apply(p, &sides->items[i], s);
}

struct pair_counts pairs_counts(const struct pairs *p)
{
	struct pair_counts c = p->counts;

	c.open = p->open.n;
	return c;
}

void pair_counts_note(const struct pair_counts *c, enum note_kind kind, struct notes *notes)
{
	uint64_t begins = c->open + c->replaced + c->mismatched + c->backwards;
	uint64_t ends = c->unbegun + c->mismatched + c->backwards;

	if (begins || ends)
		notes_add(notes, kind,
			  "pairs: %" PRIu64 "; begins without an end: %" PRIu64
			  "; ends without a begin: %" PRIu64,
			  c->pairs, begins, ends);
}

#define ROOM_FIRST 64

void open_pairs_init(struct open_pairs *o, unsigned n_keys)
{
	*o = (struct open_pairs){ .n_keys = n_keys, .seed = hash_seed(), .room = ROOM_FIRST };
	o->items = xcalloc(o->room, sizeof(*o->items));
}

void open_pairs_done(struct open_pairs *o)
{
	free(o->items);
	*o = (struct open_pairs){ 0 };
}

static size_t open_pairs_home_of(const struct open_pairs *o, const uint64_t *keys)
{
	uint64_t hash = 0;

	for (unsigned i = 0; i < o->n_keys; i++)
		hash = hash_u64(o->seed, hash ^ keys[i]);
	return (size_t)hash & (o->room - 1);
}

/* Returns the slot of @keys: the one that holds them, or the free one where they would go. */
static struct open_pair *open_pairs_place_of(const struct open_pairs *o, const uint64_t *keys)
{
	size_t i = open_pairs_home_of(o, keys);

	while (o->items[i].is_open &&
	       memcmp(o->items[i].keys, keys, o->n_keys * sizeof(*keys)) != 0)
		i = (i + 1) & (o->room - 1);
	return &o->items[i];
}

struct open_pair *open_pairs_find(const struct open_pairs *o, const uint64_t keys[PAIR_KEYS_MAX])
{
	struct open_pair *p = open_pairs_place_of(o, keys);

	return p->is_open ? p : NULL;
}

static void open_pairs_grow(struct open_pairs *o)
{
	struct open_pair *old = o->items;
	size_t n = o->room;

	o->room *= 2;
	o->items = xcalloc(o->room, sizeof(*o->items));
	for (size_t i = 0; i < n; i++)
		if (old[i].is_open)
			*open_pairs_place_of(o, old[i].keys) = old[i];
	free(old);
}

bool open_pairs_put(struct open_pairs *o, const struct open_pair *p)
{
	struct open_pair *place = open_pairs_place_of(o, p->keys);
	bool was_open = place->is_open;

	*place = *p;
	place->is_open = true;
	o->n += !was_open;
	if (2 * o->n > o->room)
		open_pairs_grow(o);
	return was_open;
}

void open_pairs_remove(struct open_pairs *o, struct open_pair *p)
{
	size_t mask = o->room - 1, hole = (size_t)(p - o->items);

	for (size_t i = (hole + 1) & mask; o->items[i].is_open; i = (i + 1) & mask) {
		size_t home = open_pairs_home_of(o, o->items[i].keys);

		/* The entry may move up to the hole unless its home lies after the hole. */
		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		o->items[hole] = o->items[i];
		hole = i;
	}
	o->items[hole].is_open = false;
	o->n--;
}
