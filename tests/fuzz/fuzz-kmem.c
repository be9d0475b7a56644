/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the models of perf kmem with allocations and frees in any order, with any numbers: they do
 * not crash and do not leak, and their tables add up to their totals. The first bytes are sort
 * keys.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/kmem/event-model.h"
#include "tools/kmem/gfp-model.h"
#include "tools/kmem/keys-model.h"
#include "tools/kmem/pages-model.h"
#include "tools/kmem/slab-model.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "tools/kmem/pages-view.h"
#include "tools/kmem/slab-view.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define KEYS_BYTES  16
#define EVENT_BYTES 8

static void feed(struct slab_model *slab, struct page_model *page, const uint8_t *b, uint64_t time)
{
	const struct kmem_event e = {
		.time = b[0] & 0x80 ? time - b[7] : time,
		.cpu = b[1] == 255 ? UINT32_MAX : b[1] & 3,
		.ptr = b[2] & 31,
		.call_site = b[3] & 7,
		.bytes_requested = b[4] == 255 ? UINT64_MAX : b[4],
		.bytes_allocated = b[5] == 255 ? UINT64_MAX : b[5],
		.node = (int8_t)b[6],
		.page = b[2] & 31,
		.failed = b[7] == 255,
		.order = b[4] == 255 ? UINT32_MAX : b[4] & 15,
		.gfp_flags = b[5] & 3,
		.migratetype = (int8_t)b[6],
	};

	switch (b[0] & 3) {
	case 0:
		slab_model_alloc(slab, &e);
		break;
	case 1:
		slab_model_free(slab, &e);
		break;
	case 2:
		page_model_alloc(page, &e, e.call_site);
		break;
	default:
		page_model_free(page, &e);
	}
}

static bool no_name(void *arg, uint64_t addr, bool with_offset, struct text *out)
{
	(void)arg, (void)addr, (void)with_offset, (void)out;
	return false;
}

static void check_slab(const struct slab_model *m)
{
	uint64_t by_site = 0, by_ptr = 0;

	for (size_t i = 0; i < m->sites.n; i++)
		by_site += m->sites.items[i].hits;
	for (size_t i = 0; i < m->pointers.n; i++)
		by_ptr += m->pointers.items[i].row.hits;
	if (by_site != m->totals.allocations || by_ptr != m->totals.allocations)
		abort();
}

static void show(const struct slab_model *slab, const struct page_model *page, const char *typed)
{
	const struct kmem_symbols symbols = { no_name, NULL };
	struct kmem_keys of_slab = kmem_keys_default(KMEM_SLAB);
	struct kmem_keys of_page = kmem_keys_default(KMEM_PAGE);
	_cleanup_(gfp_names_done) struct gfp_names names = { 0 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag diag = { 0 };
	size_t n;
	_cleanup_(freep) uint64_t *flags = page_model_flags(page, &n);

	if (kmem_keys_parse(KMEM_SLAB, typed, &of_slab, &diag) >= 0 && !of_slab.n)
		abort();
	diag_done(&diag);
	diag = (struct diag){ 0 };
	kmem_keys_parse(KMEM_PAGE, typed, &of_page, &diag);
	gfp_names_make(&names, NULL, flags, n);
	slab_print_callers(slab, &(struct slab_table){ &symbols, &of_slab, 3 }, &out);
	slab_print_pointers(slab, &(struct slab_table){ NULL, &of_slab, -1 }, &out);
	slab_print_live(slab, &(struct slab_table){ &symbols, &of_slab, -1 }, &out);
	slab_print_summary(slab, &out);
	const struct page_table t = { &symbols, &names, &of_page, -1, true, false };
	page_print_legend(&t, &out);
	page_print_callers(page, &t, &out);
	page_print_pages(page, &t, &out);
	page_print_summary(page, false, &out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slab_model slab = { 0 };
	struct page_model page = { .live = size & 1, .wants_rows = size & 2 };
	char typed[KEYS_BYTES + 1] = "";

	memcpy(typed, data, size < KEYS_BYTES ? size : KEYS_BYTES);
	for (size_t i = KEYS_BYTES; i + EVENT_BYTES <= size; i += EVENT_BYTES)
		feed(&slab, &page, data + i, i);
	check_slab(&slab);
	show(&slab, &page, typed);
	page_model_done(&page);
	slab_model_done(&slab);
	return 0;
}
