/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "tools/trace/select-work.h"

struct selected {
	struct event_words typed;
	struct trace_selection s;
	struct diag diag;
};

static void selected_done(struct selected *x)
{
	event_words_done(&x->typed);
	trace_selection_done(&x->s);
	diag_done(&x->diag);
}

static int select_all(struct selected *x)
{
	return trace_select(&x->typed, CHOICE_UNSAID, &x->s, &x->diag);
}

static int select_one(struct selected *x, const char *expression)
{
	event_words_add(&x->typed, EVENT_WORD_EVENT, expression);
	return select_all(x);
}

static bool has(const struct selected *x, const char *name)
{
	return trace_set_has(x->s.wanted, SYSCALL_ABI_X86_64,
			     syscall_number(SYSCALL_ABI_X86_64, name));
}

static void without_words_all_calls_are_meant(void **state)
{
	_cleanup_(selected_done) struct selected x = { 0 };

	(void)state;
	assert_int_equal(select_all(&x), 0);
	assert_true(x.s.takes_calls);
	assert_false(x.s.names_calls);
	assert_true(has(&x, "read"));
}

static void names_patterns_and_groups_choose_calls_of_every_abi(void **state)
{
	_cleanup_(selected_done) struct selected x = { 0 };

	(void)state;
	assert_int_equal(select_one(&x, "epoll_*,read,%network"), 0);
	assert_true(x.s.takes_calls && x.s.names_calls);
	assert_true(has(&x, "epoll_wait"));
	assert_true(has(&x, "read"));
	assert_true(has(&x, "connect"));
	assert_false(has(&x, "openat"));
	assert_true(trace_set_has(x.s.wanted, SYSCALL_ABI_AARCH64,
				  syscall_number(SYSCALL_ABI_AARCH64, "read")));
	assert_int_equal(x.s.events.n, 0);
}

static void an_exclamation_mark_leaves_out(void **state)
{
	_cleanup_(selected_done) struct selected x = { 0 };
	_cleanup_(selected_done) struct selected y = { 0 };

	(void)state;
	assert_int_equal(select_one(&x, "trace=!read,open*"), 0);
	assert_false(has(&x, "read"));
	assert_false(has(&x, "openat"));
	assert_true(has(&x, "close"));
	assert_int_equal(select_one(&y, "%file,!openat"), 0);
	assert_true(has(&y, "unlink"));
	assert_false(has(&y, "openat"));
	assert_false(has(&y, "read"));
}

static void events_alone_switch_calls_off(void **state)
{
	_cleanup_(selected_done) struct selected x = { 0 };

	(void)state;
	assert_int_equal(select_one(&x, "net:*queue/nr=3,max-stack=16/,page-faults"), 0);
	assert_false(x.s.takes_calls);
	assert_int_equal(x.s.events.n, 2);
	assert_string_equal(x.s.events.items[0].text, "net:*queue/nr=3,max-stack=16/");
	/* Each page fault is shown. */
	assert_string_equal(x.s.events.items[1].text, "page-faults/period=1,name=page-faults/");
}

static void a_filter_is_for_the_calls_and_events_before_it(void **state)
{
	_cleanup_(selected_done) struct selected x = { 0 };

	(void)state;
	event_words_add(&x.typed, EVENT_WORD_EVENT, "close");
	event_words_add(&x.typed, EVENT_WORD_EVENT, "openat,a:b,c:d");
	event_words_add(&x.typed, EVENT_WORD_FILTER, "x > 1");
	assert_int_equal(select_all(&x), 0);
	assert_int_equal(x.s.events.n, 4);
	assert_int_equal(x.s.events.items[1].kind, EVENT_WORD_FILTER);
	assert_int_equal(x.s.events.items[3].kind, EVENT_WORD_FILTER);
	assert_int_equal(x.s.filters.n, 1);
	assert_true(trace_set_has(x.s.filters.items[0].wanted, SYSCALL_ABI_X86_64,
				  syscall_number(SYSCALL_ABI_X86_64, "openat")));
	assert_false(trace_set_has(x.s.filters.items[0].wanted, SYSCALL_ABI_X86_64,
				   syscall_number(SYSCALL_ABI_X86_64, "close")));
}

static void a_cgroup_before_events_is_for_calls_too(void **state)
{
	_cleanup_(selected_done) struct selected x = { 0 };
	_cleanup_(selected_done) struct selected y = { 0 };

	(void)state;
	event_words_add(&x.typed, EVENT_WORD_CGROUP, "A");
	event_words_add(&x.typed, EVENT_WORD_EVENT, "a:b");
	assert_int_equal(select_all(&x), 0);
	assert_string_equal(x.s.cgroup, "A");
	event_words_add(&y.typed, EVENT_WORD_EVENT, "a:b");
	event_words_add(&y.typed, EVENT_WORD_CGROUP, "A");
	assert_int_equal(select_all(&y), 0);
	assert_null(y.s.cgroup);
}

static void refuses(const char *expression, const char *part)
{
	_cleanup_(selected_done) struct selected x = { 0 };

	assert_int_equal(select_one(&x, expression), -EINVAL);
	assert_non_null(strstr(x.diag.message, part));
}

static void what_is_neither_call_nor_event_is_refused(void **state)
{
	_cleanup_(selected_done) struct selected x = { 0 };

	(void)state;
	refuses("opnat", "neither a system call nor an event");
	refuses("nosuch*", "neither a system call nor an event");
	refuses("read,,write", "a name is missing");
	refuses("", "a name is missing");
	refuses("!a:b", "leaves out system calls");
	assert_int_equal(select_one(&x, "opnat"), -EINVAL);
	assert_non_null(strstr(x.diag.hint, "'openat'"));
}

static void a_filter_without_a_subject_is_refused(void **state)
{
	_cleanup_(selected_done) struct selected x = { 0 };

	(void)state;
	event_words_add(&x.typed, EVENT_WORD_FILTER, "x > 1");
	assert_int_equal(select_all(&x), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_words_all_calls_are_meant),
		cmocka_unit_test(names_patterns_and_groups_choose_calls_of_every_abi),
		cmocka_unit_test(an_exclamation_mark_leaves_out),
		cmocka_unit_test(events_alone_switch_calls_off),
		cmocka_unit_test(a_filter_is_for_the_calls_and_events_before_it),
		cmocka_unit_test(a_cgroup_before_events_is_for_calls_too),
		cmocka_unit_test(what_is_neither_call_nor_event_is_refused),
		cmocka_unit_test(a_filter_without_a_subject_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
