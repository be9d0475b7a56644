/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "tools/kmem/keys-model.h"
#include "tools/kmem/pages-model.h"
#include "tools/kmem/slab-model.h"

static void what_is_larger_comes_first_and_equals_stay(void **state)
{
	const struct slab_row rows[] = { { .ptr = 1, .hits = 5, .bytes_allocated = 10 },
					 { .ptr = 2, .hits = 7, .bytes_allocated = 10 },
					 { .ptr = 3, .hits = 5, .bytes_allocated = 20 },
					 { .ptr = 4, .hits = 5, .bytes_allocated = 10 } };
	static const uint64_t wanted[] = { 2, 3, 1, 4 };
	_cleanup_(freep) const void **sorted = NULL;
	struct kmem_keys keys;

	(void)state;
	assert_int_equal(kmem_keys_parse(KMEM_SLAB, "hit,bytes,hit", &keys, NULL), 0);
	assert_int_equal(keys.n, 2);
	sorted = kmem_keys_sort(&keys, rows, 4, sizeof(rows[0]));
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(((const struct slab_row *)sorted[i])->ptr, wanted[i]);
}

static void fragmentation_is_the_first_key_of_slab(void **state)
{
	const struct slab_row rows[] = {
		{ .ptr = 1, .bytes_requested = 8, .bytes_allocated = 8 },
		{ .ptr = 2, .bytes_requested = 4, .bytes_allocated = 8 },
	};
	struct kmem_keys keys = kmem_keys_default(KMEM_SLAB);
	_cleanup_(freep) const void **sorted = kmem_keys_sort(&keys, rows, 2, sizeof(rows[0]));

	(void)state;
	assert_ptr_equal(sorted[0], &rows[1]);
}

static void pages_have_keys_of_their_own(void **state)
{
	const struct kmem_page_row rows[] = { { .gfp_flags = 1, .order = 2 },
					      { .gfp_flags = 2, .order = 2 } };
	_cleanup_(freep) const void **sorted = NULL;
	struct kmem_keys keys;

	(void)state;
	assert_int_equal(kmem_keys_parse(KMEM_PAGE, "order,gfp", &keys, NULL), 0);
	sorted = kmem_keys_sort(&keys, rows, 2, sizeof(rows[0]));
	assert_ptr_equal(sorted[0], &rows[1]);
}

static void unknown_keys_are_refused(void **state)
{
	static const char *const wrong[] = {
		"", "foo", "hit,", ",hit", "hits", "page", "hit bytes"
	};
	struct kmem_keys keys = { .n = 5 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		_cleanup_(diag_done) struct diag diag = { 0 };

		assert_int_equal(kmem_keys_parse(KMEM_SLAB, wrong[i], &keys, &diag), -EINVAL);
		assert_int_equal(keys.n, 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_larger_comes_first_and_equals_stay),
		cmocka_unit_test(fragmentation_is_the_first_key_of_slab),
		cmocka_unit_test(pages_have_keys_of_their_own),
		cmocka_unit_test(unknown_keys_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
