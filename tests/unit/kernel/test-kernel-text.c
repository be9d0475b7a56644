/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "fake-tree.h"
#include "kernel/kernel-text.h"

static void the_kernel_begins_at_stext_where_there_is_no_text(void **state)
{
	struct kernel_text t;

	(void)state;
	assert_int_equal(kernel_text_parse("ffff800080010000 t bcm_irq\n"
					   "ffff800080010000 T _stext\n"
					   "ffff800080010050 t gic_irq\n",
					   &t),
			 0);
	assert_string_equal(t.reference, "_stext");
	assert_int_equal(t.start, 0xffff800080010000);
	assert_int_equal(t.end, UINT64_MAX);
}

static void text_wins_over_stext_at_the_same_address(void **state)
{
	struct kernel_text t;

	(void)state;
	assert_int_equal(kernel_text_parse("0000000000000000 A fixed_percpu_data\n"
					   "0000000000019000 A cpu_info\n"
					   "ffffffff92400000 T _stext\n"
					   "ffffffff92400000 T _text\n"
					   "ffffffff92400040 T startup\n",
					   &t),
			 0);
	assert_string_equal(t.reference, "_text");
	assert_int_equal(t.start, 0xffffffff92400000);
}

static void names_that_begin_alike_are_others(void **state)
{
	struct kernel_text t;

	(void)state;
	assert_int_equal(
		kernel_text_parse("1000 T _text_start\n2000 T my_text\n3000 T _stextx\n", &t),
		-ENOENT);
}

static void hidden_addresses_are_told_from_missing_ones(void **state)
{
	struct kernel_text t;

	(void)state;
	assert_int_equal(kernel_text_parse("0000000000000000 T _stext\n0000000000000000 T x\n", &t),
			 -EACCES);
	assert_int_equal(kernel_text_parse("", &t), -ENOENT);
	assert_int_equal(kernel_text_parse("nonsense\n\n 1", &t), -ENOENT);
}

static void iomem_tells_the_end_of_text(void **state)
{
	struct kernel_text t;

	fake_file(*state, "proc/kallsyms", "ffffffff92400000 T _stext\nffffffff92400000 T _text\n");
	fake_file(*state, "proc/iomem",
		  "00100000-7ffdbfff : System RAM\n  1d400000-1e201d31 : Kernel code\n"
		  "  1e400000-1ece8fff : Kernel rodata\n");
	assert_int_equal(kernel_text_read(*state, &t), 0);
	assert_int_equal(t.end, 0xffffffff93201d32);
}

static void what_iomem_says_counts_from_text_only(void **state)
{
	struct kernel_text t;

	fake_file(*state, "proc/kallsyms", "ffff800080010000 T _stext\n");
	fake_file(*state, "proc/iomem", "  40210000-4185ffff : Kernel code\n");
	assert_int_equal(kernel_text_read(*state, &t), 0);
	assert_int_equal(t.end, UINT64_MAX);
}

static void an_ordinary_user_sees_zeros_in_iomem(void **state)
{
	struct kernel_text t;

	fake_file(*state, "proc/kallsyms", "ffffffff92400000 T _text\n");
	fake_file(*state, "proc/iomem", "00000000-00000000 : Kernel code\n");
	assert_int_equal(kernel_text_read(*state, &t), 0);
	assert_int_equal(t.end, UINT64_MAX);
}

static void no_kallsyms_is_an_error(void **state)
{
	struct kernel_text t;

	assert_int_equal(kernel_text_read(*state, &t), -ENOENT);
}

#define tree_test(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernel_begins_at_stext_where_there_is_no_text),
		cmocka_unit_test(text_wins_over_stext_at_the_same_address),
		cmocka_unit_test(names_that_begin_alike_are_others),
		cmocka_unit_test(hidden_addresses_are_told_from_missing_ones),
		tree_test(iomem_tells_the_end_of_text),
		tree_test(what_iomem_says_counts_from_text_only),
		tree_test(an_ordinary_user_sees_zeros_in_iomem),
		tree_test(no_kallsyms_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
