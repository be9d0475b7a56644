/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "tracepoint/format.h"

#define COMMON                                                                                     \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"                                 \
	"\n"

static const char sched_switch[] =
	"name: sched_switch\n"
	"ID: 208\n"
	"format:\n" COMMON "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc char[] name;\toffset:28;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc u32[] ids;\toffset:32;\tsize:4;\tsigned:0;\n"
	"\tfield:const char *const * argv;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:__u8 saddr[4];\toffset:48;\tsize:4;\tsigned:0;\n"
	"\n"
	"print fmt: \"prev_comm=%s prev_pid=%d\n\", REC->prev_comm, REC->prev_pid\n";

static struct tracepoint_format *parse(const char *text)
{
	struct tracepoint_format *f = NULL;
	struct diag diag = { 0 };
	int r = tracepoint_format_parse(text, &f, &diag);

	if (r < 0)
		fail_msg("%s: %s", diag.message, diag.excerpt);
	return f;
}

/* Parses a format of one field, whose line is @field. */
static int parse_field(const char *field, struct diag *diag)
{
	char text[512];
	struct tracepoint_format *f = NULL;

	snprintf(text, sizeof(text), "name: x\nID: 1\nformat:\n\t%s\n\nprint fmt: \"\"\n", field);

	int r = tracepoint_format_parse(text, &f, diag);

	tracepoint_format_free(f);
	return r;
}

static void name_id_and_print_fmt_are_taken(void **state)
{
	(void)state;
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = parse(sched_switch);

	assert_string_equal(f->name, "sched_switch");
	assert_int_equal(f->id, 208);
	assert_int_equal(f->n_fields, 8);
	/* A newline between the quotes is part of the print fmt: ext4 and xfs have some. */
	assert_string_equal(f->print_fmt,
			    "\"prev_comm=%s prev_pid=%d\n\", REC->prev_comm, REC->prev_pid");
}

static void a_field_has_type_name_and_place(void **state)
{
	(void)state;
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = parse(sched_switch);
	const struct tracepoint_field *pid = tracepoint_field_find(f, "prev_pid");

	assert_string_equal(pid->declaration, "pid_t prev_pid");
	assert_string_equal(pid->type, "pid_t");
	assert_int_equal(pid->offset, 24);
	assert_int_equal(pid->size, 4);
	assert_true(pid->is_signed);
	assert_false(pid->is_common || pid->is_array || pid->is_string || pid->is_dynamic);
	assert_true(tracepoint_field_find(f, "common_pid")->is_common);
	assert_null(tracepoint_field_find(f, "pid"));
}

static void arrays_strings_and_pointers_are_told_apart(void **state)
{
	(void)state;
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = parse(sched_switch);
	const struct tracepoint_field *comm = tracepoint_field_find(f, "prev_comm");
	const struct tracepoint_field *name = tracepoint_field_find(f, "name");
	const struct tracepoint_field *ids = tracepoint_field_find(f, "ids");
	const struct tracepoint_field *argv = tracepoint_field_find(f, "argv");
	const struct tracepoint_field *saddr = tracepoint_field_find(f, "saddr");

	assert_string_equal(comm->type, "char[16]");
	assert_true(comm->is_string && comm->is_array && !comm->is_dynamic);
	assert_string_equal(name->type, "__data_loc char[]");
	assert_true(name->is_string && name->is_dynamic && !name->is_rel_dynamic);
	assert_string_equal(ids->type, "__rel_loc u32[]");
	assert_true(ids->is_rel_dynamic && ids->is_array && !ids->is_string && !ids->is_dynamic);
	assert_string_equal(argv->type, "const char *const *");
	assert_true(argv->is_pointer && !argv->is_string && !argv->is_array);
	assert_true(saddr->is_array && !saddr->is_string);
}

/* A system call without arguments. */
static void an_empty_field_list_is_fine(void **state)
{
	(void)state;
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f =
		parse("name: sys_enter_sync\nID: 17\nformat:\n" COMMON "\nprint fmt: \"\"\n");
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *none =
		parse("name: x\nID: 1\nformat:\n\nprint fmt: \"\"\n");

	assert_int_equal(f->n_fields, 2);
	assert_int_equal(none->n_fields, 0);
	assert_string_equal(none->print_fmt, "\"\"");
}

