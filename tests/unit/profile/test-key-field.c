/* SPDX-License-Identifier: MIT */
#include "example-tracepoint.h"

#include <errno.h>

#include "profile/key-field.h"

static const struct key *field(struct example_tracepoint *t, const char *name, bool raw)
{
	const struct tracepoint_field *f = tracepoint_field_find(t->format, name);

	assert_non_null(f);
	keys_add_field_of(&t->keys.keys, &t->keys.env, &t->event, f, raw);
	return &t->keys.keys.items[t->keys.keys.n - 1];
}

static void assert_field(const char *print_fmt, const char *name, bool raw, const char *expected)
{
	struct example_tracepoint t;
	const struct key *k;

	example_tracepoint_init(&t, print_fmt);
	k = field(&t, name, raw);
	assert_string_equal(k->title, name);
	assert_ptr_equal(k->event, &t.event);
	assert_string_equal(example_text(&t.keys, k, example_value(&t.keys, k, &t.s), 1), expected);
	example_tracepoint_done(&t);
}

static void a_number_comes_with_the_text_that_shows_it(void **state)
{
	(void)state;
	assert_field("`u=%x i=<%d>`, REC->u, REC->i", "i", false, "-5:<-5>");
	assert_field("`u=%x i=<%d>`, REC->u, REC->i", "u", false, "4294967280:fffffff0");
	assert_field("`u: %d, i: <%d>`, REC->b, REC->i", "u", false, "4294967280:200");
	assert_field("`u %d i <%d>`, REC->b, REC->i", "u", false, "4294967280:200");
	assert_field("`mu=1 u=%d`, REC->b", "u", false, "4294967280:200");
}

static void what_the_text_does_not_name_is_as_it_is(void **state)
{
	(void)state;
	assert_field("`%d`, REC->i", "i", false, "-5");
	assert_field("`i= u=1`", "i", false, "-5");
	assert_field("`i=<%d>`, REC->i", "i", true, "-5");
	assert_field("`x`", "ul", false, "244837814094590:0xdeadbeefcafe");
	assert_field("`x`", "shorts", false, "ARRAY[01, 00, 02, 00, 03, 00, ff, ff]");
	assert_field("`x`", "common_pid", false, "77");
}

static void strings_are_themselves(void **state)
{
	(void)state;
	assert_field("`name=%s,more`, __get_str(name)", "name", false, "hello");
	assert_field("`s=%.1s`, REC->s", "s", false, "hi");
}

static void numbers_and_texts_have_their_types(void **state)
{
	struct example_tracepoint t;

	(void)state;
	example_tracepoint_init(&t, "`x`");
	assert_int_equal(field(&t, "i", false)->parts[PART_FIELD].type, VALUE_SIGNED);
	assert_string_equal(field(&t, "i", false)->parts[PART_FIELD_TEXT].name, "i_text");
	assert_int_equal(field(&t, "ul", false)->parts[PART_FIELD].type, VALUE_UNSIGNED);
	assert_int_equal(field(&t, "s", false)->parts[PART_FIELD].type, VALUE_TEXT);
	assert_null(field(&t, "s", false)->parts[PART_FIELD_TEXT].name);
	example_tracepoint_done(&t);
}

static void values_stand_in_the_order_of_their_bytes_backwards(void **state)
{
	struct example_tracepoint t;
	const struct key *k;
	uint64_t a, b;

	(void)state;
	example_tracepoint_init(&t, "`x`");
	k = field(&t, "b", false);
	a = example_value(&t.keys, k, &t.s);
	t.record[34] = 3;
	b = example_value(&t.keys, k, &t.s);
	assert_above(&t.keys, k, a, b);
	example_tracepoint_done(&t);
}

static void other_events_have_no_value(void **state)
{
	struct example_tracepoint t;
	const struct key *k;

	(void)state;
	example_tracepoint_init(&t, "`x`");
	k = field(&t, "i", false);
	t.s.event = session_event(t.keys.session, 0);
	assert_int_equal(example_value(&t.keys, k, &t.s), 0);
	assert_string_equal(example_text(&t.keys, k, 0, 1), "");
	example_tracepoint_done(&t);
}

static void a_field_is_there_once(void **state)
{
	struct example_tracepoint t;

	(void)state;
	example_tracepoint_init(&t, "`x`");
	field(&t, "i", false);
	field(&t, "i", true);
	assert_int_equal(t.keys.keys.n, 1);
	example_tracepoint_done(&t);
}

static void an_event_that_is_named_must_have_the_field(void **state)
{
	struct example_keys m;

	(void)state;
	example_keys_init(&m, false);
	assert_int_equal(keys_add_field(&m.keys, &m.env, "nothing", &m.diag), 0);
	assert_int_equal(keys_add_field(&m.keys, &m.env, "nothing.pid", &m.diag), -EINVAL);
	assert_string_equal(m.diag.message, "there is no event 'nothing' in the recording");
	assert_int_equal(keys_add_field(&m.keys, &m.env, "%3.pid", &m.diag), -EINVAL);
	assert_string_equal(m.diag.message, "there is no event '%3' in the recording");
	assert_int_equal(keys_add_field(&m.keys, &m.env, "%1.pid", &m.diag), -EINVAL);
	assert_string_equal(m.diag.message, "cpu-clock is not a tracepoint: it has no fields");
	example_keys_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_comes_with_the_text_that_shows_it),
		cmocka_unit_test(what_the_text_does_not_name_is_as_it_is),
		cmocka_unit_test(strings_are_themselves),
		cmocka_unit_test(numbers_and_texts_have_their_types),
		cmocka_unit_test(values_stand_in_the_order_of_their_bytes_backwards),
		cmocka_unit_test(other_events_have_no_value),
		cmocka_unit_test(a_field_is_there_once),
		cmocka_unit_test(an_event_that_is_named_must_have_the_field),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
