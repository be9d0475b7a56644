/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "kmem-names.h"
#include "tools/kmem/event-model.h"
#include "tools/kmem/gfp-model.h"
#include "tools/kmem/keys-model.h"
#include "tools/kmem/pages-model.h"
#include "tools/kmem/pages-view.h"

static struct page_model example(bool live)
{
	struct page_model m = { .live = live, .wants_rows = true };
	struct kmem_event e = { .page = 77, .order = 1, .gfp_flags = 0xcc0, .migratetype = 1 };

	page_model_alloc(&m, &e, 1);
	e.page = 99;
	e.migratetype = 7;
	page_model_alloc(&m, &e, 2);
	page_model_free(&m, &e);
	return m;
}

static struct gfp_name name = { .flags = 0xcc0,
				.full = "GFP_KERNEL|__GFP_NORETRY",
				.compact = "K|NR" };
static const struct gfp_names names = { .items = &name, .n = 1 };

static void assert_has(const struct text *out, const char *line)
{
	assert_non_null(strstr(out->chars, line));
}

static struct page_table table(const struct kmem_keys *keys)
{
	return (struct page_table){ .symbols = &example_symbols,
				    .gfp = &names,
				    .keys = keys,
				    .lines = -1,
				    .by_number = true };
}

static void the_legend_tells_what_short_names_are(void **state)
{
	const struct page_table t = table(NULL);
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	(void)state;
	page_print_legend(&t, &out);
	assert_string_equal(out.chars, "#\n# GFP flags\n# ---------\n"
				       "# 00000cc0: K|NR: GFP_KERNEL|__GFP_NORETRY\n");
}

static void call_sites_have_names_without_offset(void **state)
{
	struct page_model m = example(false);
	const struct kmem_keys keys = kmem_keys_default(KMEM_PAGE);
	const struct page_table t = table(&keys);
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	(void)state;
	page_print_callers(&m, &t, &out);
	assert_has(&out,
		   " Total alloc (KB) | Hits      | Order | Mig.type | GFP flags | Callsite\n");
	assert_has(&out, "                8 |         1 |     1 |  MOVABLE | K|NR      | start\n"
			 "                8 |         1 |     1 |  UNKNOWN | K|NR      | 2\n");
	page_model_done(&m);
}

static void pages_have_numbers_or_addresses(void **state)
{
	struct page_model m = example(true);
	const struct kmem_keys keys = kmem_keys_default(KMEM_PAGE);
	struct page_table t = table(&keys);
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	(void)state;
	t.old_types = true;
	page_print_pages(&m, &t, &out);
	assert_has(&out, " PFN              |  Live alloc (KB) |");
	assert_has(&out, "               77 |                8 |         1 |     1 |  RECLAIM |");
	text_clear(&out);
	t.by_number = false;
	t.lines = 0;
	page_print_pages(&m, &t, &out);
	assert_has(&out, " Page             |");
	assert_has(&out,
		   " ...              | ...              | ...       | ...   | ...      | ... "
		   "      | ...\n");
	page_model_done(&m);
}

static void the_summary_counts_by_order_and_type(void **state)
{
	struct page_model m = example(false);
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	(void)state;
	page_print_summary(&m, true, &out);
	assert_has(&out, "Total alloc+freed requests    :                1   [                8 KB "
			 "]\n");
	assert_has(&out, "Total alloc-only requests     :                1   [                8 KB "
			 "]\n");
	assert_has(&out, "Order     Unmovable   Reclaimable       Movable      Reserved  "
			 "CMA/Isolated\n");
	assert_has(&out, "    1             .             1             .             .            "
			 " .\n");
	page_model_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_legend_tells_what_short_names_are),
		cmocka_unit_test(call_sites_have_names_without_offset),
		cmocka_unit_test(pages_have_numbers_or_addresses),
		cmocka_unit_test(the_summary_counts_by_order_and_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
