/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/script/text-memo-model.h"

#include "tracepoint/plan-text.h"

static const char plain_fields[] =
	"name: test\nID: 7\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\tfield:long a;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield:char s[8];\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:void * p;\toffset:24;\tsize:8;\tsigned:0;\n";

static struct tracepoint_plan *plan_of(const char *fields, const char *print_fmt,
				       struct tracepoint_format **ret)
{
	_cleanup_(text_done) struct text all = TEXT_EMPTY;
	struct diag diag = { 0 };

	text_addf(&all, "%s\nprint fmt: %s\n", fields, print_fmt);
	assert_int_equal(tracepoint_format_parse(all.chars, ret, &diag), 0);
	return tracepoint_plan_new(*ret, 8);
}

/*
 * Prints @n records, each of which contains its number modulo @distinct, with and without the memo.
 */
static void check_same(const char *fields, const char *print_fmt,
		       const struct tracepoint_machine *m, unsigned n, uint64_t distinct)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = NULL;
	_cleanup_(tracepoint_plan_freep) struct tracepoint_plan *p = plan_of(fields, print_fmt, &f);
	_cleanup_(text_memo_freep) struct text_memo *memo = text_memo_new();
	_cleanup_(text_done) struct text with = TEXT_EMPTY, without = TEXT_EMPTY;
	uint8_t raw[sizeof(plan_record)];

	memcpy(raw, plan_record, sizeof(raw));
	for (unsigned i = 0; i < n; i++) {
		uint64_t number = i % distinct;
		size_t size = i % 5 == 4 ? 20 : sizeof(raw) < 128 ? sizeof(raw) : 120;

		memcpy(raw + 8, &number, sizeof(number));
		memcpy(raw + 4, &i, sizeof(i)); /* common_pid */
		text_memo_print(memo, p, m, raw, size, &with);
		tracepoint_plan_print(p, m, raw, size, &without);
	}
	assert_string_equal(with.chars, without.chars);
}

static void texts_are_those_of_the_plan(void **state)
{
	const struct tracepoint_machine m = { 0 };

	(void)state;
	check_same(plain_fields, "\"%ld %s %lx\", REC->a, REC->s, REC->p", &m, 5000, 3);
	/* Texts that follow one another in the same place, and too many to be searched. */
	check_same(plain_fields, "\"%ld %s %lx\", REC->a, REC->s, REC->p", &m, 30000, 20000);
	check_same(plan_fields, "\"%d %s %s\", REC->i, REC->s, __get_str(name)", &m, 500, 3);
}

static void fields_of_all_tracepoints_count_if_they_are_shown(void **state)
{
	const struct tracepoint_machine m = { 0 };

	(void)state;
	check_same(plain_fields, "\"%d %ld %s\", REC->common_pid, REC->a, REC->s", &m, 500, 3);
}

static const char *another_name(void *arg, uint64_t addr, uint64_t *ret_offset)
{
	unsigned *n = arg;

	(void)addr;
	*ret_offset = 0;
	return (*n)++ % 4 < 2 ? "one" : "other";
}

static void what_the_machine_says_is_asked_each_time(void **state)
{
	unsigned n = 0;
	const struct tracepoint_machine m = { .symbol = another_name, .arg = &n };

	(void)state;
	check_same(plain_fields, "\"%ld %s %ps\", REC->a, REC->s, REC->p", &m, 2, 1);
	assert_int_equal(n, 4);
}

static void long_texts_and_records_are_printed_each_time(void **state)
{
	const struct tracepoint_machine m = { 0 };

	(void)state;
	check_same(plain_fields, "\"%s %300ld\", REC->s, REC->a", &m, 10, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_those_of_the_plan),
		cmocka_unit_test(fields_of_all_tracepoints_count_if_they_are_shown),
		cmocka_unit_test(what_the_machine_says_is_asked_each_time),
		cmocka_unit_test(long_texts_and_records_are_printed_each_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
