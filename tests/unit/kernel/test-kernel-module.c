/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "fake-tree.h"
#include "kernel/kernel-text.h"

static void modules_are_in_order_of_their_addresses(void **state)
{
	_cleanup_(kernel_module_list_done) struct kernel_module_list l = { 0 };

	fake_file(*state, "proc/modules",
		  "tun 61440 0 - Live 0xffffffffc05a4000\n"
		  "nf_tables 303104 2 a,b, Live 0xffffffffc0100000 (OE)\n");
	assert_int_equal(kernel_modules_read(*state, "6.1", &l), 0);
	assert_int_equal(l.n, 2);
	assert_string_equal(l.items[0].name, "nf_tables");
	assert_int_equal(l.items[0].start, 0xffffffffc0100000);
	assert_int_equal(l.items[0].size_bytes, 303104);
	assert_null(l.items[0].path);
	assert_string_equal(l.items[1].name, "tun");
}

static void files_are_found_by_name_with_dashes_or_without(void **state)
{
	_cleanup_(kernel_module_list_done) struct kernel_module_list l = { 0 };

	fake_file(*state, "proc/modules",
		  "ext4 1 0 - Live 0x1000\ncrc32c_intel 1 0 - Live 0x2000\nlocal 1 0 - Live "
		  "0x3000\n");
	fake_file(*state, "lib/modules/6.1/modules.dep",
		  "kernel/fs/ext4/ext4.ko: kernel/lib/crc16.ko\n"
		  "kernel/arch/x86/crc32c-intel.ko.xz:\n"
		  "/opt/local.ko.zst:\n"
		  "updates/ext4.ko:\n"
		  ".ko:\nREADME:\n");
	assert_int_equal(kernel_modules_read(*state, "6.1", &l), 0);
	assert_int_equal(l.n, 3);
	assert_string_equal(l.items[0].path, "/lib/modules/6.1/kernel/fs/ext4/ext4.ko");
	assert_string_equal(l.items[1].path, "/lib/modules/6.1/kernel/arch/x86/crc32c-intel.ko.xz");
	assert_string_equal(l.items[2].path, "/opt/local.ko.zst");
}

static void modules_at_hidden_addresses_are_left_out(void **state)
{
	_cleanup_(kernel_module_list_done) struct kernel_module_list l = { 0 };

	fake_file(*state, "proc/modules",
		  "tun 61440 0 - Live 0x0000000000000000\nshort 1\n\nx 1 0 - Live 0x1000\n");
	assert_int_equal(kernel_modules_read(*state, "6.1", &l), 0);
	assert_int_equal(l.n, 1);
	assert_string_equal(l.items[0].name, "x");
}

static void a_kernel_without_modules_is_an_error(void **state)
{
	struct kernel_module_list l = { .n = 7 };

	assert_int_equal(kernel_modules_read(*state, "6.1", &l), -ENOENT);
	assert_int_equal(l.n, 7);
}

#define tree_test(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		tree_test(modules_are_in_order_of_their_addresses),
		tree_test(files_are_found_by_name_with_dashes_or_without),
		tree_test(modules_at_hidden_addresses_are_left_out),
		tree_test(a_kernel_without_modules_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
