/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "view/json.h"
#include "view/table.h"

/* Tasks, with the number of their runs and the time of their waits. */
struct task_row {
	const char *comm;
	int pid;
	uint64_t runs;
	uint64_t delay_ns; /* 0: not known */
};

static struct value get_comm(const struct cell *at)
{
	return value_text(((const struct task_row *)at->row)->comm);
}

static struct value get_pid(const struct cell *at)
{
	return value_signed(((const struct task_row *)at->row)->pid);
}

static struct value get_runs(const struct cell *at)
{
	return value_unsigned(((const struct task_row *)at->row)->runs);
}

static struct value get_delay(const struct cell *at)
{
	uint64_t ns = ((const struct task_row *)at->row)->delay_ns;

	return ns ? value_number(VALUE_TIME, ns) : VALUE_UNKNOWN;
}

static void print_task(struct cell *at, struct text *out)
{
	const struct task_row *row = at->row;

	text_addf(out, "%s:%d", row->comm, row->pid);
}

static const struct column columns[] = {
	{ .title = "Task", .type = VALUE_TEXT, .print = print_task },
	{ .name = "comm", .type = VALUE_TEXT, .get = get_comm },
	{ .name = "pid", .type = VALUE_SIGNED, .get = get_pid },
	{ .title = "Runs", .name = "runs", .type = VALUE_UNSIGNED, .get = get_runs },
	{ .title = "Delay", .name = "delay", .type = VALUE_TIME, .none = "-", .get = get_delay },
};

static const struct task_row rows[] = {
	{ "sh", 7, 12345, 1500000000 },
	{ "worker", -1, 2, 0 },
};

static void assert_table(const struct column *c, size_t n, const struct table_style *style,
			 const char *wanted)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	_cleanup_(table_done) struct table t;

	table_init(&t, c, n, NULL, style);
	table_add(&t, rows, ARRAY_SIZE(rows), sizeof(rows[0]), &out);
	assert_string_equal(out.chars, wanted);
}

static void numbers_stand_to_the_right_and_texts_to_the_left(void **state)
{
	(void)state;
	assert_table(columns, ARRAY_SIZE(columns), &(struct table_style){ 0 },
		     "# Task        Runs        Delay\n"
		     "# .........  .....  ...........\n"
		     "#\n"
		     "  sh:7       12345  1.500000000\n"
		     "  worker:-1      2            -\n");
	assert_table(columns, 4, &(struct table_style){ .no_dots = true },
		     "# Task        Runs\n"
		     "  sh:7       12345\n"
		     "  worker:-1      2\n");
}

static void between_separators_nothing_is_aligned(void **state)
{
	(void)state;
	assert_table(columns, ARRAY_SIZE(columns), &(struct table_style){ .separator = ":" },
		     "# Task:Runs:Delay\n"
		     "sh.7:12345:1.500000000\n"
		     "worker.-1:2:-\n");
}

static void columns_may_stand_otherwise(void **state)
{
	static const struct column others[] = {
		{ .title = "Name",
		  .align = ALIGN_RIGHT,
		  .width = 3,
		  .flags = COLUMN_FIXED | COLUMN_CUTS,
		  .get = get_comm,
		  .type = VALUE_TEXT },
		{ .title = "Runs",
		  .align = ALIGN_LEFT,
		  .title_align = ALIGN_LEFT,
		  .width = 6,
		  .flags = COLUMN_FILLS | COLUMN_PADDED,
		  .get = get_runs,
		  .type = VALUE_UNSIGNED },
	};

	(void)state;
	assert_table(others, ARRAY_SIZE(others), &(struct table_style){ 0 },
		     "# Nam  Runs  \n"
		     "# ...  ......\n"
		     "#\n"
		     "   sh  12345 \n"
		     "  wor  2     \n");
	assert_table(others, ARRAY_SIZE(others), &(struct table_style){ .separator = ";" },
		     "# Name;Runs  \n"
		     "sh;12345 \n"
		     "wor;2     \n");
}

static struct value get_sign(const struct cell *at)
{
	(void)at;
	return value_text("\u00b1\033");
}

