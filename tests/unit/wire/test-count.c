/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "wire/abi.h"
#include "wire/count.h"

#define TIMES (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

static void a_single_event_is_its_value_and_times(void **state)
{
	(void)state;
	static const uint64_t words[] = { 7, 100, 50 };
	struct count c;

	assert_int_equal(count_read_size(TIMES, 1), sizeof(words));
	assert_int_equal(count_decode(words, sizeof(words), TIMES, &c, 1), 0);
	assert_int_equal(c.value, 7);
	assert_int_equal(c.enabled, 100);
	assert_int_equal(c.running, 50);
}

static void a_value_alone_has_no_times(void **state)
{
	(void)state;
	static const uint64_t words[] = { 7 };
	struct count c = { 1, 2, 3 };

	assert_int_equal(count_read_size(0, 1), sizeof(words));
	assert_int_equal(count_decode(words, sizeof(words), 0, &c, 1), 0);
	assert_int_equal(c.value, 7);
	assert_int_equal(c.enabled, 0);
	assert_int_equal(c.running, 0);
}

static void the_members_of_a_group_share_its_times(void **state)
{
	(void)state;
	const uint64_t format = TIMES | PERF_FORMAT_ID | PERF_FORMAT_GROUP;
	static const uint64_t words[] = { 3, 100, 50, 7, 901, 8, 902, 9, 903 };
	struct count c[3];

	assert_int_equal(count_read_size(format, 3), sizeof(words));
	assert_int_equal(count_decode(words, sizeof(words), format, c, 3), 0);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(c[i].value, 7 + i);
		assert_int_equal(c[i].enabled, 100);
		assert_int_equal(c[i].running, 50);
	}
}

static void ids_and_lost_samples_are_passed_over(void **state)
{
	(void)state;
	const uint64_t each = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	static const uint64_t alone[] = { 7, 901, 5 };
	static const uint64_t group[] = { 2, 7, 901, 5, 8, 902, 6 };
	struct count c[2];

	assert_int_equal(count_read_size(each, 1), sizeof(alone));
	assert_int_equal(count_decode(alone, sizeof(alone), each, c, 1), 0);
	assert_int_equal(c[0].value, 7);
	assert_int_equal(count_decode(group, sizeof(group), each | PERF_FORMAT_GROUP, c, 2), 0);
	assert_int_equal(c[0].value, 7);
	assert_int_equal(c[1].value, 8);
}

static void the_words_may_lie_anywhere(void **state)
{
	(void)state;
	static const uint64_t words[] = { 7, 100, 50 };
	char bytes[sizeof(words) + 1];
	struct count c;

	memcpy(bytes + 1, words, sizeof(words));
	assert_int_equal(count_decode(bytes + 1, sizeof(words), TIMES, &c, 1), 0);
	assert_int_equal(c.running, 50);
}

static void too_few_bytes_are_refused(void **state)
{
	(void)state;
	static const uint64_t words[] = { 2, 7, 8 };
	struct count c[2] = { { 1, 2, 3 } };

	assert_int_equal(count_decode(words, sizeof(words) - 1, PERF_FORMAT_GROUP, c, 2), -EBADMSG);
	assert_int_equal(count_decode(words, 0, TIMES, c, 1), -EBADMSG);
	assert_int_equal(c[0].value, 1);
}

static void another_number_of_events_is_refused(void **state)
{
	(void)state;
	static const uint64_t words[] = { 2, 7, 8 };
	struct count c[3] = { { 1, 2, 3 } };

	assert_int_equal(count_decode(words, sizeof(words), PERF_FORMAT_GROUP, c, 1), -EBADMSG);
	assert_int_equal(count_decode(words, sizeof(words), PERF_FORMAT_GROUP, c, 3), -EBADMSG);
	assert_int_equal(count_decode(words, sizeof(words), 0, c, 2), -EBADMSG);
	assert_int_equal(c[0].value, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_single_event_is_its_value_and_times),
		cmocka_unit_test(a_value_alone_has_no_times),
		cmocka_unit_test(the_members_of_a_group_share_its_times),
		cmocka_unit_test(ids_and_lost_samples_are_passed_over),
		cmocka_unit_test(the_words_may_lie_anywhere),
		cmocka_unit_test(too_few_bytes_are_refused),
		cmocka_unit_test(another_number_of_events_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
