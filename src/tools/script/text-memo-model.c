/* SPDX-License-Identifier: MIT */
#include "tools/script/text-memo-model.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "tracepoint/plan-node.h"
#include "tracepoint/plan.h"

#define SLOTS     128
#define BYTES_MAX 128 /* the maximum size of a record */
#define CHARS_MAX 192 /* the maximum length of a text */

/*
 * If less than a quarter of TRIES records were found, IDLE_TURN times as many records are printed
 * without a lookup.
 */
#define TRIES     1024
#define IDLE_TURN 7

struct memo_entry {
	const struct tracepoint_plan *plan; /* NULL: the entry is free */
	uint16_t n_bytes, n_chars;
	uint8_t bytes[BYTES_MAX];
	char chars[CHARS_MAX];
};

struct text_memo {
	uint64_t seed; /* the seed for base/hash.h */
	unsigned tries, hits, idle;
	struct memo_entry entries[SLOTS];
};

struct text_memo *text_memo_new(void)
{
	struct text_memo *m = xcalloc(1, sizeof(*m));

	m->seed = hash_seed();
	return m;
}

void text_memo_free(struct text_memo *m)
{
	free(m);
}

/* True if the next record should be printed without a lookup. */
static bool text_memo_is_idle(struct text_memo *m)
{
	if (m->idle) {
		m->idle--;
		return true;
	}
	if (m->tries++ < TRIES)
		return false;
	if (m->hits < TRIES / 4)
		m->idle = IDLE_TURN * TRIES;
	m->tries = m->hits = 0;
	return false;
}

/*
 * Returns the entry for the bytes. The hash takes a few operations per word; on a collision the
 * record is just printed again.
 */
static struct memo_entry *text_memo_entry_of(struct text_memo *m, const struct tracepoint_plan *p,
					     const uint8_t *bytes, size_t n)
{
	uint64_t sum = (uintptr_t)p + n, word = 0;

	for (; n >= sizeof(word); bytes += sizeof(word), n -= sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		sum = (sum << 7 | sum >> 57) + word;
	}
	word = 0;
	memcpy(&word, bytes, n);
	return &m->entries[hash_u64(m->seed, sum ^ word) % SLOTS];
}

static void print_and_keep(struct memo_entry *e, const struct tracepoint_plan *p,
			   const struct tracepoint_machine *machine, const uint8_t *raw,
			   size_t size, struct text *out)
{
	size_t from = out->length, n;

	tracepoint_plan_print(p, machine, raw, size, out);
	n = out->length - from;
	e->plan = NULL;
	if (n > CHARS_MAX)
		return;
	e->plan = p;
	e->n_bytes = (uint16_t)(size - p->skip);
	e->n_chars = (uint16_t)n;
	memcpy(e->bytes, raw + p->skip, e->n_bytes);
	memcpy(e->chars, out->chars + from, n);
}

void text_memo_print(struct text_memo *m, const struct tracepoint_plan *p,
		     const struct tracepoint_machine *machine, const void *raw, size_t size,
		     struct text *out)
{
	const uint8_t *bytes = raw;
	struct memo_entry *e;
	size_t n;

	if (!p->is_worth_keeping || size <= p->skip || size - p->skip > BYTES_MAX ||
	    text_memo_is_idle(m)) {
		tracepoint_plan_print(p, machine, raw, size, out);
		return;
	}
	n = size - p->skip;
	e = text_memo_entry_of(m, p, bytes + p->skip, n);
	if (e->plan != p || e->n_bytes != n || memcmp(e->bytes, bytes + p->skip, n) != 0) {
		print_and_keep(e, p, machine, raw, size, out);
		return;
	}
	m->hits++;
	/* Copies all bytes of the buffer, because a constant size needs no loop. */
	text_filled(out,
		    (char *)memcpy(text_room(out, CHARS_MAX), e->chars, CHARS_MAX) + e->n_chars);
}