static void widths_are_characters_unless_bytes_are_asked_for(void **state)
{
	static const struct column c[] = {
		{ .title = "", .type = VALUE_TEXT, .width = 6, .get = get_sign },
		{ .title = "",
		  .type = VALUE_TEXT,
		  .width = 6,
		  .flags = COLUMN_BYTES,
		  .get = get_sign },
		{ .title = "", .type = VALUE_TEXT, .get = get_comm },
	};
	_cleanup_(table_scratch_done) struct table_scratch s = TABLE_SCRATCH;
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	_cleanup_(table_done) struct table t;

	(void)state;
	table_init(&t, c, ARRAY_SIZE(c), NULL, &(struct table_style){ .escape = true });
	table_fit(&t, &rows[0], &s);
	table_add_cells(&t, &rows[0], false, &s, &out);
	assert_string_equal(out.chars, "\u00b1\\x1b   \u00b1\\x1b  sh");
}

static void blanks_behind_the_last_title_have_an_end(void **state)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	_cleanup_(table_done) struct table t;

	(void)state;
	table_init(&t, &columns[3], 2, NULL, &(struct table_style){ 0 });
	t.widths[0] = t.widths[1] = 3000;
	table_add_titles(&t, &out);
	assert_int_equal(out.length, 3000 + 2 + 1023);
}

static void json_has_typed_members_and_says_what_they_are(void **state)
{
	_cleanup_(table_scratch_done) struct table_scratch s = TABLE_SCRATCH;
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	_cleanup_(table_done) struct table t;
	struct json j;

	(void)state;
	table_init(&t, columns, ARRAY_SIZE(columns), NULL, &(struct table_style){ 0 });
	json_init_text(&j, &out);
	j.on_line = true;
	json_array(&j);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		json_object(&j);
		table_write_members(&t, &rows[i], &s, &j);
		json_end(&j, '}');
	}
	json_end(&j, ']');
	assert_string_equal(
		out.chars,
		"[{\"comm\": \"sh\", \"pid\": 7, \"runs\": 12345, \"delay\": 1500000000}, "
		"{\"comm\": \"worker\", \"pid\": -1, \"runs\": 2, \"delay\": null}]");
	text_clear(&out);
	json_init_text(&j, &out);
	json_array(&j);
	table_write_columns(&t, &j);
	json_end(&j, ']');
	assert_string_equal(out.chars,
			    "[\n\t{\"name\": \"comm\", \"type\": \"text\"},\n"
			    "\t{\"name\": \"pid\", \"type\": \"number\"},\n"
			    "\t{\"name\": \"runs\", \"title\": \"Runs\", \"type\": \"number\"},\n"
			    "\t{\"name\": \"delay\", \"title\": \"Delay\", \"type\": \"time\"}\n]");
}

static void what_is_optional_has_no_member_where_there_is_none(void **state)
{
	struct column c = columns[4];
	_cleanup_(table_scratch_done) struct table_scratch s = TABLE_SCRATCH;
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	_cleanup_(table_done) struct table t;
	struct json j;

	(void)state;
	c.flags = COLUMN_OPTIONAL;
	table_init(&t, &c, 1, NULL, &(struct table_style){ 0 });
	json_init_text(&j, &out);
	json_object(&j);
	table_write_members(&t, &rows[1], &s, &j);
	json_end(&j, '}');
	assert_string_equal(out.chars, "{}");
}

static struct value get_dots(const struct cell *at)
{
	(void)at;
	return value_text("a…b");
}

static void what_has_room_in_columns_is_not_cut_by_its_bytes(void **state)
{
	static const struct column dots[] = {
		{ .title = "D",
		  .align = ALIGN_LEFT,
		  .title_align = ALIGN_LEFT,
		  .width = 3,
		  .flags = COLUMN_FIXED | COLUMN_CUTS,
		  .get = get_dots,
		  .type = VALUE_TEXT },
	};

	(void)state;
	assert_table(dots, ARRAY_SIZE(dots), &(struct table_style){ 0 },
		     "# D  \n"
		     "# ...\n"
		     "#\n"
		     "  a…b\n"
		     "  a…b\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_has_room_in_columns_is_not_cut_by_its_bytes),
		cmocka_unit_test(numbers_stand_to_the_right_and_texts_to_the_left),
		cmocka_unit_test(between_separators_nothing_is_aligned),
		cmocka_unit_test(columns_may_stand_otherwise),
		cmocka_unit_test(widths_are_characters_unless_bytes_are_asked_for),
		cmocka_unit_test(blanks_behind_the_last_title_have_an_end),
		cmocka_unit_test(json_has_typed_members_and_says_what_they_are),
		cmocka_unit_test(what_is_optional_has_no_member_where_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
