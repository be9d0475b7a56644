/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "python-fake.h"

static void assert_fails(const struct fake_python *f, uint32_t version, int error)
{
	struct runtime_code c;

	assert_int_equal(fake_python_read(f, version, &c), error);
	runtime_code_done(&c);
}

static void assert_name(const struct fake_python *f, const char *name)
{
	struct runtime_code c;

	assert_int_equal(fake_python_read(f, 0x030b0000, &c), 0);
	assert_string_equal(c.functions.items[0].name.chars, name);
	runtime_code_done(&c);
}

/*
 * The tables of a function in the forms of the versions, and its lines by position as Python itself
 * reports them (co_lines(), before 3.10 dis.findlinestarts()). Line 0: there is none.
 */
static const struct {
	uint32_t version, first_line, size, n;
	const char *table;
	struct runtime_line lines[32];
} tables[] = {
	/* clang-format off */
/* Python 3.7 */
{ 0x03070000, 2, 70, 20,
"\x00\x01\x04\x01\x0e\x01\x06\x01\x0c\x7f\x00\x0f\x02\x01\x0a\x02\x08\x02\x02\x01",
{ { 0, 3 }, { 4, 4 }, { 18, 5 }, { 24, 6 }, { 36, 148 }, { 38, 149 }, { 48, 151 }, { 56, 153 }, { 58, 154 } } },
/* Python 3.9 */
{ 0x03090000, 2, 76, 38,
"\x00\x01\x04\x01\x0c\x01\x06\x01\x02\xff\x08\x7f\x00\x10\x02\x01\x0a\x02\x02\xfe"
		"\x06\x04\x02\x01\x02\xff\x04\xfc\x02\x04\x00\x01\x00\xff\x02\x01\x02\xff",
{ { 0, 3 }, { 4, 4 }, { 16, 5 }, { 22, 6 }, { 24, 5 }, { 32, 148 }, { 34, 149 }, { 44, 151 }, { 46, 149 }, { 52, 153 }, { 54, 154 }, { 56, 153 }, { 60, 149 }, { 62, 153 }, { 64, 154 }, { 66, 153 } } },
/* Python 3.10 */
{ 0x030a0000, 2, 72, 30,
"\x04\x01\x0c\x01\x06\x01\x02\x01\x08\xff\x00\x7f\x02\x10\x0a\x01\x02\x02\x06\xfe"
		"\x02\x04\x02\x01\x08\xff\x02\x01\x06\xff",
{ { 0, 3 }, { 4, 4 }, { 16, 5 }, { 22, 6 }, { 24, 5 }, { 32, 148 }, { 34, 149 }, { 44, 151 }, { 46, 149 }, { 52, 153 }, { 54, 154 }, { 56, 153 }, { 64, 154 }, { 66, 153 } } },
/* Python 3.11 */
{ 0x030b0000, 2, 182, 159,
"\xf8\x80\x00\xd8\x0c\x0d\x80\x45\xdd\x0d\x12\x90\x31\x89\x58\x8c\x58\xf0\x00\x02"
		"\x05\x18\xf0\x00\x02\x05\x18\x88\x01\xd8\x08\x0d\x95\x13\x90\x51\xd8\x15\x16\xf1"
		"\x03\x01\x12\x18\xf4\x00\x01\x12\x18\xf1\x00\x01\x09\x18\x88\x05\x88\x05\xf0\x5e"
		"\x04\x06\x05\x13\xf0\x02\x02\x10\x18\xf0\x00\x02\x10\x18\xf0\x00\x02\x10\x18\xf0"
		"\x00\x02\x10\x18\xe0\x10\x11\xf0\x05\x02\x10\x18\xf1\x00\x02\x10\x18\xf4\x00\x02"
		"\x10\x18\xf5\x08\x00\x09\x0e\xd8\x0c\x11\xf1\x03\x01\x09\x13\xf4\x00\x01\x09\x13"
		"\xf0\x00\x01\x09\x13\xf0\x00\x01\x09\x13\xf8\x8d\x05\xd8\x0c\x11\xf1\x03\x01\x09"
		"\x13\xf4\x00\x01\x09\x13\xf0\x00\x01\x09\x13\xf0\x00\x01\x09\x13\xf8\xf8\xf8",
{ { 0, 0 }, { 2, 2 }, { 4, 3 }, { 8, 4 }, { 42, 5 }, { 58, 6 }, { 60, 5 }, { 82, 148 }, { 84, 149 }, { 92, 151 }, { 94, 149 }, { 110, 153 }, { 122, 154 }, { 124, 153 }, { 142, 0 }, { 144, 153 }, { 156, 154 }, { 158, 153 }, { 176, 0 } } },
/* Python 3.13 */
{ 0x030d0000, 2, 192, 117,
"\x80\x00\xd8\x0c\x0d\x80\x45\xdc\x0d\x12\x90\x31\x8e\x58\x88\x01\xd8\x08\x0d\x94"
		"\x13\x90\x51\xd8\x15\x16\xf3\x03\x01\x12\x18\xf1\x00\x01\x09\x18\x8a\x05\xf1\x03"
		"\x00\x0e\x16\xf0\x60\x04\x06\x05\x13\xf1\x06\x00\x11\x12\xf3\x05\x02\x10\x18\xe1"
		"\x10\x11\xf0\x03\x00\x15\x16\xdc\x15\x16\xf7\x05\x00\x11\x16\xe1\x10\x11\xf1\x05"
		"\x02\x10\x18\xf4\x08\x00\x09\x0e\xd8\x0c\x11\xf5\x03\x01\x09\x13\xf9\xf2\x09\x02"
		"\x10\x18\xf8\xf4\x08\x00\x09\x0e\xd8\x0c\x11\xf5\x03\x01\x09\x13\xfa",
{ { 0, 2 }, { 2, 3 }, { 6, 4 }, { 34, 5 }, { 48, 6 }, { 50, 5 }, { 68, 4 }, { 72, 148 }, { 74, 151 }, { 78, 149 }, { 86, 151 }, { 90, 150 }, { 92, 151 }, { 102, 149 }, { 118, 151 }, { 122, 149 }, { 126, 153 }, { 136, 154 }, { 138, 153 }, { 150, 0 }, { 154, 149 }, { 160, 0 }, { 162, 153 }, { 172, 154 }, { 174, 153 }, { 186, 0 } } },

	/* clang-format on */
};

