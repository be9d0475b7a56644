/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "printed.h"
#include "view/picture/base64.h"

static void assert_encoded(const char *bytes, size_t n, const char *wanted)
{
	struct printed p;

	printed_open(&p);
	base64_write(p.out, (const uint8_t *)bytes, n);
	assert_printed(&p, wanted);
}

static void the_examples_of_the_rfc_come_out(void **state)
{
	(void)state;
	assert_encoded("", 0, "");
	assert_encoded("f", 1, "Zg==");
	assert_encoded("fo", 2, "Zm8=");
	assert_encoded("foo", 3, "Zm9v");
	assert_encoded("foobar", 6, "Zm9vYmFy");
	assert_encoded("\xff\xef\xbe", 3, "/+++");
}

static void long_ones_are_one_line(void **state)
{
	uint8_t bytes[10000] = { 0 };
	struct printed p;

	(void)state;
	printed_open(&p);
	base64_write(p.out, bytes, sizeof(bytes));
	fclose(p.out);
	assert_int_equal(p.size, 13336);
	for (size_t i = 0; i < p.size - 2; i++)
		assert_int_equal(p.text[i], 'A');
	free(p.text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_examples_of_the_rfc_come_out),
		cmocka_unit_test(long_ones_are_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
