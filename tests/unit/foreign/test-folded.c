/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
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
	refused("a;b 1\na;b\n", 10, "line 2 does not end in a count");
	refused("a;b 1\na\0b 1\n", 12, "line 2 has a NUL byte");
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
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_become_stacks),
		cmocka_unit_test(what_is_wrong_has_its_line),
		cmocka_unit_test(the_first_line_tells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
