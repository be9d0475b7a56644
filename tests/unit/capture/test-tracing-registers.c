/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "capture/tracing.h"

static const char format[] = "name: x\nID: 1\nformat:\n\tfield:u64 arg1;\toffset:16;\tsize:8;\n"
			     "\nprint fmt: \"(%lx) arg1=0x%Lx size=%u arg3=0x%Lx\", "
			     "REC->__probe_ip, REC->arg1, REC->size, REC->arg3\n";

/* Checks the first string of the print fmt, under the definitions @text. NULL: it is unchanged. */
static void assert_shows(const char *text, const char *expected)
{
	_cleanup_(freep) char *shown = probe_registers_show(format, "probe", "x", text);

	if (!expected) {
		assert_null(shown);
		return;
	}
	assert_non_null(shown);
	assert_memory_equal(shown, format, strstr(format, "\"(%lx)") - format);
	assert_non_null(strstr(shown, expected));
	assert_non_null(strstr(shown, "\", REC->__probe_ip, REC->arg1, REC->size, REC->arg3\n"));
}

static void a_register_without_a_name_is_shown_as_itself(void **state)
{
	(void)state;
	assert_shows("p:probe/x _text+12 arg1=%x0 size=%x1:u32 arg3=%x2:x64\n",
		     "(%lx) %%x0=0x%Lx size=%u %%x2=0x%Lx");
	assert_shows("p:probe/y a+0 arg1=%x9\np:probe/x _text+12 arg1=%di size=%si arg3=$stack",
		     "(%lx) %%di=0x%Lx size=%u arg3=0x%Lx");
}

static void what_has_a_name_or_is_no_register_stays(void **state)
{
	(void)state;
	assert_shows("p:probe/x _text+12 arg3=%x0 size=%x1 arg1=%x2", NULL);
	assert_shows("p:probe/x _text+12 arg1=+0(%x0) size=%x1 arg3=$retval", NULL);
	assert_shows("r8:probe/x _text+12 arg1=$retval", NULL);
	assert_shows("p:probe/x _text+12 arg1=%x0+8", NULL);
}

static void places_with_different_registers_show_none(void **state)
{
	(void)state;
	assert_shows("p:probe/x a+12 arg1=%x0 size=%x1 arg3=%x2\n"
		     "p:probe/x a+40 arg1=%x5 size=%x1 arg3=%x2\n",
		     "(%lx) arg1=0x%Lx size=%u %%x2=0x%Lx");
}

static void arguments_of_markers_are_their_authors(void **state)
{
	(void)state;
	assert_null(
		probe_registers_show(format, "sdt_app", "x", "p:sdt_app/x /a:0x1 arg1=%x0:u64"));
}

static void other_definitions_and_formats_are_passed_over(void **state)
{
	static const char *const texts[] = { "",
					     "\n\n",
					     ":",
					     "p:",
					     "p:probe/x",
					     "p:probe/x ",
					     "p:probe/xx a+0 arg1=%x0",
					     "p:probe/x a+0 arg1=%",
					     "p:probe/x a+0 =%x0",
					     "q\np:aprobe/x a+0 arg1=%x0" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_shows(texts[i], NULL);
	assert_null(probe_registers_show("no print", "probe", "x", "p:probe/x a+0 arg1=%x0"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_register_without_a_name_is_shown_as_itself),
		cmocka_unit_test(what_has_a_name_or_is_no_register_stays),
		cmocka_unit_test(places_with_different_registers_show_none),
		cmocka_unit_test(arguments_of_markers_are_their_authors),
		cmocka_unit_test(other_definitions_and_formats_are_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