static uint32_t line_at(const struct runtime_line *lines, size_t n, uint32_t position)
{
	uint32_t line = 0;

	for (size_t i = 0; i < n && lines[i].position <= position; i++)
		line = lines[i].line;
	return line;
}

static void lines_are_those_that_python_reports(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		struct fake_python f;
		struct runtime_code c;
		size_t n = 1;

		fake_python_make(&f, tables[i].size);
		f.code.numbers[3] = tables[i].first_line;
		f.lines.size = tables[i].n;
		memcpy(f.lines.bytes, tables[i].table, tables[i].n);
		while (n < ARRAY_SIZE(tables[i].lines) && tables[i].lines[n].position)
			n++;
		assert_int_equal(fake_python_read(&f, tables[i].version, &c), 0);
		assert_int_equal(c.functions.items[0].size, tables[i].size);
		for (uint32_t at = 0; at < tables[i].size; at += 2) {
			uint32_t truth = line_at(tables[i].lines, n, at);

			if (truth)
				assert_int_equal(line_at(c.functions.items[0].lines.items,
							 c.functions.items[0].lines.n, at),
						 truth);
		}
		runtime_code_done(&c);
	}
}

static void tables_that_end_early_or_are_too_long_are_harmless(void **state)
{
	static const uint32_t versions[] = { 0x03070000, 0x03090000, 0x030a0000, 0x030b0000,
					     0x030d0000 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(versions); i++)
		for (unsigned byte = 0; byte < 256; byte += 5)
			for (unsigned n = 0; n < 40; n++) {
				struct fake_python f;
				struct runtime_code c;
				int r;

				fake_python_make(&f, 100);
				f.lines.size = n;
				memset(f.lines.bytes, (int)byte, n);
				r = fake_python_read(&f, versions[i], &c);
				assert_true(r == 0 || r == -ESTALE);
				for (size_t k = 0; k < c.functions.items[0].lines.n; k++)
					assert_in_range(
						c.functions.items[0].lines.items[k].position, 0,
						99);
				runtime_code_done(&c);
			}
}

static void names_are_of_the_file(void **state)
{
	struct fake_python f;

	(void)state;
	fake_python_make(&f, 100);
	assert_name(&f, "app.py:Server.run");
	f.file = fake_python_text("/srv/json/__init__.py");
	assert_name(&f, "json/__init__.py:Server.run");
	f.file = fake_python_text("app.py");
	assert_name(&f, "app.py:Server.run");
	f.file = fake_python_text("");
	assert_name(&f, ":Server.run");
}

static void code_that_is_of_no_file_is_brief(void **state)
{
	struct fake_python f;
	struct runtime_code c;

	(void)state;
	fake_python_make(&f, 100);
	f.file = fake_python_text("<string>");
	assert_int_equal(fake_python_read(&f, 0x030b0000, &c), 0);
	assert_true(c.is_brief);
	runtime_code_done(&c);
	f.file = fake_python_text("<frozen importlib>");
	assert_int_equal(fake_python_read(&f, 0x030b0000, &c), 0);
	assert_false(c.is_brief);
	runtime_code_done(&c);
}

