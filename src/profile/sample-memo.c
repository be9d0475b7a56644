/* SPDX-License-Identifier: MIT */
#include "profile/sample-memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "session/consumer.h"
#include "session/session.h"
#include "session/span.h"
#include "wire/abi.h"

#define ROOM_MIN 4096
#define ROOM_MAX (1u << 17) /* 4 MB */

struct sample_place {
	uint64_t digest; /* 0: free */
	uint64_t from, until;
	uint32_t node;
};

void sample_memo_init(struct sample_memo *m)
{
	*m = (struct sample_memo){ .seed = hash_seed() };
}

void sample_memo_forget(struct sample_memo *m)
{
	free(m->places);
	m->places = NULL;
	m->n = m->room = 0;
}

void sample_memo_done(struct sample_memo *m)
{
	sample_memo_forget(m);
}

static uint64_t sample_memo_mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

static uint64_t sample_memo_word_at(const uint8_t *bytes, size_t i)
{
	uint64_t word;

	memcpy(&word, bytes + i * sizeof(word), sizeof(word));
	return word;
}

/*
 * Returns the index of the last word of a record that belongs to @types; the header is the first
 * word.
 */
static size_t sample_memo_place_of(uint64_t sample_type, uint64_t types)
{
	return (size_t)__builtin_popcountll(sample_type & types);
}

/* The fields in the order of records, up to and including time, and period. */
#define UP_TO_TIME (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)
#define UP_TO_PERIOD                                                                               \
	(UP_TO_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |                  \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

static struct sample_words sample_words_of(uint64_t type)
{
	return (struct sample_words){
		.type = type,
		.time = type & PERF_SAMPLE_TIME ? sample_memo_place_of(type, UP_TO_TIME) : SIZE_MAX,
		.period = type & PERF_SAMPLE_PERIOD ? sample_memo_place_of(type, UP_TO_PERIOD)
						    : SIZE_MAX,
		.fixed = 1 + sample_memo_place_of(type, UP_TO_PERIOD),
	};
}

uint64_t sample_memo_digest(struct sample_memo *m, const struct session_sample *s, uint64_t spaces,
			    const char *comm)
{
	uint64_t type = s->record->event->attr.sample_type, seed = m->seed;
	uint64_t task = hash_u64(seed, spaces) ^ (uintptr_t)comm;
	const uint8_t *bytes = s->record->raw.bytes;
	size_t n = s->record->raw.header.size / sizeof(uint64_t), i = 0;
	/* Two at a time: one multiplication need not wait for the other. */
	uint64_t a = sample_memo_mix(seed, (uintptr_t)s->event), b = sample_memo_mix(~seed, task);

	if (m->words.type != type)
		m->words = sample_words_of(type);
	for (; i < m->words.fixed && i < n; i++)
		if (i != m->words.time && i != m->words.period)
			a = sample_memo_mix(a, sample_memo_word_at(bytes, i));
	for (; i + 1 < n; i += 2) {
		a = sample_memo_mix(a, sample_memo_word_at(bytes, i));
		b = sample_memo_mix(b, sample_memo_word_at(bytes, i + 1));
	}
	if (i < n)
		a = sample_memo_mix(a, sample_memo_word_at(bytes, i));
	a = hash_u64(seed, a ^ hash_u64(seed, b));
	return a ? a : 1;
}

/* Returns the slot of @digest, or the one that it may have: one of two in the same cache line. */
static struct sample_place *place_for(const struct sample_memo *m, uint64_t digest)
{
	size_t i = digest & (m->room - 1);
	struct sample_place *first = &m->places[i], *second = &m->places[i ^ 1];

	if (first->digest != digest && (second->digest == digest || !second->digest) &&
	    first->digest)
		return second;
	return first;
}

/*
 * TRIES samples are looked up; if less than one in PAYS_FROM is found, the next REST samples are
 * not.
 */
#define TRIES     1024
#define PAYS_FROM 4
#define REST      (16 * TRIES)

bool sample_memo_pays(struct sample_memo *m)
{
	if (m->rest) {
		m->rest--;
		return false;
	}
	if (m->asked == TRIES) {
		m->rest = m->found < TRIES / PAYS_FROM ? REST : 0;
		m->asked = m->found = 0;
	}
	m->asked++;
	return true;
}

bool sample_memo_find(struct sample_memo *m, uint64_t digest, uint64_t time, uint32_t *ret_node)
{
	const struct sample_place *p;
	struct span span = SPAN_ALWAYS;

	if (!m->room)
		return false;
	p = place_for(m, digest);
	span_since(&span, p->from);
	span_before(&span, p->until);
	if (p->digest != digest || !span_has(&span, time))
		return false;
	*ret_node = p->node;
	m->found++;
	return true;
}

static void sample_memo_grow(struct sample_memo *m)
{
	struct sample_memo larger = { .seed = m->seed, .room = m->room ? 2 * m->room : ROOM_MIN };

	larger.places = xcalloc(larger.room, sizeof(*larger.places));
	for (size_t i = 0; i < m->room; i++)
		if (m->places[i].digest) {
			struct sample_place *p = place_for(&larger, m->places[i].digest);

			larger.n += !p->digest;
			*p = m->places[i];
		}
	free(m->places);
	*m = larger;
}

void sample_memo_keep(struct sample_memo *m, uint64_t digest, uint32_t node,
		      const struct span *span)
{
	struct sample_place *p;

	if (m->n >= m->room / 2 && m->room < ROOM_MAX)
		sample_memo_grow(m);
	p = place_for(m, digest);
	m->n += !p->digest;
	*p = (struct sample_place){
		.digest = digest, .from = span->from, .until = span->until, .node = node
	};
}
