/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "flame-sample.h"
#include "view/picture/flame-data.h"
#include "view/picture/flame-layout.h"
#include "view/picture/flame-svg.h"

static const struct flame_picture picture = {
	.title = "\"<t>\"",
	.count_name = "samples",
	.before = "old",
	.after = "new",
};

static void assert_has(const struct flame *f, double least, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(flame_layout_done) struct flame_layout l;

	flame_layout_init(&l, f, least);
	flame_data_add(&t, &l, &picture);
	if (!strstr(t.chars, expected))
		fail_msg("%s is not in %s", expected, t.chars);
}

static void the_columns_are_those_of_the_boxes_that_are_drawn(void **state)
{
	_cleanup_(flame_freep) struct flame *f = FLAME_OF("sh;a 1", "sh;b;c 59", "sh 10",
							  "zz;a 30");

	(void)state;
	assert_has(f, 0.02, "{\"version\":1,\"title\":\"\\\"<t>\\\"\",\"count\":\"samples\"");
	assert_has(f, 0.02, "\"icicle\":false,\"comparison\":false,\"kinds\":[\"all\",");
	assert_has(f, 0.02, "\"objects\":[\"\",\"prog\"],\"object\":[0,0,1,1,0,1]");
	assert_has(f, 0.02, "\"depth\":[0,1,2,3,1,2],\"kind\":[0,1,2,2,1,2]");
	/* The box that is left out was before b. */
	assert_has(f, 0.02,
		   "\"after\":{\"gap\":[0,0,1,0,0,0],\"total\":[100,70,59,59,30,30],"
		   "\"self\":[0,10,0,59,0,30]}}");
}

static void a_comparison_has_both_sides_and_the_changes(void **state)
{
	_cleanup_(flame_freep) struct flame *f = FLAME_COMPARED("a 100", "-a 50", "-b 1", "-c 49");

	(void)state;
	f->boxes[3].change = FLAME_LESS;
	assert_has(f, 0.1, "\"comparison\":true,\"beforeName\":\"old\",\"afterName\":\"new\"");
	assert_has(f, 0.1, "\"after\":{\"gap\":[0,0,0],\"total\":[100,100,0]");
	assert_has(f, 0.1,
		   "\"before\":{\"gap\":[0,0,1],\"total\":[100,50,49],\"self\":[0,50,49]},"
		   "\"change\":[0,0,2]}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_columns_are_those_of_the_boxes_that_are_drawn),
		cmocka_unit_test(a_comparison_has_both_sides_and_the_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
