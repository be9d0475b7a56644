/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "bytes-of.h"
#include "wire/record.h"

/* Returns a record with two texts. */
static struct bytes make(void)
{
	_cleanup_(bytes_done) struct bytes entries = { 0 };
	struct record r = { .header.type = PERF_RECORD_BPF_METADATA };
	struct bytes b = { 0 };

	record_bpf_metadata_add(&entries, "perf_version", "1.2");
	record_bpf_metadata_add(&entries, "owner", "");
	r.bpf_metadata = (struct record_bpf_metadata){ "bpf_prog_1_f", entries.data, 2 };
	assert_int_equal(record_encode(&r, NULL, &b), 0);
	return b;
}

static void texts_come_back(void **state)
{
	_cleanup_(bytes_done) struct bytes b = make();
	struct record r = decoded(&b, false, NULL);
	const char *key, *value;

	(void)state;
	assert_int_equal(b.n, 8 + 512 + 8 + 2 * (64 + 256));
	assert_string_equal(r.bpf_metadata.program, "bpf_prog_1_f");
	assert_int_equal(r.bpf_metadata.n, 2);
	record_bpf_metadata_get(&r.bpf_metadata, 0, &key, &value);
	assert_string_equal(key, "perf_version");
	assert_string_equal(value, "1.2");
	record_bpf_metadata_get(&r.bpf_metadata, 1, &key, &value);
	assert_string_equal(key, "owner");
	assert_string_equal(value, "");
	assert_encodes_to(&r, NULL, &b);
	assert_cut_is_refused(&b, b.n, NULL);
}

static void a_long_text_is_cut(void **state)
{
	_cleanup_(bytes_done) struct bytes entries = { 0 };
	char text[400];

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	record_bpf_metadata_add(&entries, text, text);
	assert_int_equal(entries.n, 64 + 256);
	assert_int_equal(strlen((char *)entries.data), 63);
	assert_int_equal(strlen((char *)entries.data + 64), 255);
}

static void assert_refused_when_set(size_t from, size_t n)
{
	_cleanup_(bytes_done) struct bytes b = make();
	struct record r;

	memset(b.data + from, 'x', n);
	assert_int_equal(record_decode(b.data, b.n, false, NULL, &r), -EBADMSG);
}

static void texts_without_an_end_are_refused(void **state)
{
	(void)state;
	assert_refused_when_set(8, 512);
	assert_refused_when_set(8 + 512 + 8, 64);
	assert_refused_when_set(8 + 512 + 8 + 64, 256);
}

static void more_entries_than_there_are_is_refused(void **state)
{
	(void)state;
	assert_refused_when_set(8 + 512, 8);
	assert_refused_when_set(8 + 512, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_come_back),
		cmocka_unit_test(a_long_text_is_cut),
		cmocka_unit_test(texts_without_an_end_are_refused),
		cmocka_unit_test(more_entries_than_there_are_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
