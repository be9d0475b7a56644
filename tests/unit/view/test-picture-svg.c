/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "printed.h"
#include "view/picture/svg.h"

static void elements_nest_and_empty_ones_are_short(void **state)
{
	struct printed p;
	struct svg s;

	(void)state;
	printed_open(&p);
	svg_init(&s, p.out);
	svg_document(&s);
	svg_line(&s);
	svg_open(&s, "g");
	svg_open(&s, "rect");
	svg_close(&s);
	svg_element(&s, "title", "x");
	svg_close(&s);
	svg_close(&s);
	assert_int_equal(svg_done(&s), 0);
	assert_printed(&p, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			   "<svg xmlns=\"http://www.w3.org/2000/svg\">\n"
			   "<g><rect/><title>x</title></g></svg>");
}

static void attributes_and_texts_are_escaped(void **state)
{
	struct printed p;
	struct svg s;

	(void)state;
	printed_open(&p);
	svg_init(&s, p.out);
	svg_open(&s, "text");
	svg_attr(&s, "class", "a\"b<");
	svg_text(&s, "x < y & ]]>\x1b");
	svg_text_bytes(&s, "cut off", 3);
	svg_close(&s);
	assert_int_equal(svg_done(&s), 0);
	assert_printed(&p, "<text class=\"a&quot;b&lt;\">x &lt; y &amp; ]]&gt;\\x1bcut</text>");
}

static void numbers_are_short(void **state)
{
	struct printed p;
	struct svg s;

	(void)state;
	printed_open(&p);
	svg_init(&s, p.out);
	svg_open(&s, "rect");
	svg_attr_unsigned(&s, "a", UINT64_MAX);
	svg_attr_signed(&s, "b", INT64_MIN);
	svg_attr_decimal(&s, "c", 12.50, 2);
	svg_attr_decimal(&s, "d", -0.004, 2);
	svg_close(&s);
	assert_int_equal(svg_done(&s), 0);
	assert_printed(&p, "<rect a=\"18446744073709551615\" b=\"-9223372036854775808\" "
			   "c=\"12.5\" d=\"0\"/>");
}

static void scripts_are_verbatim(void **state)
{
	struct printed p;
	struct svg s;

	(void)state;
	printed_open(&p);
	svg_init(&s, p.out);
	svg_verbatim(&s, "script", "a < b && c\n", 11);
	assert_int_equal(svg_done(&s), 0);
	assert_printed(&p, "<script><![CDATA[\na < b && c\n]]></script>\n");
}

static void a_large_picture_reaches_the_stream_whole(void **state)
{
	struct printed p;
	struct svg s;

	(void)state;
	printed_open(&p);
	svg_init(&s, p.out);
	svg_open(&s, "g");
	for (size_t i = 0; i < 100000; i++) {
		svg_open(&s, "rect");
		svg_close(&s);
	}
	svg_close(&s);
	assert_int_equal(svg_done(&s), 0);
	fflush(p.out);
	assert_int_equal(p.size, strlen("<g></g>") + 100000 * strlen("<rect/>"));
	fclose(p.out);
	free(p.text);
}

static void a_full_disk_is_told(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	struct svg s;

	(void)state;
	assert_non_null(full);
	setvbuf(full, NULL, _IONBF, 0);
	svg_init(&s, full);
	svg_element(&s, "title", "x");
	assert_int_equal(svg_done(&s), -ENOSPC);
	fclose(full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_nest_and_empty_ones_are_short),
		cmocka_unit_test(attributes_and_texts_are_escaped),
		cmocka_unit_test(numbers_are_short),
		cmocka_unit_test(scripts_are_verbatim),
		cmocka_unit_test(a_large_picture_reaches_the_stream_whole),
		cmocka_unit_test(a_full_disk_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
