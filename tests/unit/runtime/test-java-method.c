/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "java-fake.h"

static void assert_number(const uint8_t *bytes, size_t n, bool is_new, uint32_t wanted)
{
	struct java_stream s = { bytes, bytes + n, is_new };
	uint32_t got;

	assert_true(java_stream_take(&s, &got));
	assert_int_equal(got, wanted);
	assert_ptr_equal(s.at, s.end);
}

static void assert_no_number(const uint8_t *bytes, size_t n, bool is_new)
{
	struct java_stream s = { bytes, bytes + n, is_new };
	uint32_t got;

	assert_false(java_stream_take(&s, &got));
}

static void numbers_have_one_to_five_bytes(void **state)
{
	(void)state;
	assert_number((const uint8_t[]){ 0 }, 1, false, 0);
	assert_number((const uint8_t[]){ 191 }, 1, false, 191);
	assert_number((const uint8_t[]){ 192, 0 }, 2, false, 192);
	assert_number((const uint8_t[]){ 192, 1 }, 2, false, 192 + 64);
	assert_number((const uint8_t[]){ 192, 192, 192, 192, 0 }, 5, false,
		      192 + (192 << 6) + (192 << 12) + (192 << 18));
	assert_number((const uint8_t[]){ 1 }, 1, true, 0);
	assert_number((const uint8_t[]){ 191 }, 1, true, 190);
	assert_number((const uint8_t[]){ 192, 1 }, 2, true, 191);
	assert_number((const uint8_t[]){ 193, 2 }, 2, true, 192 + 64);
}

static void numbers_that_are_cut_or_have_a_zero_are_none(void **state)
{
	(void)state;
	assert_no_number(NULL, 0, false);
	assert_no_number((const uint8_t[]){ 192 }, 1, false);
	assert_no_number((const uint8_t[]){ 255, 255, 255 }, 3, true);
	assert_no_number((const uint8_t[]){ 0 }, 1, true);
	assert_no_number((const uint8_t[]){ 192, 0 }, 2, true);
}

static struct runtime_code lines_of(const uint8_t *bytes, size_t n, bool is_new, uint32_t size)
{
	struct runtime_code c = { 0 };
	struct runtime_function *f = runtime_code_add(&c);

	f->size = size;
	java_lines_read(bytes, n, is_new, f);
	return c;
}

static void assert_line(const struct runtime_code *c, size_t i, uint32_t position, uint32_t line)
{
	assert_true(i < c->functions.items[0].lines.n);
	assert_int_equal(c->functions.items[0].lines.items[i].position, position);
	assert_int_equal(c->functions.items[0].lines.items[i].line, line);
}

static void lines_are_differences(void **state)
{
	/* 0: line 10; 3: line 12; 2: line 5; the rest is no part of it. */
	static const uint8_t old[] = { 0xff, 0, 20, 3 << 3 | 2, 0xff, 1, 13, 0, 1 << 3 | 1 };
	static const uint8_t new[] = { 0xff, 1, 21, 3 << 3 | 2, 0xff, 2, 14, 0, 1 << 3 | 1 };

	(void)state;
	for (int is_new = 0; is_new < 2; is_new++) {
		struct runtime_code c = lines_of(is_new ? new : old, sizeof(old), is_new, 20);

		assert_int_equal(c.functions.items[0].lines.n, 3);
		assert_line(&c, 0, 0, 10);
		assert_line(&c, 1, 3, 12);
		assert_line(&c, 2, 2, 5);
		runtime_code_done(&c);
	}
}

static void lines_end_where_they_make_no_sense(void **state)
{
	static const uint8_t behind[] = { 1 << 3 | 1, 19 << 3 | 1, 1 };
	static const uint8_t below[] = { 1 << 3 | 1, 0xff, 0, 9, 1 };
	static const uint8_t cut[] = { 1 << 3 | 1, 0xff, 192 };
	struct runtime_code c;

	(void)state;
	c = lines_of(behind, sizeof(behind), false, 20);
	assert_int_equal(c.functions.items[0].lines.n, 1);
	runtime_code_done(&c);
	c = lines_of(below, sizeof(below), false, 20);
	assert_int_equal(c.functions.items[0].lines.n, 1);
	runtime_code_done(&c);
	c = lines_of(cut, sizeof(cut), false, 20);
	assert_int_equal(c.functions.items[0].lines.n, 1);
	runtime_code_done(&c);
}

static int read_method(const struct fake_method *m, struct runtime_code *ret)
{
	*ret = (struct runtime_code){ 0 };
	return java_method_read(&fake_layout, getpid(), (uintptr_t)m->method,
				runtime_code_add(ret));
}

