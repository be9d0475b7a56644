/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "tools/data/format.h"

static void labels_are_words_with_commas(void **state)
{
	size_t offset, length;
	unsigned labels = 0;

	(void)state;
	assert_int_equal(export_labels_parse("pid,comm", &labels, &offset, &length), 0);
	assert_int_equal(labels, 1u << EXPORT_LABEL_PID | 1u << EXPORT_LABEL_COMM);
}

static void a_wrong_label_is_pointed_at(void **state)
{
	size_t offset = 0, length = 0;
	unsigned labels = 7;

	(void)state;
	assert_int_equal(export_labels_parse("pid,thread,x", &labels, &offset, &length), -EINVAL);
	assert_int_equal(offset, 4);
	assert_int_equal(length, 6);
	assert_int_equal(labels, 7);
	assert_int_equal(export_labels_parse("", &labels, &offset, &length), -EINVAL);
	assert_int_equal(export_labels_parse("pid,", &labels, &offset, &length), -EINVAL);
}

static void each_sort_key_is_named_once(void **state)
{
	_cleanup_(freep) char *both = export_labels_sort(1u << EXPORT_LABEL_PID |
							 1u << EXPORT_LABEL_TID);
	_cleanup_(freep) char *none = export_labels_sort(0);

	(void)state;
	assert_string_equal(both, "pid");
	assert_string_equal(none, "symbol");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_are_words_with_commas),
		cmocka_unit_test(a_wrong_label_is_pointed_at),
		cmocka_unit_test(each_sort_key_is_named_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
