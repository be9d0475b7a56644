/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "view/embedded.h"

/* The length of a SHA-256 digest in base64. */
#define DIGEST_LENGTH 44

static void a_file_is_there_with_its_length_and_digest(void **state)
{
	const struct embedded *e = &embedded_flame_css;

	(void)state;
	assert_int_equal(strlen(e->text), e->size);
	assert_memory_equal(e->text, "/* SPDX-License-Identifier: MIT */\n", 35);
	assert_int_equal(e->text[e->size - 1], '\n');
	assert_int_equal(strlen(e->sha256), DIGEST_LENGTH);
	assert_int_equal(e->sha256[DIGEST_LENGTH - 1], '=');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_there_with_its_length_and_digest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
