/* SPDX-License-Identifier: MIT */
#include "options/parse.h"

#include "tools/script/fields.h"

#define BIT(field) (1ULL << SCRIPT_FIELD_##field)

static const struct option options[] = { OPT_CALL('F', "fields", struct field_opts, items, "field",
						  "", .set = field_opts_set),
					 OPT_END };

static void a_list_replaces_the_fields_of_all_events(void **state)
{
	(void)state;
	_cleanup_(field_opts_done) struct field_opts o = { 0 };

	assert_int_equal(PARSE(options, &o, "-F", "comm,pid,time"), 0);
	assert_int_equal(o.n, 1);
	assert_true(o.items[0].replace);
	assert_int_equal(o.items[0].types, FIELD_TYPE_ALL);
	assert_int_equal(o.items[0].add, BIT(COMM) | BIT(PID) | BIT(TIME));
}

static void signs_change_the_usual_fields(void **state)
{
	(void)state;
	_cleanup_(field_opts_done) struct field_opts o = { 0 };

	assert_int_equal(PARSE(options, &o, "-F-cpu,+insn", "-F", "sw:-cpu"), 0);
	assert_false(o.items[0].replace);
	assert_int_equal(o.items[0].add, BIT(INSN));
	assert_int_equal(o.items[0].remove, BIT(CPU));
	assert_int_equal(o.items[1].types, FIELD_TYPE_SW);
}

static void a_type_alone_shows_nothing_of_it(void **state)
{
	(void)state;
	_cleanup_(field_opts_done) struct field_opts o = { 0 };

	assert_int_equal(PARSE(options, &o, "-F", "trace:"), 0);
	assert_int_equal(o.items[0].types, FIELD_TYPE_TRACE);
	assert_true(o.items[0].replace);
	assert_int_equal(o.items[0].add, 0);
}

static void a_field_may_be_called_as_a_type(void **state)
{
	(void)state;
	_cleanup_(field_opts_done) struct field_opts o = { 0 };

	assert_int_equal(PARSE(options, &o, "-F", "trace:time,trace"), 0);
	assert_int_equal(o.items[0].add, BIT(TIME) | BIT(TRACE));
}

static void what_is_wrong_is_marked(void **state)
{
	(void)state;
	_cleanup_(field_opts_done) struct field_opts o = { 0 };
	static const char *const wrong[] = { "",          ",",        "bad",       "+",
					     "-",         "all",      "hw:bad",    "comm,+cpu",
					     "+cpu,comm", "bad:comm", "time,comm:" };

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		if (PARSE(options, &o, "-F", (char *)wrong[i]) != -EINVAL)
			fail_msg("'%s' was taken", wrong[i]);
	assert_int_equal(PARSE(options, &o, "-F", "comm,bad"), -EINVAL);
	assert_true(says("'bad': there is no such field\ncomm,bad\n"));
	assert_int_equal(PARSE(options, &o, "-F", "comm,+cpu"), -EINVAL);
	assert_true(says("cannot be mixed"));
	assert_int_equal(o.n, 0);
}

static void a_file_is_no_list_of_fields(void **state)
{
	(void)state;
	assert_true(field_list_is("comm"));
	assert_true(field_list_is("time,event,trace"));
	assert_false(field_list_is("perf.data"));
	assert_false(field_list_is("--header"));
	assert_false(field_list_is(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_replaces_the_fields_of_all_events),
		cmocka_unit_test(signs_change_the_usual_fields),
		cmocka_unit_test(a_type_alone_shows_nothing_of_it),
		cmocka_unit_test(a_field_may_be_called_as_a_type),
		cmocka_unit_test(what_is_wrong_is_marked),
		cmocka_unit_test(a_file_is_no_list_of_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
