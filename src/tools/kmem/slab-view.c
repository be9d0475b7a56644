/* SPDX-License-Identifier: MIT */
#include "tools/kmem/slab-view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/digits.h"
#include "base/text.h"
#include "tools/kmem/keys-model.h"
#include "tools/kmem/slab-model.h"

#define ADDRESS_WIDTH 34

/* The share of waste that was written last. Rows with the same share follow each other. */
struct slab_waste {
	double percent;
	char chars[64];
};

static void slab_add_address(const struct kmem_symbols *symbols, uint64_t addr, struct text *out)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;

	if (!symbols || !symbols->name(symbols->arg, addr, true, &name))
		text_addf(&name, "%#" PRIx64, addr);
	text_addf(out, " %-*s |", ADDRESS_WIDTH, name.chars);
}

/* Does the same for an object, of which there may be millions. */
static void slab_add_object(uint64_t ptr, struct text *out)
{
	char line[ADDRESS_WIDTH + 3], *bar = line + sizeof(line) - 1;
	char *at = stpcpy(line, ptr ? " 0x" : " ");

	at = digits_hex(at, ptr);
	memset(at, ' ', (size_t)(bar - at));
	*bar = '|';
	text_add_bytes(out, line, sizeof(line));
}

/* Writes "@sum/@each" in 9 and 5 columns, and what comes before the next one. */
static char *slab_put_bytes(char *at, uint64_t sum, uint64_t each)
{
	char *end;

	at = digits_decimal_right(at, sum, 9, ' ');
	*at++ = '/';
	end = digits_decimal(at, each);
	for (at += 5; end < at;)
		*end++ = ' ';
	return stpcpy(end, " | ");
}

static void slab_add_row(const struct slab_row *row, struct slab_waste *last, struct text *out)
{
	uint64_t hits = row->hits ? row->hits : 1;
	double waste = slab_fragmentation(row->bytes_requested, row->bytes_allocated);
	char line[8 * DIGITS_MAX], *at = line;

	if (!last->chars[0] || waste != last->percent)
		snprintf(last->chars, sizeof(last->chars), " | %6.3f%%\n", waste);
	last->percent = waste;
	*at++ = ' ';
	at = slab_put_bytes(at, row->bytes_allocated, row->bytes_allocated / hits);
	at = slab_put_bytes(at, row->bytes_requested, row->bytes_requested / hits);
	at = stpcpy(digits_decimal_right(at, row->hits, 8, ' '), " | ");
	at = digits_decimal_right(at, row->ping_pongs, 9, ' ');
	text_add_bytes(out, line, (size_t)(at - line));
	text_add(out, last->chars);
}

static void slab_print(const struct slab_row *rows, size_t n, bool by_ptr,
		       const struct slab_table *t, struct text *out)
{
	_cleanup_(freep) const void **sorted = kmem_keys_sort(t->keys, rows, n, sizeof(*rows));
	size_t shown = kmem_rows_shown(n, t->lines);
	struct slab_waste last = { 0 };

	kmem_print_rule(out);
	text_addf(out, " %-34s |", by_ptr ? "Alloc Ptr" : "Callsite");
	text_add(out, " Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag\n");
	kmem_print_rule(out);
	for (size_t i = 0; i < shown; i++) {
		const struct slab_row *row = sorted[i];

		if (by_ptr)
			slab_add_object(row->ptr, out);
		else
			slab_add_address(t->symbols, row->call_site, out);
		slab_add_row(row, &last, out);
	}
	if (kmem_rows_are_cut(n, t->lines))
		text_add(out, " ...                                | ...             | "
			      "...             | ...      | ...       | ...   \n");
	kmem_print_rule(out);
}

void slab_print_callers(const struct slab_model *m, const struct slab_table *t, struct text *out)
{
	_cleanup_(freep) struct slab_row *rows = slab_model_sites(m);

	slab_print(rows, m->sites.n, false, t, out);
}

void slab_print_pointers(const struct slab_model *m, const struct slab_table *t, struct text *out)
{
	_cleanup_(freep) struct slab_row *rows = slab_model_pointers(m);

	slab_print(rows, m->pointers.n, true, t, out);
}

void slab_print_live(const struct slab_model *m, const struct slab_table *t, struct text *out)
{
	size_t n, shown;
	_cleanup_(freep) struct slab_live *rows = slab_model_live(m, &n);

	shown = kmem_rows_shown(n, t->lines);
	kmem_print_rule(out);
	text_addf(out, " %-34s | Live bytes   | Live     | Age p50 (ms) | Age max (ms)\n",
		  "Callsite");
	kmem_print_rule(out);
	for (size_t i = 0; i < shown; i++) {
		slab_add_address(t->symbols, rows[i].call_site, out);
		text_addf(out, " %12" PRIu64 " | %8" PRIu64 " | %12.3f | %12.3f\n", rows[i].bytes,
			  rows[i].objects, (double)rows[i].age_p50_ns / 1e6,
			  (double)rows[i].age_max_ns / 1e6);
	}
	if (kmem_rows_are_cut(n, t->lines))
		text_add(out, " ...                                | ...          | ...      | "
			      "...          | ...\n");
	kmem_print_rule(out);
}

void slab_print_summary(const struct slab_model *m, struct text *out)
{
	const struct slab_totals *t = &m->totals;

	text_add(out, "\nSUMMARY (SLAB allocator)\n========================\n");
	text_addf(out, "Total bytes requested: %" PRIu64 "\n", t->bytes_requested);
	text_addf(out, "Total bytes allocated: %" PRIu64 "\n", t->bytes_allocated);
	text_addf(out, "Total bytes freed:     %" PRIu64 "\n", t->bytes_freed);
	if (t->bytes_allocated > t->bytes_freed)
		text_addf(out, "Net total bytes allocated: %" PRIu64 "\n",
			  t->bytes_allocated - t->bytes_freed);
	text_addf(out, "Total bytes wasted on internal fragmentation: %" PRIu64 "\n",
		  t->bytes_allocated - t->bytes_requested);
	text_addf(out, "Internal fragmentation: %f%%\n",
		  slab_fragmentation(t->bytes_requested, t->bytes_allocated));
	text_addf(out, "Cross CPU allocations: %" PRIu64 "/%" PRIu64 "\n", t->other_node,
		  t->allocations);
}

#define WIDTH 105

void kmem_print_rule(struct text *out)
{
	text_addf(out, "%.*s\n", WIDTH,
		  "--------------------------------------------------------------------------------"
		  "-------------------------");
}

size_t kmem_rows_shown(size_t n, int64_t lines)
{
	return lines >= 0 && (uint64_t)lines < n ? (size_t)lines : n;
}

bool kmem_rows_are_cut(size_t n, int64_t lines)
{
	return lines < 0 ? !n : n > (uint64_t)lines;
}
