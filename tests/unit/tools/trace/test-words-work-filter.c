/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/id-list.h"
#include "base/memory.h"
#include "tools/trace/words-work.h"
#include "tools/trace/select-work.h"

static char *filter_of(const char *expression, const struct id_list *left_out)
{
	struct event_words typed = { 0 };
	struct trace_selection s = { 0 };
	struct diag diag = { 0 };
	char *filter;

	event_words_add(&typed, EVENT_WORD_EVENT, expression);
	assert_int_equal(trace_select(&typed, CHOICE_UNSAID, &s, &diag), 0);
	filter = trace_ring_filter(&s, left_out);
	trace_selection_done(&s);
	event_words_done(&typed);
	return filter;
}

static int number(const char *name)
{
	return syscall_number(syscall_abi_of(arch_host()->elf_machine, false), name);
}

static void wanted_calls_are_listed(void **state)
{
	_cleanup_(freep) char *expected = xasprintf("(id == %d)", number("openat"));
	_cleanup_(freep) char *got = filter_of("openat", &(struct id_list){ 0 });

	(void)state;
	assert_string_equal(got, expected);
}

static void of_many_calls_the_others_are_listed(void **state)
{
	int pids[] = { 7, 8 };
	const struct id_list left_out = { .items = pids, .n = 2 };
	_cleanup_(freep) char *got = filter_of("!close", &left_out);
	_cleanup_(freep) char *not_closed = xasprintf("id != %d", number("close"));

	(void)state;
	assert_int_equal(strncmp(got, "common_pid != 7 && common_pid != 8 && (", 39), 0);
	assert_non_null(strstr(got, not_closed));
	assert_null(strstr(got, "=="));
}

static void nothing_is_filtered_without_need(void **state)
{
	(void)state;
	assert_null(trace_pid_filter(&(struct id_list){ 0 }));
	assert_null(trace_ring_filter(&(struct trace_selection){ 0 }, &(struct id_list){ 0 }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wanted_calls_are_listed),
		cmocka_unit_test(of_many_calls_the_others_are_listed),
		cmocka_unit_test(nothing_is_filtered_without_need),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
