/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "hwtrace/pt-header.h"

#define PSB    2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82
#define PSBEND 2, 0x23

static struct pt_header header(const uint8_t *bytes, size_t n)
{
	struct pt_header h;

	pt_header_read(bytes, n, &h);
	return h;
}

static void it_tells_where_the_program_was_and_when(void **state)
{
	static const uint8_t bytes[] = { PSB,  0x19, 1, 2, 0, 0, 0, 0,     0,
					 0x7d, 4,    3, 0, 0, 0, 0, PSBEND };
	struct pt_header h = header(bytes, sizeof(bytes));

	(void)state;
	assert_true(h.has_ip && h.has_tsc);
	assert_int_equal(h.ip, 0x304);
	assert_int_equal(h.tsc, 0x201);
}

static void addresses_of_the_kernel_are_high(void **state)
{
	static const uint8_t bytes[] = { PSB, 0x7d, 0, 0x10, 0, 0, 0, 0x80, PSBEND };

	(void)state;
	assert_true(header(bytes, sizeof(bytes)).ip == 0xffff800000001000);
}

static void what_follows_its_end_does_not_count(void **state)
{
	static const uint8_t bytes[] = { PSB, PSBEND, 0x7d, 1, 0, 0, 0, 0, 0 };

	(void)state;
	assert_false(header(bytes, sizeof(bytes)).has_ip);
}

static void packets_that_are_cut_off_or_wrong_end_it(void **state)
{
	static const uint8_t cut[] = { PSB, 0x19, 1, 0, 0, 0, 0, 0, 0, 0x7d, 1 };
	static const uint8_t wrong[] = { PSB, 0xfd, 0x7d, 1, 0, 0, 0, 0, 0 };

	(void)state;
	assert_true(header(cut, sizeof(cut)).has_tsc);
	assert_false(header(cut, sizeof(cut)).has_ip);
	assert_false(header(wrong, sizeof(wrong)).has_ip);
	assert_false(header(cut, 3).has_tsc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_tells_where_the_program_was_and_when),
		cmocka_unit_test(addresses_of_the_kernel_are_high),
		cmocka_unit_test(what_follows_its_end_does_not_count),
		cmocka_unit_test(packets_that_are_cut_off_or_wrong_end_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
