/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "probe/trace-probe.h"

static struct trace_probe parse(const char *line, bool is_user)
{
	struct trace_probe p = { 0 };

	if (trace_probe_parse(line, is_user, &p) < 0)
		fail_msg("not understood: %s", line);
	return p;
}

#define KERNEL(line) parse(line, false)
#define USER(line)   parse(line, true)

static void a_probe_of_the_kernel_is_read(void **state)
{
	_cleanup_(trace_probe_done) struct trace_probe p =
		KERNEL("p:probe/tcp_sendmsg _text+9363872 size=%x2:u64");

	(void)state;
	assert_string_equal(p.group, "probe");
	assert_string_equal(p.event, "tcp_sendmsg");
	assert_string_equal(p.symbol, "_text");
	assert_int_equal(p.offset, 9363872);
	assert_null(p.module);
	assert_false(p.is_return);
	assert_int_equal(p.n_args, 1);
	assert_string_equal(p.args[0].name, "size");
	assert_string_equal(p.args[0].value, "%x2");
	assert_string_equal(p.args[0].type, "u64");
}

static void the_kernel_adds_how_many_returns_are_followed(void **state)
{
	_cleanup_(trace_probe_done) struct trace_probe p =
		KERNEL("r10:probe/vfs_read__return _stext+3764064 arg1=$retval");

	(void)state;
	assert_true(p.is_return);
	assert_int_equal(p.max_active, 10);
	assert_string_equal(p.args[0].value, "$retval");
	assert_null(p.args[0].type);
}

static void a_symbol_may_be_of_a_module_and_without_an_offset(void **state)
{
	_cleanup_(trace_probe_done) struct trace_probe p = KERNEL("p:probe/lo loop:lo_ioctl");

	(void)state;
	assert_string_equal(p.module, "loop");
	assert_string_equal(p.symbol, "lo_ioctl");
	assert_int_equal(p.offset, 0);
}

static void an_address_is_no_symbol(void **state)
{
	_cleanup_(trace_probe_done) struct trace_probe p = KERNEL("p:probe/x 0xffff800008b1f420");

	(void)state;
	assert_null(p.symbol);
	assert_true(p.offset == 0xffff800008b1f420);
}

static void a_probe_of_a_program_has_a_path_and_an_offset(void **state)
{
	_cleanup_(trace_probe_done) struct trace_probe p =
		USER("p:probe_x/f /opt/a:b/x:0x0000000000092240 a=+0(+8(%x0)):string");

	(void)state;
	assert_string_equal(p.path, "/opt/a:b/x");
	assert_int_equal(p.offset, 0x92240);
	assert_int_equal(p.counter, 0);
	assert_string_equal(p.args[0].value, "+0(+8(%x0))");
	assert_string_equal(p.args[0].type, "string");
}

static void a_counter_stands_in_parentheses(void **state)
{
	_cleanup_(trace_probe_done) struct trace_probe p =
		USER("p:sdt_app/tick /bin/app:0x828(0x20014) arg1=\\-3:s32");

	(void)state;
	assert_int_equal(p.offset, 0x828);
	assert_int_equal(p.counter, 0x20014);
	assert_string_equal(p.args[0].value, "\\-3");
}

static void what_is_read_is_written_again(void **state)
{
	static const struct {
		const char *line;
		bool is_user;
	} lines[] = {
		{ "p:probe/tcp_sendmsg tcp_sendmsg+8 size=%x2:x64", false },
		{ "r:probe/tcp_sendmsg__return tcp_sendmsg+0 $retval", false },
		{ "p:probe/lo loop:lo_ioctl+4 %x0 b=%x1", false },
		{ "p:probe/x 0xffff800008b1f420", false },
		{ "p:probe_libc/malloc /usr/lib/libc.so.6:0x92240", true },
		{ "p:sdt_app/tick /bin/app:0x828(0x20014) arg1=%x0:s32", true },
		{ "p:k/bits f+0 a=+4(%x0):b3@0/32 c=%x1:x32[4]", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		_cleanup_(trace_probe_done) struct trace_probe p = parse(lines[i].line,
									 lines[i].is_user);
		_cleanup_(freep) char *text = trace_probe_text(&p);

		assert_string_equal(text, lines[i].line);
	}
}

static void what_is_no_probe_is_refused(void **state)
{
	static const char *const kernel[] = {
		"",
		"p",
		"p:probe/x",
		"x:probe/x f",
		"p:probe f",
		"p:/x f",
		"p:probe/ f",
		"p:a/b/c f",
		"px:probe/x f",
		"p:probe/x :f",
		"p:probe/x m:",
		"p:probe/x +4",
		"p:probe/x f+many",
		"p:probe/x 0xzz",
		"p:probe/x f =%x0",
		"p:probe/x f a=",
		"p:probe/x f a=:u8",
	};
	static const char *const user[] = {
		"p:probe/x /bin/x",        "p:probe/x :0x10",          "p:probe/x /bin/x:",
		"p:probe/x /bin/x:0x1(",   "p:probe/x /bin/x:0x1(0x2", "p:probe/x /bin/x:0x1()",
		"p:probe/x /bin/x:0x1(a)",
	};
	struct trace_probe p = { .offset = 7 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(kernel); i++)
		assert_int_equal(trace_probe_parse(kernel[i], false, &p), -EINVAL);
	for (size_t i = 0; i < ARRAY_SIZE(user); i++)
		assert_int_equal(trace_probe_parse(user[i], true, &p), -EINVAL);
	assert_int_equal(p.offset, 7); /* untouched */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_probe_of_the_kernel_is_read),
		cmocka_unit_test(the_kernel_adds_how_many_returns_are_followed),
		cmocka_unit_test(a_symbol_may_be_of_a_module_and_without_an_offset),
		cmocka_unit_test(an_address_is_no_symbol),
		cmocka_unit_test(a_probe_of_a_program_has_a_path_and_an_offset),
		cmocka_unit_test(a_counter_stands_in_parentheses),
		cmocka_unit_test(what_is_read_is_written_again),
		cmocka_unit_test(what_is_no_probe_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