static void a_text_without_print_fmt_or_name_is_fine(void **state)
{
	(void)state;
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *empty = parse("");
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *cut =
		parse("name: a\nname: b\n\tfield:int x;\toffset:0;\tsize:4;");

	assert_string_equal(empty->name, "");
	assert_string_equal(empty->print_fmt, "");
	assert_string_equal(cut->name, "b");
	assert_string_equal(cut->fields[0].name, "x");
	assert_false(cut->fields[0].is_signed); /* kernels before 2.6.32 do not give it */
}

static void keys_of_other_kernels_are_skipped(void **state)
{
	(void)state;
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f =
		parse("colour: blue\n\tfield special:int x;\tcolour:red;\tsize:4;\toffset:8;\tend");

	assert_int_equal(f->n_fields, 1);
	assert_int_equal(f->fields[0].offset, 8);
}

static void own_fields_hide_common_ones(void **state)
{
	(void)state;
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = parse(
		"\tfield:int common_x;\toffset:0;\tsize:4;\n"
		"\tfield:int x;\toffset:4;\tsize:4;\n\tfield:int x;\toffset:8;\tsize:4;\n");

	assert_int_equal(tracepoint_field_find(f, "x")->offset, 4);
	assert_int_equal(tracepoint_field_find(f, "common_x")->offset, 0);
}

static void malformed_fields_are_refused_where_they_are(void **state)
{
	static const struct {
		const char *field;
		const char *why;
	} bad[] = {
		{ "field:int x", "no end" },
		{ "field:;\toffset:0;\tsize:4;", "no type or no name" },
		{ "field:int;\toffset:0;\tsize:4;", "no type or no name" },
		{ "field:[4];\toffset:0;\tsize:4;", "no type or no name" },
		{ "field:int x]];\toffset:0;\tsize:4;", "no type or no name" },
		{ "field:int *;\toffset:0;\tsize:4;", "no type or no name" },
		{ "field:int x;\tsize:4;", "no offset" },
		{ "field:int x;\toffset:0;", "no size" },
		{ "field:int x;\toffset:0;\tsize:4", "small number" },
		{ "field:int x;\toffset:-1;\tsize:4;", "small number" },
		{ "field:int x;\toffset:;\tsize:4;", "small number" },
		{ "field:int x;\toffset:0;\tsize:99999999999999999999;", "small number" },
		{ "field:int x;\toffset:65536;\tsize:1;", "beyond any record" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct diag diag = { 0 };

		assert_int_equal(parse_field(bad[i].field, &diag), -EBADMSG);
		assert_non_null(strstr(diag.message, bad[i].why));
		assert_non_null(strstr(diag.excerpt, bad[i].field));
		assert_true(diag.offset <= strlen(diag.excerpt));
		diag_done(&diag);
	}
}

static void an_id_that_is_no_number_is_refused(void **state)
{
	(void)state;
	struct tracepoint_format *f = (struct tracepoint_format *)1;
	struct diag diag = { 0 };

	assert_int_equal(tracepoint_format_parse("ID: many\n", &f, &diag), -EBADMSG);
	assert_ptr_equal(f, (struct tracepoint_format *)1);
	assert_string_equal(diag.excerpt, "ID: many");
	assert_int_equal(diag.offset, 4);
	diag_done(&diag);
}

static void a_flood_of_fields_is_refused(void **state)
{
	(void)state;
	static const char line[] = "field:int x;offset:0;size:1;\n";
	size_t n = 5000;
	_cleanup_(freep) char *text = malloc(n * strlen(line) + 1);
	struct tracepoint_format *f = NULL;
	struct diag diag = { 0 };

	for (size_t i = 0; i < n; i++)
		strcpy(text + i * strlen(line), line);
	assert_int_equal(tracepoint_format_parse(text, &f, &diag), -EBADMSG);
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(name_id_and_print_fmt_are_taken),
		cmocka_unit_test(a_field_has_type_name_and_place),
		cmocka_unit_test(arrays_strings_and_pointers_are_told_apart),
		cmocka_unit_test(an_empty_field_list_is_fine),
		cmocka_unit_test(a_text_without_print_fmt_or_name_is_fine),
		cmocka_unit_test(keys_of_other_kernels_are_skipped),
		cmocka_unit_test(own_fields_hide_common_ones),
		cmocka_unit_test(malformed_fields_are_refused_where_they_are),
		cmocka_unit_test(an_id_that_is_no_number_is_refused),
		cmocka_unit_test(a_flood_of_fields_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
