/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "bpf/field.h"
#include "bpf/program-types.h"
#include "tracepoint/field.h"

static void a_number_keeps_its_place_size_and_sign(void **state)
{
	const struct field_ref f = {
		.kind = FIELD_NUMBER, .offset = 16, .size = 4, .is_signed = true
	};
	struct program_field p = { 0 };

	(void)state;
	assert_int_equal(bpf_field_of(&f, &p), 0);
	assert_int_equal(p.offset, 16);
	assert_int_equal(p.size, 4);
	assert_int_equal(p.is_signed, 1);
}

static void what_programs_cannot_read_is_refused(void **state)
{
	const struct field_ref text = { .kind = FIELD_BYTES, .offset = 16, .size = 16 };
	const struct field_ref common_pid = { .kind = FIELD_NUMBER, .offset = 4, .size = 4 };
	struct program_field p = { .size = 7 };

	(void)state;
	assert_int_equal(bpf_field_of(&text, &p), -EINVAL);
	assert_int_equal(bpf_field_of(&(struct field_ref){ 0 }, &p), -EINVAL);
	assert_int_equal(bpf_field_of(&common_pid, &p), -EOPNOTSUPP);
	assert_int_equal(p.size, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_keeps_its_place_size_and_sign),
		cmocka_unit_test(what_programs_cannot_read_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
