/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "datafile/feature-table.h"
#include "example-file.h"

static size_t table_of(const struct bytes *b)
{
	return word_at(b, 40) + word_at(b, 48);
}

static struct datafile *open_bytes(const struct bytes *b)
{
	char *path = temporary();
	struct datafile *df;

	spill(path, b);
	df = open_example(path);
	unlink(path);
	free(path);
	return df;
}

static void one_damaged_slot_loses_one_feature(void **state)
{
	(void)state;
	struct bytes b = bytes_of_file((struct making){ 0 });
	struct datafile *df;

	word_set(&b, table_of(&b), UINT64_MAX);
	df = open_bytes(&b);
	assert_null(datafile_features(df)->hostname);
	assert_string_equal(datafile_features(df)->os_release, "6.1");
	assert_string_equal(datafile_features(df)->arch, "aarch64");
	assert_int_equal(datafile_note_count(df), 1);
	assert_non_null(strstr(datafile_note(df, 0), "HOSTNAME"));
	datafile_free(df);
	bytes_done(&b);
}

static void one_damaged_payload_loses_one_feature(void **state)
{
	(void)state;
	struct bytes b = bytes_of_file((struct making){ 0 });
	struct datafile *df;

	memset(b.data + word_at(&b, table_of(&b) + FEATURE_SLOT_SIZE), 0xff, 4);
	df = open_bytes(&b);
	assert_string_equal(datafile_features(df)->hostname, "vm");
	assert_null(datafile_features(df)->os_release);
	datafile_free(df);
	bytes_done(&b);
}

static void a_table_hidden_by_a_wrong_size_is_found(void **state)
{
	(void)state;
	static const uint64_t wrong[] = { 0, 8, UINT64_MAX / 2 };

	for (size_t i = 0; i < 3; i++) {
		struct bytes b = bytes_of_file((struct making){ 0 });
		struct datafile *df;

		word_set(&b, 48, wrong[i]);
		df = open_bytes(&b);
		assert_string_equal(datafile_features(df)->hostname, "vm");
		assert_string_equal(datafile_features(df)->arch, "aarch64");
		assert_int_equal(read_samples(df).samples, SAMPLES);
		datafile_free(df);
		bytes_done(&b);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_damaged_slot_loses_one_feature),
		cmocka_unit_test(one_damaged_payload_loses_one_feature),
		cmocka_unit_test(a_table_hidden_by_a_wrong_size_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
