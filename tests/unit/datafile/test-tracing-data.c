/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include "base/bytes.h"
#include "base/diag.h"
#include "datafile/tracing-data.h"

static struct tracing_format formats[] = {
	{ "sched", "name: a", 7 },
	{ "sched", "name: b", 7 },
	{ "irq", "name: c", 7 },
};

static struct bytes encoded(void)
{
	struct tracing_data t = {
		.long_size = 8,
		.page_size = 4096,
		.header_page = { NULL, "page", 4 },
		.header_event = { NULL, "event", 5 },
		.formats = formats,
		.n_formats = 3,
		.printk = "0x1 : \"x\"",
		.printk_length = 9,
	};
	struct bytes b = { 0 };

	tracing_data_encode(&t, &b);
	return b;
}

static void what_is_encoded_parses(void **state)
{
	(void)state;
	struct bytes b = encoded();
	struct diag diag = { 0 };
	struct tracing_data t;

	assert_int_equal(tracing_data_parse(b.data, b.n, &t, &diag), 0);
	assert_int_equal(t.n_formats, 3);
	assert_string_equal(t.formats[2].system, "irq");
	assert_memory_equal(t.formats[1].text, "name: b", 7);
	assert_int_equal(t.printk_length, 9);
	assert_int_equal(t.page_size, 4096);
	assert_string_equal(t.version, "0.6");
	tracing_data_done(&t);
	bytes_done(&b);
}

static void formats_before_damage_are_kept(void **state)
{
	(void)state;
	struct bytes b = encoded();
	size_t most = 0;

	for (size_t n = 0; n < b.n; n++) {
		struct diag diag = { 0 };
		struct tracing_data t = { 0 };
		int r = tracing_data_parse(b.data, n, &t, &diag);

		assert_true(r == 0 || diag.message);
		assert_true(t.n_formats >= most);
		most = t.n_formats;
		tracing_data_done(&t);
		diag_done(&diag);
	}
	assert_int_equal(most, 3);
	bytes_done(&b);
}

static void a_length_beyond_the_blob_is_refused(void **state)
{
	(void)state;
	struct bytes b = encoded();
	struct diag diag = { 0 };
	struct tracing_data t;

	memset(b.data + 10 + 4 + 6 + 12, 0xff, 8);
	assert_int_not_equal(tracing_data_parse(b.data, b.n, &t, &diag), 0);
	diag_done(&diag);
	bytes_done(&b);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_encoded_parses),
		cmocka_unit_test(formats_before_damage_are_kept),
		cmocka_unit_test(a_length_beyond_the_blob_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
