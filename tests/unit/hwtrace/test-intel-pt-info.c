/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "hwtrace/intel-pt-info.h"
#include "wire/record.h"

#define FILTER "start 0x1000"

static struct words words_of(const uint64_t *w, size_t n)
{
	return (struct words){ .bytes = (const uint8_t *)w, .n = n, .swap = false };
}

static int words_read(const uint64_t *w, size_t n, struct pt_info *ret)
{
	struct words words = words_of(w, n);

	return pt_info_read(&words, ret);
}

static void old_records_have_fewer_words(void **state)
{
	(void)state;
	static const uint64_t w[PT_INFO_WORDS] = { [PT_INFO_PER_CPU] = 1, [PT_INFO_CYC_BIT] = 2 };
	struct pt_info i = { .n_words = 7 };

	assert_int_equal(words_read(w, PT_INFO_PER_CPU, &i), -EBADMSG);
	assert_int_equal(i.n_words, 7);
	assert_int_equal(words_read(w, PT_INFO_PER_CPU + 1, &i), 0);
	assert_int_equal(i.n_words, PT_INFO_PER_CPU + 1);
	assert_null(i.filter);
	/* The words of MTC are valid only together. */
	assert_int_equal(words_read(w, PT_INFO_CYC_BIT, &i), 0);
	assert_int_equal(i.n_words, PT_INFO_PER_CPU + 1);
	assert_int_equal(words_read(w, PT_INFO_CYC_BIT + 1, &i), 0);
	assert_int_equal(i.word[PT_INFO_CYC_BIT], 2);
}

static void a_filter_is_a_text_between_words(void **state)
{
	(void)state;
	uint64_t w[PT_INFO_WORDS + 3] = { [PT_INFO_FILTER_LENGTH] = strlen(FILTER) };
	struct pt_info i;

	memcpy(&w[PT_INFO_WORDS], FILTER, sizeof(FILTER));
	w[PT_INFO_WORDS + 2] = 1;
	assert_int_equal(words_read(w, PT_INFO_WORDS + 2, &i), 0);
	assert_string_equal(i.filter, FILTER);
	assert_false(i.has_event_trace);
	assert_int_equal(words_read(w, PT_INFO_WORDS + 3, &i), 0);
	assert_true(i.event_trace);
	assert_int_equal(words_read(w, PT_INFO_WORDS + 1, &i), -EBADMSG);
}

static void a_filter_has_the_length_it_says(void **state)
{
	(void)state;
	uint64_t w[PT_INFO_WORDS + 2] = { [PT_INFO_FILTER_LENGTH] = 8 };
	struct pt_info i;

	memset(&w[PT_INFO_WORDS], 'x', 16); /* not terminated */
	assert_int_equal(words_read(w, PT_INFO_WORDS + 2, &i), -EBADMSG);
	memset(&w[PT_INFO_WORDS], 0, 16); /* empty */
	assert_int_equal(words_read(w, PT_INFO_WORDS + 2, &i), -EBADMSG);
	w[PT_INFO_FILTER_LENGTH] = UINT64_MAX;
	assert_int_equal(words_read(w, PT_INFO_WORDS + 2, &i), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(old_records_have_fewer_words),
		cmocka_unit_test(a_filter_is_a_text_between_words),
		cmocka_unit_test(a_filter_has_the_length_it_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
