/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "tools/report/data-source-words-model.h"
#include "wire/data-source.h"

typedef void part_fn(struct text *t, uint64_t data_src);

static part_fn *const writers[DATA_SOURCE_PARTS] = {
	data_source_level, data_source_snoop,   data_source_tlb,
	data_source_lock,  data_source_blocked,
};

/* The bits of each word alone give a text that contains the word. */
static void every_word_is_one_that_is_written(void **state)
{
	size_t n;
	const struct data_source_word *words = data_source_words(&n);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		_cleanup_(text_done) struct text t = TEXT_EMPTY;
		uint64_t v = (uint64_t)words[i].value << words[i].shift;

		assert_true(data_source_has_word(&words[i], v));
		writers[words[i].part](&t, v);
		assert_non_null(strstr(t.chars, words[i].word));
		assert_true(strlen(words[i].means) > 5);
	}
}

static void a_set_has_all_of_its_words(void **state)
{
	size_t n, found = 0;
	const struct data_source_word *words = data_source_words(&n);

	(void)state;
	for (size_t i = 0; i < n; i++)
		if (words[i].part == DATA_SOURCE_PART_TLB)
			found += data_source_has_word(&words[i], 0x7fULL << 26);
	assert_int_equal(found, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_word_is_one_that_is_written),
		cmocka_unit_test(a_set_has_all_of_its_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
