/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <cmocka.h>

#include "base/diag.h"
#include "hwtrace/decoder.h"

static void types_have_names(void **state)
{
	(void)state;
	assert_string_equal(aux_type_name(AUXTRACE_INTEL_PT), "Intel PT");
	assert_string_equal(aux_type_name(AUXTRACE_ARM_SPE), "Arm SPE");
	assert_null(aux_type_name(0));
	assert_null(aux_type_name(UINT32_MAX));
}

static void unknown_types_are_refused_with_a_sentence(void **state)
{
	const struct aux_setup setup = { .type = 1234 };
	struct aux_decoder *d = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(aux_decoder_open(&setup, &d, &diag), -EOPNOTSUPP);
	assert_null(d);
	assert_non_null(diag.message);
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_have_names),
		cmocka_unit_test(unknown_types_are_refused_with_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
