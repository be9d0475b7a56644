/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "example-file.h"

static void a_stream_tells_events_features_and_build_ids(void **state)
{
	(void)state;
	char *path = make((struct making){ .form = WRITER_PIPE });
	struct bytes b = slurp(path);
	struct record r = { .header = { .type = PERF_RECORD_HEADER_BUILD_ID, .misc = 0x8002 } };
	struct datafile *df;

	r.build_id.pid = -1;
	r.build_id.build_id.size = 20;
	r.build_id.filename = "/bin/true";
	assert_int_equal(record_encode(&r, NULL, &b), 0);
	spill(path, &b);
	df = open_example(path);
	assert_int_equal(datafile_event_count(df), 0);
	assert_int_equal(read_samples(df).samples, SAMPLES);
	assert_int_equal(datafile_event_count(df), 1);
	assert_int_equal(datafile_event(df, 0)->ids[0], 11);
	assert_string_equal(datafile_features(df)->event_descs.items[0].name, "cpu-clock");
	assert_string_equal(datafile_features(df)->build_ids.items[0].filename, "/bin/true");
	datafile_free(df);
	bytes_done(&b);
	unlink(path);
	free(path);
}

static void a_damaged_feature_of_a_stream_is_named(void **state)
{
	(void)state;
	char *path = make((struct making){ .form = WRITER_PIPE });
	struct bytes b = slurp(path);
	struct reading r;

	/* HOSTNAME is the first feature, behind the header and one attr with two ids. */
	memset(b.data + 16 + (8 + 128 + 16) + 16, 0xff, 4);
	r = read_bytes(&b);
	assert_int_equal(r.samples, SAMPLES);
	assert_non_null(strstr(r.note, "HOSTNAME"));
	bytes_done(&b);
	unlink(path);
	free(path);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stream_tells_events_features_and_build_ids),
		cmocka_unit_test(a_damaged_feature_of_a_stream_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
