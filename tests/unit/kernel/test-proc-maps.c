/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <sys/mman.h>

#include "kernel/proc-maps.h"

static struct proc_map parse_one(const char *line)
{
	size_t length = strlen(line);
	struct proc_map m;

	assert_true(proc_maps_next(&line, &length, &m));
	assert_int_equal(length, 0);
	return m;
}

static void assert_name(const struct proc_map *m, const char *name)
{
	assert_int_equal(m->name_length, strlen(name));
	assert_memory_equal(m->name, name, m->name_length);
}

static void a_line_is_read_whole(void **state)
{
	struct proc_map m = parse_one("aaaaac5d8000-aaaaac5d9000 r-xp 0001f000 fe:1a 10125515     "
				      "               /tmp/a b\n");

	(void)state;
	assert_int_equal(m.start, 0xaaaaac5d8000);
	assert_int_equal(m.end, 0xaaaaac5d9000);
	assert_int_equal(m.prot, PROT_READ | PROT_EXEC);
	assert_int_equal(m.flags, MAP_PRIVATE);
	assert_int_equal(m.pgoff, 0x1f000);
	assert_int_equal(m.maj, 0xfe);
	assert_int_equal(m.min, 0x1a);
	assert_int_equal(m.ino, 10125515);
	assert_name(&m, "/tmp/a b");
}

static void anonymous_memory_has_no_name(void **state)
{
	struct proc_map m = parse_one("1000-2000 rw-s 00000000 00:00 0 \n");

	(void)state;
	assert_int_equal(m.flags, MAP_SHARED);
	assert_int_equal(m.prot, PROT_READ | PROT_WRITE);
	assert_name(&m, "");
}

static void the_last_line_needs_no_newline(void **state)
{
	struct proc_map m = parse_one("1000-2000 --xp 00000000 00:00 0 [vdso]");

	(void)state;
	assert_name(&m, "[vdso]");
}

static void addresses_may_fill_a_word(void **state)
{
	struct proc_map m =
		parse_one("ffffffffff600000-ffffffffffffffff --xp ffffffff 00:00 0 [vsyscall]\n");

	(void)state;
	assert_int_equal(m.end, UINT64_MAX);
}

static void lines_of_another_form_are_passed_over(void **state)
{
	const char *text = "\n"
			   "hello\n"
			   "1000 2000 r-xp 0 00:00 0 /a\n"
			   "2000-1000 r-xp 00000000 00:00 0 /backwards\n"
			   "1000-2000 r-x\n"
			   "1000-2000 r-xp 00000000 0000 0 /b\n"
			   "1000-2000 r-xp 00000000 00:00 f /c\n"
			   "3000-4000 r-xp 00000000 00:00 7 /good\n"
			   "-";
	size_t length = strlen(text);
	struct proc_map m;

	(void)state;
	assert_true(proc_maps_next(&text, &length, &m));
	assert_name(&m, "/good");
	assert_false(proc_maps_next(&text, &length, &m));
}

static void nothing_is_no_line(void **state)
{
	const char *text = "";
	size_t length = 0;
	struct proc_map m;

	(void)state;
	assert_false(proc_maps_next(&text, &length, &m));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_read_whole),
		cmocka_unit_test(anonymous_memory_has_no_name),
		cmocka_unit_test(the_last_line_needs_no_newline),
		cmocka_unit_test(addresses_may_fill_a_word),
		cmocka_unit_test(lines_of_another_form_are_passed_over),
		cmocka_unit_test(nothing_is_no_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
