/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <inttypes.h>

#include "base/text.h"
#include "profile/export.h"
#include "session/consumer.h"

struct taken {
	struct text text;
	int answer;
};

/* "TABLE:v,v,...\n" */
static int take(void *arg, enum export_table table, const struct export_value *values, size_t n)
{
	struct taken *t = arg;

	text_addf(&t->text, "%d:", (int)table);
	for (size_t i = 0; i < n; i++)
		if (values[i].text)
			text_addf(&t->text, "%s,", values[i].text);
		else
			text_addf(&t->text, "%" PRId64 ",", values[i].number);
	text_add(&t->text, "\n");
	return t->answer;
}

static void a_switch_of_tasks_that_nobody_knows_has_no_row(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = opened(&rec, false);
	struct taken taken = { .text = TEXT_EMPTY };
	struct export *x =
		export_new(&(struct export_options){ .session = s, .row = take, .arg = &taken });
	struct record r = { .header = { .type = PERF_RECORD_SWITCH_CPU_WIDE,
					.misc = PERF_RECORD_MISC_SWITCH_OUT },
			    .id = { .pid = 5, .tid = 5, .cpu = 1 },
			    .context_switch = { 9, 9 } };

	(void)state;
	assert_int_equal(export_record(x, &r, 30), 0);
	assert_string_equal(taken.text.chars, "");
	r.context_switch = (struct record_switch){ 0, 0 };
	assert_int_equal(export_record(x, &r, 31), 0);
	assert_null(strstr(taken.text.chars, "\n10:"));
	text_clear(&taken.text);
	export_record(x,
		      &(struct record){ .header.type = PERF_RECORD_COMM,
					.comm = { .pid = 5, .tid = 5, .comm = "work" } },
		      10);
	assert_int_equal(export_record(x, &r, 32), 0);
	assert_string_equal(taken.text.chars, "2:2,1,2,5,5,\n"
					      "3:2,work,2,10,0,\n"
					      "4:2,2,2,\n"
					      "10:1,1,32,1,2,2,1,1,1,\n");
	export_free(x);
	text_done(&taken.text);
}

static void kinds_of_branches_come_first_and_can_be_refused(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = opened(&rec, false);
	struct taken taken = { .text = TEXT_EMPTY };
	struct export *x =
		export_new(&(struct export_options){ .session = s, .row = take, .arg = &taken });
	size_t lines = 0;

	(void)state;
	assert_int_equal(export_begin(x), 0);
	for (const char *c = taken.text.chars; *c; c++)
		lines += *c == '\n';
	assert_int_equal(lines, 42);
	taken.answer = -7;
	assert_int_equal(export_begin(x), -7);
	export_free(x);
	text_done(&taken.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_switch_of_tasks_that_nobody_knows_has_no_row),
		cmocka_unit_test(kinds_of_branches_come_first_and_can_be_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
