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
#include "tools/kmem/keys-model.h"
#include "tools/kmem/slab-model.h"
#include "tools/kmem/slab-view.h"

static struct slab_model example(void)
{
	struct slab_model m = { 0 };
	struct kmem_event e = { .call_site = 1,
				.ptr = 0x1000,
				.bytes_requested = 10,
				.bytes_allocated = 16,
				.node = KMEM_NO_NODE };

	slab_model_alloc(&m, &e);
	e.cpu = 1;
	slab_model_free(&m, &e);
	e = (struct kmem_event){ .call_site = 2,
				 .ptr = 0x2000,
				 .bytes_requested = 8,
				 .bytes_allocated = 8,
				 .time = 5000000,
				 .node = KMEM_NO_NODE };
	slab_model_alloc(&m, &e);
	return m;
}

static void assert_has(const struct text *out, const char *line)
{
	assert_non_null(strstr(out->chars, line));
}

static void call_sites_have_names(void **state)
{
	struct slab_model m = example();
	const struct kmem_keys keys = kmem_keys_default(KMEM_SLAB);
	const struct slab_table t = { &example_symbols, &keys, -1 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	(void)state;
	slab_print_callers(&m, &t, &out);
	assert_has(
		&out,
		" Callsite                           | Total_alloc/Per | Total_req/Per   | Hit   "
		"   | Ping-pong | Frag\n");
	assert_has(
		&out,
		" start+1f                           |        16/16    |        10/10    |       "
		" 1 |         1 | 37.500%\n"
		" 0x2                                |         8/8     |         8/8     |       "
		" 1 |         0 |  0.000%\n");
	slab_model_done(&m);
}

static void rows_that_are_left_out_are_dots(void **state)
{
	struct slab_model m = example();
	const struct kmem_keys keys = kmem_keys_default(KMEM_SLAB);
	const struct slab_table t = { &example_symbols, &keys, 1 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	(void)state;
	slab_print_pointers(&m, &t, &out);
	assert_has(
		&out,
		" 0x1000                             |        16/16    |        10/10    |       "
		" 1 |         1 | 37.500%\n"
		" ...                                | ...             | ...             | ...   "
		"   | ...       | ...   \n");
	slab_model_done(&m);
}

static void what_was_not_freed_is_shown_with_its_age(void **state)
{
	struct slab_model m = example();
	const struct slab_table t = { &example_symbols, NULL, -1 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	(void)state;
	m.last_time = 7500000;
	slab_print_live(&m, &t, &out);
	assert_has(&out, " 0x2                                |            8 |        1 |        "
			 "2.500 |        2.500\n");
	slab_model_done(&m);
}

static void the_summary_has_a_net_line_while_something_is_left(void **state)
{
	struct slab_model m = example();
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	(void)state;
	slab_print_summary(&m, &out);
	assert_string_equal(out.chars, "\nSUMMARY (SLAB allocator)\n"
				       "========================\n"
				       "Total bytes requested: 18\n"
				       "Total bytes allocated: 24\n"
				       "Total bytes freed:     16\n"
				       "Net total bytes allocated: 8\n"
				       "Total bytes wasted on internal fragmentation: 6\n"
				       "Internal fragmentation: 25.000000%\n"
				       "Cross CPU allocations: 0/2\n");
	text_clear(&out);
	m.totals.bytes_freed = 24;
	slab_print_summary(&m, &out);
	assert_null(strstr(out.chars, "Net"));
	slab_model_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(call_sites_have_names),
		cmocka_unit_test(rows_that_are_left_out_are_dots),
		cmocka_unit_test(what_was_not_freed_is_shown_with_its_age),
		cmocka_unit_test(the_summary_has_a_net_line_while_something_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
