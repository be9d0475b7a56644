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

static uint64_t sample_memo_word_at(const uint8_t *bytes, size_t i)
{
	uint64_t word;

	memcpy(&word, bytes + i * sizeof(word), sizeof(word));
	return word;
}

/*
 * Mixes two words into @hash. The product is as good as random because nobody outside of this
 * process knows @seed.
 */
static inline uint64_t sample_memo_mix(uint64_t seed, uint64_t hash, uint64_t one, uint64_t other)
{
	__extension__ unsigned __int128 m = (unsigned __int128)(hash ^ one) * (seed ^ other);

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/* Mixes the words from number @i up to @end into @hash. */
static inline uint64_t sample_memo_mix_words(uint64_t seed, uint64_t hash, const uint8_t *bytes,
					     size_t i, size_t end)
{
	for (; i + 1 < end; i += 2)
		hash = sample_memo_mix(seed, hash, sample_memo_word_at(bytes, i),
				       sample_memo_word_at(bytes, i + 1));
	return i < end ? sample_memo_mix(seed, hash, sample_memo_word_at(bytes, i), end) : hash;
}

/* The fields in the order of records, up to and including time, and period. */
#define UP_TO_TIME (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)
#define UP_TO_PERIOD                                                                               \
	(UP_TO_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |                  \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* Finds out which words of samples of @type are left out. The header is the first word. */
static void sample_memo_lay_out(struct sample_memo *m, uint64_t type)
{
	size_t time = (size_t)__builtin_popcountll(type & UP_TO_TIME);
	size_t period = (size_t)__builtin_popcountll(type & UP_TO_PERIOD);

	m->sample_type = type;
	m->time_end = time + 1;
	m->time_at = type & PERF_SAMPLE_TIME ? time : time + 1;
	m->period_end = period + 1;
	m->period_at = type & PERF_SAMPLE_PERIOD ? period : period + 1;
}

void sample_memo_init(struct sample_memo *m)
{
	*m = (struct sample_memo){ .seed = hash_seed() };
	sample_memo_lay_out(m, 0);
}

uint64_t sample_memo_digest(struct sample_memo *m, const struct session_sample *s, uint64_t spaces,
			    const char *comm)
{
	uint64_t type = s->record->event->attr.sample_type, seed = m->seed, a, b;
	const uint8_t *bytes = s->record->raw.bytes;
	size_t n = s->record->raw.header.size / sizeof(uint64_t), i;

	if (type != m->sample_type)
		sample_memo_lay_out(m, type);
	a = sample_memo_mix(seed, seed, (uintptr_t)s->event, spaces);
	a = sample_memo_mix(seed, a, (uintptr_t)comm, n);
	i = m->period_end <= n ? m->period_end : 0;
	b = sample_memo_mix_words(seed, seed, bytes, 0, i ? m->time_at : 0);
	b = sample_memo_mix_words(seed, b, bytes, m->time_end, i ? m->period_at : 0);
	/* Two pairs at a time: one multiplication need not wait for the other. */
	for (; i + 3 < n; i += 4) {
		a = sample_memo_mix(seed, a, sample_memo_word_at(bytes, i),
				    sample_memo_word_at(bytes, i + 1));
		b = sample_memo_mix(seed, b, sample_memo_word_at(bytes, i + 2),
				    sample_memo_word_at(bytes, i + 3));
	}
	a = sample_memo_mix_words(seed, a, bytes, i, n);
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
