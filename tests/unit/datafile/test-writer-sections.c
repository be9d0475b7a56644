/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "datafile/feature-table.h"
#include "datafile/writer-sections.h"
#include "example-file.h"

static void a_checkpoint_is_a_table_and_a_record(void **state)
{
	(void)state;
	struct early_features early = { 0 };
	struct bytes b = { 0 };
	struct record_header h;

	early.of[FEATURE_HOSTNAME].where = (struct file_section){ 500, 68 };
	checkpoint_put(&b, &early);
	assert_int_equal(b.n, 2 * FEATURE_SLOT_SIZE);
	assert_int_equal(record_header_decode(b.data, b.n, false, &h), 0);
	assert_int_equal(h.type, PERF_RECORD_HEADER_EVENT_TYPE);
	assert_int_equal(h.size, b.n);
	assert_int_equal(word_at(&b, 16), 500);
	assert_int_equal(word_at(&b, 24), 68);
	bytes_done(&b);
}

static void features_that_did_not_change_are_not_repeated(void **state)
{
	(void)state;
	struct features f = example_features();
	struct early_features early = { 0 };
	struct file_header h = { 0 };
	struct bytes prologue = { 0 }, table = { 0 };
	uint64_t bits[4];

	file_prologue_put(&prologue, &h, NULL, 0, &f, &early);
	assert_int_equal(h.data.offset, prologue.n);
	assert_int_equal(prologue.n % 8, 0);
	f.os_release = "6.2";
	features_mark(&f, FEATURE_ARCH);
	feature_table_put(&table, 10000, &f, &early, bits);
	assert_int_equal(bits[0], 1 << FEATURE_HOSTNAME | 1 << FEATURE_OSRELEASE |
					  1 << FEATURE_ARCH | 1 << FEATURE_EVENT_DESC);
	/* Four slots and two payloads of 68 bytes. */
	assert_int_equal(table.n, 4 * FEATURE_SLOT_SIZE + 2 * 68);
	assert_int_equal(word_at(&table, 0), early.of[FEATURE_HOSTNAME].where.offset);
	assert_int_equal(word_at(&table, 16), 10000 + 64);
	bytes_done(&prologue);
	bytes_done(&table);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_checkpoint_is_a_table_and_a_record),
		cmocka_unit_test(features_that_did_not_change_are_not_repeated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
