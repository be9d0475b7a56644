/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "fake-tree.h"
#include "kernel/smi-freeze.h"

#define SETTING "sys/devices/cpu/freeze_on_smi"

static int setting(const char *root)
{
	_cleanup_(freep) char *path = xasprintf("%s/" SETTING, root);
	_cleanup_(fclosep) FILE *f = fopen(path, "r");

	assert_non_null(f);
	return getc(f);
}

static void it_is_on_between_begin_and_end(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct smi_freeze s = { 0 };

	fake_file(*state, SETTING, "0\n");
	assert_int_equal(smi_freeze_begin(*state, &s, &diag), 0);
	assert_int_equal(setting(*state), '1');
	smi_freeze_end(*state, &s);
	assert_int_equal(setting(*state), '0');
}

static void what_was_on_stays_on(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct smi_freeze s = { 0 };

	fake_file(*state, SETTING, "1\n");
	assert_int_equal(smi_freeze_begin(*state, &s, &diag), 0);
	smi_freeze_end(*state, &s);
	assert_int_equal(setting(*state), '1');
}

static void a_machine_without_it_says_so(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct smi_freeze s = { 0 };

	assert_int_equal(smi_freeze_begin(*state, &s, &diag), -EOPNOTSUPP);
	assert_string_equal(diag.message, "freeze_on_smi is not supported.");
	smi_freeze_end(*state, &s);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)
	const struct CMUnitTest tests[] = {
		TEST(it_is_on_between_begin_and_end),
		TEST(what_was_on_stays_on),
		TEST(a_machine_without_it_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
