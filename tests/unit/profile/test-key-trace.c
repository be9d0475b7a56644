/* SPDX-License-Identifier: MIT */
#include "example-tracepoint.h"

static void the_value_is_the_text(void **state)
{
	struct example_tracepoint t;
	const struct key *k;
	uint64_t value;

	(void)state;
	example_tracepoint_init(&t, "`i=%d name=%s`, REC->i, __get_str(name)");
	k = example_key(&t.keys, REPORT_NORMAL, "trace");
	value = example_value(&t.keys, k, &t.s);
	assert_string_equal(example_text(&t.keys, k, value, 1), "i=-5 name=hello");
	t.record[8] = 0xfa;
	assert_int_not_equal(example_value(&t.keys, k, &t.s), value);
	assert_string_equal(example_text(&t.keys, k, example_value(&t.keys, k, &t.s), 1),
			    "i=-6 name=hello");
	example_tracepoint_done(&t);
}

static void records_of_the_same_text_are_one_value(void **state)
{
	struct example_tracepoint t;
	const struct key *k;
	uint64_t value;

	(void)state;
	example_tracepoint_init(&t, "`name=%s`, __get_str(name)");
	k = example_key(&t.keys, REPORT_NORMAL, "trace");
	value = example_value(&t.keys, k, &t.s);
	t.record[4] = 78;
	t.record[8] = 0xfa;
	assert_int_equal(example_value(&t.keys, k, &t.s), value);
	example_tracepoint_done(&t);
}

static void raw_text_lists_the_fields(void **state)
{
	struct example_tracepoint t;
	const struct key *k;

	(void)state;
	example_tracepoint_init(&t, "`name=%s`, __get_str(name)");
	t.keys.env.raw_trace = true;
	k = example_key(&t.keys, REPORT_NORMAL, "trace");
	assert_int_equal(strncmp(example_text(&t.keys, k, example_value(&t.keys, k, &t.s), 1),
				 " i=-5 u=4294967280 l=-7 ul=0xdeadbeefcafe ", 42),
			 0);
	example_tracepoint_done(&t);
}

static void other_events_have_no_text(void **state)
{
	struct example_tracepoint t;
	const struct key *k;

	(void)state;
	example_tracepoint_init(&t, "`x`");
	t.s.event = session_event(t.keys.session, 0);
	k = example_key(&t.keys, REPORT_NORMAL, "trace");
	assert_string_equal(example_text(&t.keys, k, example_value(&t.keys, k, &t.s), 1), "N/A");
	example_tracepoint_done(&t);
}

static void a_record_without_bytes_is_harmless(void **state)
{
	struct example_tracepoint t;
	const struct key *k;

	(void)state;
	example_tracepoint_init(&t, "`i=%d`, REC->i");
	t.sample.raw_size = 0;
	k = example_key(&t.keys, REPORT_NORMAL, "trace");
	assert_string_equal(example_text(&t.keys, k, example_value(&t.keys, k, &t.s), 1),
			    "i=0 [TRUNCATED]");
	example_tracepoint_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_value_is_the_text),
		cmocka_unit_test(records_of_the_same_text_are_one_value),
		cmocka_unit_test(raw_text_lists_the_fields),
		cmocka_unit_test(other_events_have_no_text),
		cmocka_unit_test(a_record_without_bytes_is_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
