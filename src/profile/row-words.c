/* SPDX-License-Identifier: MIT */
#include "profile/row-words.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/u64-map.h"

#define WORD_BITS 64u

typedef int compare_fn(const struct key *k, struct key_env *env, uint64_t a, uint64_t b);
typedef uint64_t prefix_fn(const struct key *k, struct key_env *env, uint64_t value);

struct packing {
	const struct report_rows *rows;
	struct sorted_row *sorted;
	uint64_t *numbers; /* numbers for the current criterion, by row */
	size_t word;
	unsigned left; /* free bits of the word */
};

static unsigned row_words_bits_of(uint64_t n)
{
	return n ? WORD_BITS - (unsigned)__builtin_clzll(n) : 0;
}

/* Appends the uppermost @bits of @of bits of each number to the word. */
static void row_words_append(struct packing *p, unsigned bits, unsigned of)
{
	for (size_t i = 0; bits && i < p->rows->n; i++) {
		uint64_t *word = &p->sorted[i].words[p->word];

		*word = (bits < WORD_BITS ? *word << bits : 0) | p->numbers[i] >> (of - bits);
	}
	p->left -= bits;
}

static bool row_words_next_word(struct packing *p)
{
	if (p->word + 1 == ROW_WORDS)
		return false;
	p->word++;
	p->left = WORD_BITS;
	return true;
}

/* Returns true if all bits of the numbers fitted. */
static bool row_words_pack(struct packing *p)
{
	uint64_t all = 0;
	unsigned bits;

	for (size_t i = 0; i < p->rows->n; i++)
		all |= p->numbers[i];
	bits = row_words_bits_of(all);
	if (bits > p->left && !row_words_next_word(p)) {
		row_words_append(p, p->left, bits);
		return false;
	}
	row_words_append(p, bits, bits);
	return true;
}

/* Packs a prefix. It decides only in part, so it ends the packing. */
static void pack_prefix(struct packing *p)
{
	if (p->left < WORD_BITS)
		row_words_next_word(p);
	row_words_append(p, p->left, WORD_BITS);
}

/* The values of a key, each once. */
struct distinct {
	const struct key *key;
	struct key_env *env;
	compare_fn *compare;
	struct u64_map places; /* index in values, plus one */
	struct {
		uint64_t *items;
		size_t n, room;
	} values;
};

static int row_words_by_value(const void *va, const void *vb, void *arg)
{
	const struct distinct *d = arg;
	uint64_t a = d->values.items[*(const uint32_t *)va];
	uint64_t b = d->values.items[*(const uint32_t *)vb];

	return a == b ? 0 : d->compare(d->key, d->env, a, b);
}

static uint64_t row_words_place_of(struct distinct *d, uint64_t value)
{
	uint64_t place = (uintptr_t)u64_map_find(&d->places, value);

	if (!place) {
		*ARRAY_ADD(&d->values) = value;
		place = d->values.n;
		u64_map_put(&d->places, value, (void *)(uintptr_t)place);
	}
	return place - 1;
}

/* Ranks each row's value of key @i among all; values that compare as equal have equal ranks. */
static void row_words_rank_values(struct packing *p, size_t i, compare_fn *compare)
{
	const struct report_options *o = p->rows->options;
	struct distinct d = { .key = &o->keys[i], .env = o->env, .compare = compare };
	_cleanup_(freep) uint32_t *order = NULL, *ranks = NULL;

	for (size_t k = 0; k < p->rows->n; k++)
		p->numbers[k] = row_words_place_of(&d, p->rows->rows[k].values[i]);
	order = xcalloc(d.values.n + 1, sizeof(*order));
	ranks = xcalloc(d.values.n + 1, sizeof(*ranks));
	for (uint32_t k = 0; k < d.values.n; k++)
		order[k] = k;
	qsort_r(order, d.values.n, sizeof(*order), row_words_by_value, &d);
	for (size_t k = 1; k < d.values.n; k++)
		ranks[order[k]] = ranks[order[k - 1]] +
				  !!row_words_by_value(&order[k - 1], &order[k], &d);
	for (size_t k = 0; k < p->rows->n; k++)
		p->numbers[k] = ranks[p->numbers[k]];
	u64_map_done(&d.places);
	free(d.values.items);
}

/* Packs key @i. Returns true if it is decided. */
static bool pack_key(struct packing *p, size_t i, compare_fn *compare, prefix_fn *prefix)
{
	const struct report_options *o = p->rows->options;

	if (compare && !prefix) {
		row_words_rank_values(p, i, compare);
		return row_words_pack(p);
	}
	for (size_t k = 0; k < p->rows->n; k++) {
		uint64_t value = p->rows->rows[k].values[i];

		p->numbers[k] = prefix ? prefix(&o->keys[i], o->env, value) : value;
	}
	if (!prefix)
		return row_words_pack(p);
	pack_prefix(p);
	return false;
}

uint64_t row_lightness(const struct row_order *by, const struct report_row *row)
{
	switch (by->by) {
	case ROW_BY_TOTAL:
		return ~row->total.period;
	case ROW_BY_SELF:
	case ROW_BY_PERIOD:
		return ~row->self.period;
	case ROW_BY_SELF_MODE:
		return ~row->self_by_mode[by->index];
	case ROW_BY_SAMPLES:
		return ~row->self.samples;
	case ROW_BY_WEIGHT:
		return ~row->sums->weights[by->index];
	case ROW_BY_LATENCY:
		return ~row->sums->latency;
	case ROW_BY_LATENCY_TOTAL:
		return ~row->sums->latency_total;
	case ROW_BY_KEY:
	case ROW_BY_BRANCHES:
		break;
	}
	return 0;
}

static bool pack_part(struct packing *p, const struct row_order *by)
{
	const struct report_options *o = p->rows->options;

	if (by->by == ROW_BY_KEY)
		return pack_key(p, by->index, o->keys[by->index].type->compare,
				o->keys[by->index].type->prefix);
	for (size_t i = 0; i < p->rows->n; i++)
		p->numbers[i] = row_lightness(by, &p->rows->rows[i]);
	return row_words_pack(p);
}

static void packing_init(struct packing *p, const struct report_rows *r, struct sorted_row *sorted)
{
	*p = (struct packing){ .rows = r, .sorted = sorted, .left = WORD_BITS };
	p->numbers = xcalloc(r->n + 1, sizeof(*p->numbers));
	for (size_t i = 0; i < r->n; i++)
		sorted[i] = (struct sorted_row){ .row = &r->rows[i] };
}

size_t row_words_by_order(const struct report_rows *r, struct sorted_row *sorted)
{
	const struct report_options *o = r->options;
	struct packing p;
	size_t n = 0;

	packing_init(&p, r, sorted);
	while (n < o->n_order && pack_part(&p, &o->order[n]))
		n++;
	free(p.numbers);
	return n;
}

size_t row_words_by_identity(const struct report_rows *r, struct sorted_row *sorted)
{
	const struct report_options *o = r->options;
	struct packing p;
	size_t n = 0;
	bool all = true;

	packing_init(&p, r, sorted);
	while (n < o->n_keys && all) {
		const struct key_type *t = o->keys[n].type;

		all = t->identity ? pack_key(&p, n, t->identity, t->identity_prefix)
				  : pack_key(&p, n, t->compare, t->prefix);
		n += all;
	}
	free(p.numbers);
	return n;
}
