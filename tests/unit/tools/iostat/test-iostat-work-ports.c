/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "kernel/fake-tree.h"
#include "tools/iostat/iostat-work.h"

static void ports_are_sorted_by_stack_and_die(void **state)
{
	_cleanup_(root_port_list_done) struct root_port_list l = { 0 };

	fake_file(*state, "uncore_iio_1/die0", "0000:17\n");
	fake_file(*state, "uncore_iio_0/die1", "0000:80\n");
	fake_file(*state, "uncore_iio_0/die0", "0001:00\n");
	fake_file(*state, "uncore_iio_0/type", "12\n");
	fake_file(*state, "uncore_iio_free_running_0/die0", "0000:33\n");
	fake_file(*state, "uncore_imc_0/die0", "0000:44\n");
	assert_int_equal(root_ports_read(*state, &l), 0);
	assert_int_equal(l.n, 3);
	assert_int_equal(l.items[0].domain, 1);
	assert_int_equal(l.items[1].die, 1);
	assert_int_equal(l.items[1].bus, 0x80);
	assert_int_equal(l.items[2].stack, 1);
	assert_int_equal(l.items[2].bus, 0x17);
}

static void what_is_missing_is_told_apart(void **state)
{
	struct root_port_list l = { 0 };

	assert_int_equal(root_ports_read("/nonexistent", &l), -ENODEV);
	fake_file(*state, "cpu/type", "4\n");
	assert_int_equal(root_ports_read(*state, &l), -ENODEV);
	fake_file(*state, "uncore_iio_0/type", "12\n");
	fake_file(*state, "uncore_iio_0/die0", "nothing\n");
	fake_file(*state, "uncore_iio_0/diex", "0000:17\n");
	assert_int_equal(root_ports_read(*state, &l), -ENODATA);
	assert_int_equal(l.n, 0);
}

static void a_port_is_a_domain_and_a_bus(void **state)
{
	static const char *const wrong[] = { "",      ":",       "17",    "0000:",    ":17",
					     "0:100", "0:1g",    "0:17x", "x:17",     "123456789:1",
					     "0 :17", "0000:-1", "0:0:0", "0000:1:17" };
	unsigned domain, bus;

	(void)state;
	assert_int_equal(root_port_parse("0000:3A", 7, &domain, &bus), 0);
	assert_int_equal(domain, 0);
	assert_int_equal(bus, 0x3a);
	assert_int_equal(root_port_parse("10000:5d,", 8, &domain, &bus), 0);
	assert_int_equal(domain, 0x10000);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_int_equal(root_port_parse(wrong[i], strlen(wrong[i]), &domain, &bus),
				 -EINVAL);
}

#define tree_test(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		tree_test(ports_are_sorted_by_stack_and_die),
		tree_test(what_is_missing_is_told_apart),
		cmocka_unit_test(a_port_is_a_domain_and_a_bus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
