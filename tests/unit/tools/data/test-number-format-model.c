/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "tools/data/number-format-model.h"

static void check(const char *print_fmt, const char *name, uint64_t value, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct number_format f = number_format_find(print_fmt, name);

	if (f.conversion)
		number_format_add(&t, &f, value);
	assert_string_equal(t.chars, expected);
}

static void fields_are_written_as_the_text_has_them(void **state)
{
	static const char wakeup[] = "\"comm=%s pid=%d target_cpu=%03d\", REC->comm, REC->pid, "
				     "REC->target_cpu";
	static const char write[] = "\"fd: 0x%08lx, buf: 0x%08lx\", ((unsigned long)(REC->fd)), "
				    "((unsigned long)(REC->buf))";

	(void)state;
	check(wakeup, "target_cpu", 1, "001");
	check(wakeup, "pid", (uint64_t)-1, "-1");
	check(write, "fd", 1, "0x00000001");
	check(write, "buf", 0xaaaaf715ca50, "0xaaaaf715ca50");
	check("\"0x%lx\", REC->ret", "ret", 16, "0x10");
	check("\"a=%lx\" \" b=%p%%\", REC->a, REC->b", "a", 255, "ff");
	check("\"a=%lx\" \" b=%p%%\", REC->a, REC->b", "b", 0, "(nil)");
	check("\"a=%x\", REC->a", "a", (uint64_t)-1, "ffffffff");
}

static void other_fields_have_none(void **state)
{
	(void)state;
	check("\"%s %pS %d\", REC->a, REC->b, REC->c & 7", "a", 1, "");
	check("\"%s %pS %d\", REC->a, REC->b, REC->c & 7", "b", 1, "");
	check("\"%s %pS %d\", REC->a, REC->b, REC->c & 7", "c", 1, "");
	check("\"%*d\", REC->w, REC->a", "a", 1, "");
	check("\"%d\", REC->ab", "a", 1, "");
	check("\"%d", "a", 1, "");
	check("\"%d\"", "a", 1, "");
	check("", "a", 1, "");
	check("\"%\", REC->a", "a", 1, "");
	check("\"%00000000000000000000000000000d\", REC->a", "a", 1, "");
	check("\"%d\", (REC->", "a", 1, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_written_as_the_text_has_them),
		cmocka_unit_test(other_fields_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
