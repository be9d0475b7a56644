/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "bpf/refusal.h"

static void the_complaint_and_the_last_line_are_found(void **state)
{
	struct bpf_refusal r = bpf_refusal_read("0: R1=ctx() R10=fp0\n; int a;\n0: (b7) r0 = 0\n"
						"; return *p; @ x.c:7\nR0 !read_ok\n"
						"processed 1 insns\nstack depth 8\n");

	(void)state;
	assert_int_equal(r.complaint_length, strlen("R0 !read_ok"));
	assert_memory_equal(r.complaint, "R0 !read_ok", r.complaint_length);
	assert_int_equal(r.line_length, strlen("return *p; @ x.c:7"));
	r = bpf_refusal_read("");
	assert_int_equal(r.complaint_length, 0);
	assert_null(r.line);
}

static void expect(const char *log, const char *text, const char *message, const char *hint)
{
	struct diag diag = { 0 };

	assert_int_equal(bpf_refusal_explain(-EACCES, log, "x.c", text, &diag), -EACCES);
	assert_string_equal(diag.message, message);
	assert_string_equal(diag.hint, hint);
	diag_done(&diag);
}

static void the_line_of_the_source_is_told(void **state)
{
	(void)state;
	expect("; return *p; @ x.c:7\nR0 !read_ok\n", NULL,
	       "x.c: the kernel refuses the program at x.c:7: R0 !read_ok",
	       "The line is: return *p;");
	/* Kernels before 6.8 write its text alone. */
	expect("; return *p;\nR0 !read_ok\n", "int f(void)\n{\n\treturn *p;\n}\n",
	       "x.c:3: the kernel refuses the program here: R0 !read_ok",
	       "The line is: return *p;");
	expect("; return *p;\nR0 !read_ok\n", NULL,
	       "x.c: the kernel refuses the program: R0 !read_ok", "The line is: return *p;");
	expect("R0 !read_ok\n", "text", "x.c: the kernel refuses the program: R0 !read_ok",
	       "Compile it with -g to see the line of the source.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_complaint_and_the_last_line_are_found),
		cmocka_unit_test(the_line_of_the_source_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
