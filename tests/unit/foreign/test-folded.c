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
#include "base/cleanup.h"
#include "foreign/format.h"
#include "foreign/stack-profile.h"

static int read_text(const char *text, size_t n, struct stack_profile *p, struct diag *diag)
{
	return format_folded.read(text, n, p, diag);
}

static const char *function_at(const struct stack_profile *p, uint32_t stack)
{
	return p->frames.items[p->stacks.items[stack].frame].function;
}

static void lines_become_stacks(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	static const char text[] = "# comment\n\nsh;main;read_[k] 3\nsh;main;f_[i] 4\nls;main 5";
	const struct profile_weight *w;

	(void)state;
	assert_int_equal(read_text(text, strlen(text), p, &diag), 0);
	assert_int_equal(p->weights.n, 3);
	assert_int_equal(p->tasks.n, 2);
	w = p->weights.items;
	assert_int_equal(w[0].samples, 3);
	assert_string_equal(function_at(p, w[0].stack), "read");
	assert_true(p->images.items[p->frames.items[p->stacks.items[w[0].stack].frame].image]
			    .is_kernel);
	assert_string_equal(function_at(p, w[1].stack), "f");
	assert_true(p->frames.items[p->stacks.items[w[1].stack].frame].is_inlined);
	assert_int_equal(p->stacks.items[w[0].stack].parent, p->stacks.items[w[1].stack].parent);
	assert_int_equal(w[2].samples, 5);
	assert_string_equal(p->tasks.items[w[2].task].comm, "ls");
	assert_int_equal(w[2].stack, p->stacks.items[w[0].stack].parent);
}

static void refused(const char *text, size_t n, const char *why)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(read_text(text, n, p, &diag), -EBADMSG);
	assert_string_equal(diag.message, why);
}

static void what_is_wrong_has_its_line(void **state)
{
	(void)state;
	refused("a;b 1\na;b\nx\n", 12, "line 2 is no stack: it does not end in a count");
	refused("a;b 1\na\0b 1\nx\n", 14, "line 2 is no stack: it has a NUL byte");
}

static void few_bad_lines_are_left_out(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(read_text("a;b 1\nhello\na;c 2\n", 18, p, &diag), 0);
	assert_int_equal(p->weights.n, 2);
	assert_string_equal(p->remark, "1 of 3 lines are left out: line 2 because it does not end "
				       "in a count");
}

static bool is_it(const char *text)
{
	return format_folded.is_it(text, strlen(text));
}

static void the_first_line_tells(void **state)
{
	(void)state;
	assert_true(is_it("a;b 1\n"));
	assert_true(is_it("a;b 1 \r\nc"));
	assert_false(is_it("a;b\n"));
	assert_false(is_it("a 1\n"));
	assert_false(is_it("a;b 1"));
	assert_false(is_it(""));
	assert_true(is_it("# made by a tool\n\na;b 1\n"));
	assert_true(is_it("hello\na;b 1\na;c 1\n"));
	assert_false(is_it("hello\nworld\na;b 1\n"));
}

static const struct profile_frame *frame_at(const struct stack_profile *p, size_t weight)
{
	return &p->frames.items[p->stacks.items[p->weights.items[weight].stack].frame];
}

/* Checks the name, image and kind of the one frame of "sh;@frame 1". */
static void assert_frame(const char *frame, const char *function, bool is_kernel, bool is_inlined)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	char line[100];
	int n = snprintf(line, sizeof(line), "sh;%s 1\n", frame);

	assert_int_equal(read_text(line, (size_t)n, p, &diag), 0);
	assert_int_equal(p->weights.n, 1);
	assert_string_equal(frame_at(p, 0)->function, function);
	assert_int_equal(p->images.items[frame_at(p, 0)->image].is_kernel, is_kernel);
	assert_int_equal(frame_at(p, 0)->is_inlined, is_inlined);
}

static void endings_say_what_a_function_is(void **state)
{
	(void)state;
	assert_frame("main", "main", false, false);
	assert_frame("read_[k]", "read", true, false);
	assert_frame("f_[i]", "f", false, true);
	assert_frame("f_[i]_[k]", "f", true, true);
	assert_frame("jitted_[j]", "jitted", false, false);
	assert_frame("woken_[w]", "woken", false, false);
	assert_frame("x_[w]_[j]", "x_[w]", false, false);
	assert_frame("x_[j]_[k]", "x_[j]", true, false);
	assert_frame("x_[j]_[i]", "x_[j]", false, true);
	assert_frame("_[k]", "_[k]", false, false);
	assert_frame("a_[k", "a_[k", false, false);
}

static void tasks_are_numbered_from_1(void **state)
{
	static const char text[] = "# comment\nsh;a 1\n   \nls;a 2\nsh;b 3\nnone;a 0\nalone 4\n";
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(read_text(text, strlen(text), p, &diag), 0);
	assert_null(p->remark);
	assert_int_equal(p->tasks.n, 3);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(p->tasks.items[i].pid, i + 1);
		assert_int_equal(p->tasks.items[i].tid, i + 1);
	}
	assert_string_equal(p->tasks.items[2].comm, "alone");
	assert_int_equal(p->weights.n, 4);
	assert_int_equal(p->weights.items[2].task, 0);
	assert_int_equal(p->weights.items[3].stack, STACK_PROFILE_ROOT);
	assert_int_equal(p->weights.items[3].period, 4);
	assert_true(p->weights.items[3].cpu == UINT32_MAX);
	assert_int_equal(p->events.n, 1);
	assert_string_equal(p->events.items[0].name, "samples");
	assert_false(p->events.items[0].is_time);
}

static void as_many_bad_lines_as_good_ones_are_few(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(read_text("a;b 1\nx\ny\na;b 1", 15, p, &diag), 0);
	assert_string_equal(p->remark, "2 of 4 lines are left out: line 2 because it does not end "
				       "in a count");
	refused("\n#\nx\ny\na;b 1", 13, "line 3 is no stack: it does not end in a count");
}

static void sixteen_lines_tell(void **state)
{
	char text[300] = "";

	(void)state;
	for (int i = 0; i < 8; i++)
		strcat(text, "hello\n");
	for (int i = 0; i < 7; i++)
		strcat(text, "a;b 1\n");
	assert_false(is_it(text));
	strcat(text, "a;b 1\n");
	assert_true(is_it(text));
	strcat(text, "hello\nhello\n");
	assert_true(is_it(text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_become_stacks),
		cmocka_unit_test(what_is_wrong_has_its_line),
		cmocka_unit_test(few_bad_lines_are_left_out),
		cmocka_unit_test(the_first_line_tells),
		cmocka_unit_test(endings_say_what_a_function_is),
		cmocka_unit_test(tasks_are_numbered_from_1),
		cmocka_unit_test(as_many_bad_lines_as_good_ones_are_few),
		cmocka_unit_test(sixteen_lines_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