static void texts_have_one_two_or_four_bytes_a_character(void **state)
{
	static const uint16_t two[] = { 's', 0xe9, 0x20ac };
	static const uint32_t four[] = { 's', 0x1f40d };
	struct fake_python f;

	(void)state;
	fake_python_make(&f, 100);
	f.name.state = FAKE_TEXT_WIDE(1);
	f.name.length = 2;
	memcpy(f.name.characters, "\xe9z", 2);
	assert_name(&f, "app.py:\xc3\xa9z");
	f.name.state = FAKE_TEXT_WIDE(2);
	f.name.length = 3;
	memcpy(f.name.characters, two, sizeof(two));
	assert_name(&f, "app.py:s\xc3\xa9\xe2\x82\xac");
	f.name.state = FAKE_TEXT_WIDE(4);
	f.name.length = 2;
	memcpy(f.name.characters, four, sizeof(four));
	assert_name(&f, "app.py:s\xf0\x9f\x90\x8d");
}

static void texts_that_are_none_are_refused(void **state)
{
	static const uint32_t states[] = { 0, FAKE_TEXT_WIDE(0), FAKE_TEXT_WIDE(3),
					   FAKE_TEXT_WIDE(7), 1 << 2 };
	struct fake_python f;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		fake_python_make(&f, 100);
		f.name.state = states[i];
		assert_fails(&f, 0x030b0000, -EPROTO);
	}
	fake_python_make(&f, 100);
	f.name.type = 0;
	assert_fails(&f, 0x030b0000, -ESTALE);
	fake_python_make(&f, 100);
	f.file.length = 1025;
	assert_fails(&f, 0x030b0000, -EPROTO);
	f.file.length = UINT64_MAX;
	assert_fails(&f, 0x030b0000, -EPROTO);
	f.file.length = UINT64_MAX / 4 + 2;
	f.file.state = FAKE_TEXT_WIDE(4);
	assert_fails(&f, 0x030b0000, -EPROTO);
	fake_python_make(&f, 100);
	f.code.name = (const struct text_object *)(uintptr_t)0xffff888000001000;
	assert_fails(&f, 0x030b0000, -EFAULT);
}

static void lengths_that_make_no_sense_are_refused(void **state)
{
	struct fake_python f;

	(void)state;
	fake_python_make(&f, 100);
	f.lines.size = UINT64_MAX;
	assert_fails(&f, 0x030b0000, -EPROTO);
	f.lines.size = (4 << 20) + 1;
	assert_fails(&f, 0x030b0000, -EPROTO);
	fake_python_make(&f, 100);
	f.code.size = 0;
	assert_fails(&f, 0x030b0000, -EPROTO);
	f.code.size = UINT32_MAX;
	assert_fails(&f, 0x030b0000, -EPROTO);
	fake_python_make(&f, 100);
	f.bytes.size = UINT64_MAX;
	assert_fails(&f, 0x03090000, -EPROTO);
	fake_python_make(&f, 100);
	f.bytes.type = 0;
	assert_fails(&f, 0x03090000, -ESTALE);
	fake_python_make(&f, 100);
	f.lines.type = 0;
	assert_fails(&f, 0x03090000, -ESTALE);
}

static void another_object_at_the_same_address_is_noticed(void **state)
{
	const struct runtime_process p = fake_python_process(0x030b0000);
	struct fake_python f;
	struct runtime_code c;
	uint64_t frame[2];

	(void)state;
	fake_python_make(&f, 100);
	fake_python_frame(&p, &f, frame);
	f.code.numbers[3]++;
	assert_int_equal(runtime_code_read(&p, getpid(), frame, &c), -ESTALE);
	runtime_code_done(&c);
	f.code.numbers[3]--;
	f.code.type = 0;
	assert_int_equal(runtime_code_read(&p, getpid(), frame, &c), -ESTALE);
	runtime_code_done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_those_that_python_reports),
		cmocka_unit_test(tables_that_end_early_or_are_too_long_are_harmless),
		cmocka_unit_test(names_are_of_the_file),
		cmocka_unit_test(code_that_is_of_no_file_is_brief),
		cmocka_unit_test(texts_have_one_two_or_four_bytes_a_character),
		cmocka_unit_test(texts_that_are_none_are_refused),
		cmocka_unit_test(lengths_that_make_no_sense_are_refused),
		cmocka_unit_test(another_object_at_the_same_address_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
