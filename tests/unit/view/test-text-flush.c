/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "printed.h"
#include "view/text-flush.h"

static void small_pieces_wait_for_more(void **state)
{
	struct text t = TEXT_EMPTY;
	struct printed p;

	(void)state;
	printed_open(&p);
	text_add(&t, "x");
	assert_int_equal(text_flush(&t, p.out, false), 0);
	assert_string_equal(t.chars, "x");
	assert_int_equal(text_flush(&t, p.out, true), 0);
	assert_string_equal(t.chars, "");
	assert_printed(&p, "x");
	text_done(&t);
}

static void a_stream_that_fails_gives_its_error(void **state)
{
	struct text t = TEXT_EMPTY;
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(full);
	setvbuf(full, NULL, _IONBF, 0);
	text_add(&t, "x");
	assert_int_equal(text_flush(&t, full, false), 0); /* too little to be written yet */
	assert_true(text_flush(&t, full, true) < 0);
	text_done(&t);
	fclose(full);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_pieces_wait_for_more),
		cmocka_unit_test(a_stream_that_fails_gives_its_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