static void assert_named(const char *class_name, const char *file, const char *name_wanted,
			 const char *file_wanted)
{
	struct fake_method m;
	struct runtime_code c;

	fake_method_make(&m, class_name, "run", file, NULL, 0);
	assert_int_equal(read_method(&m, &c), 0);
	assert_string_equal(c.functions.items[0].name.chars, name_wanted);
	assert_string_equal(c.functions.items[0].file.chars, file_wanted);
	assert_int_equal(c.functions.items[0].size, 20);
	runtime_code_done(&c);
}

static void methods_are_named_with_package_and_class(void **state)
{
	(void)state;
	assert_named("Load", "Load.java", "Load.run", "Load.java");
	assert_named("java/lang/String", "String.java", "java.lang.String.run",
		     "java/lang/String.java");
	assert_named("a/B$$Lambda$1+0x0000000800c03000", "B.java",
		     "a.B$$Lambda$1/0x0000000800c03000.run", "a/B.java");
	assert_named("a/B$$Lambda$1/0x0000000800c03000", "B.java",
		     "a.B$$Lambda$1/0x0000000800c03000.run", "a/B.java");
}

static void lines_of_a_method_are_sorted(void **state)
{
	static const uint8_t lines[] = { 5 << 3 | 7, 0xff, 3, 1, 0 };
	struct fake_method m;
	struct runtime_code c;

	(void)state;
	fake_method_make(&m, "Load", "run", "Load.java", lines, sizeof(lines));
	assert_int_equal(read_method(&m, &c), 0);
	assert_int_equal(c.functions.items[0].lines.n, 2);
	assert_line(&c, 0, 3, 6);
	assert_line(&c, 1, 5, 7);
	runtime_code_done(&c);
}

static void assert_refused(const struct fake_method *m, int wanted)
{
	struct runtime_code c;

	assert_int_equal(read_method(m, &c), wanted);
	runtime_code_done(&c);
}

static void memory_that_is_no_method_is_refused(void **state)
{
	struct fake_method m;

	(void)state;
	fake_method_make(&m, "Load", "run", "Load.java", NULL, 0);
	m.method[1] = 0;
	assert_refused(&m, -EPROTO);
	m.method[1] = 4;
	assert_refused(&m, -EPROTO);
	m.method[1] = 8;
	assert_refused(&m, -EFAULT);

	/* A name that is another constant, or beyond the pool. */
	fake_method_make(&m, "Load", "run", "Load.java", NULL, 0);
	m.tags[4 + 1] = 7;
	assert_refused(&m, -EPROTO);
	fake_method_make(&m, "Load", "run", "Load.java", NULL, 0);
	fake_put(m.const_method, 34, 3, 2);
	assert_refused(&m, -EPROTO);
	fake_method_make(&m, "Load", "run", "Load.java", NULL, 0);
	fake_put(m.tags, 0, 4, 4);
	assert_refused(&m, -EPROTO);

	/* Lengths. */
	fake_method_make(&m, "Load", "run", "Load.java", NULL, 0);
	fake_put(m.name.bytes, 4, 0, 2);
	assert_refused(&m, -EPROTO);
	fake_put(m.name.bytes, 4, 0xffff, 2);
	assert_refused(&m, -EPROTO);
	fake_method_make(&m, "Load", "r\001n", "Load.java", NULL, 0);
	assert_refused(&m, -EPROTO);
	fake_method_make(&m, "Load", "run", "Load.java", (const uint8_t[]){ 9, 0 }, 2);
	fake_put(m.const_method, 24, 2, 4);
	assert_refused(&m, -EPROTO);
	fake_put(m.const_method, 24, 0xffffffff, 4);
	assert_refused(&m, -EPROTO);
}

static void the_check_word_depends_on_the_method(void **state)
{
	struct fake_method m;
	uint32_t first, second;

	(void)state;
	fake_method_make(&m, "Load", "run", "Load.java", NULL, 0);
	assert_int_equal(java_method_check(&fake_layout, getpid(), (uintptr_t)m.method, &first), 0);
	fake_put(m.const_method, 34, 2, 2);
	assert_int_equal(java_method_check(&fake_layout, getpid(), (uintptr_t)m.method, &second),
			 0);
	assert_int_not_equal(first, second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_one_to_five_bytes),
		cmocka_unit_test(numbers_that_are_cut_or_have_a_zero_are_none),
		cmocka_unit_test(lines_are_differences),
		cmocka_unit_test(lines_end_where_they_make_no_sense),
		cmocka_unit_test(methods_are_named_with_package_and_class),
		cmocka_unit_test(lines_of_a_method_are_sorted),
		cmocka_unit_test(memory_that_is_no_method_is_refused),
		cmocka_unit_test(the_check_word_depends_on_the_method),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
