/* SPDX-License-Identifier: MIT */
#include "example-page.h"

static void texts_are_kept_once(void **state)
{
	_cleanup_(page_done) struct page p;
	char a[] = "name", b[] = "name";

	(void)state;
	page_init(&p);
	assert_ptr_equal(page_text(&p, a), page_text(&p, b));
	assert_int_equal(p.nodes.n, 1);
	assert_string_equal(p.objects.items[0], "");
}

static void facts_and_remarks_are_copied(void **state)
{
	_cleanup_(page_done) struct page p;
	char text[] = "box";

	(void)state;
	page_init(&p);
	page_add_fact(&p, "hostname", text);
	page_add_remark(&p, PAGE_WARNING, text, NULL);
	text[0] = '?';
	assert_string_equal(p.header.items[0].text, "box");
	assert_string_equal(p.quality.items[0].text, "box");
	assert_null(p.quality.items[0].help);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_kept_once),
		cmocka_unit_test(facts_and_remarks_are_copied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
