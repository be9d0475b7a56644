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
#include "printed.h"
#include "profile/page/fit.h"
#include "profile/page/page.h"
#include "skip.h"
#include "view/embedded.h"
#include "view/picture/page.h"

/* Returns how often @word occurs in @text. */
static size_t count(const char *text, const char *word)
{
	size_t n = 0;

	for (; (text = strstr(text, word)); text++)
		n++;
	return n;
}

static void a_page_is_whole_and_its_data_stays_data(void **state)
{
	_cleanup_(page_done) struct page p;
	struct printed out;

	(void)state;
	page_init(&p);
	p.title = "</title><script>alert(1)</script><!-- @{script}";
	page_add_fact(&p, "hostname", "</script><script>alert(2)</script><!--");
	page_fit(&p, SIZE_MAX);
	printed_open(&out);
	assert_int_equal(page_print(out.out, &p, "perf 1"), 0);
	fclose(out.out);
	assert_int_equal(strncmp(out.text, "<!DOCTYPE html>", 15), 0);
	/* The page has the scripts of the skeleton, and no other. */
	assert_int_equal(count(out.text, "</script>"), count(embedded_page_html.text, "</script>"));
	assert_int_equal(count(out.text, "<script>"), 1);
	assert_int_equal(count(out.text, "<!--"), 0);
	assert_int_equal(count(out.text, "</title>"), 1);
	assert_non_null(strstr(out.text, "\\u003c/script>"));
	free(out.text);
}

static void a_long_title_is_cut_between_characters(void **state)
{
	_cleanup_(page_done) struct page p;
	char title[200] = "";
	struct printed out;

	(void)state;
	for (size_t i = 0; i < 60; i++)
		strcat(title, "\u20ac"); /* of three bytes */
	page_init(&p);
	p.title = title;
	page_fit(&p, SIZE_MAX);
	printed_open(&out);
	assert_int_equal(page_print(out.out, &p, "perf 1"), 0);
	fclose(out.out);
	title[66] = '\0';
	strcat(title, "...</title>");
	assert_non_null(strstr(out.text, title));
	free(out.text);
}

static void its_policy_allows_only_its_own_script_and_style(void **state)
{
	_cleanup_(page_done) struct page p;
	struct printed out;

	(void)state;
	page_init(&p);
	page_fit(&p, SIZE_MAX);
	printed_open(&out);
	assert_int_equal(page_print(out.out, &p, "perf 1"), 0);
	fclose(out.out);
	assert_non_null(strstr(out.text, "default-src 'none'"));
	assert_non_null(strstr(out.text, embedded_page_js.sha256));
	assert_non_null(strstr(out.text, embedded_page_css.sha256));
	assert_non_null(strstr(out.text, embedded_page_js.text));
	assert_null(strstr(out.text, "unsafe"));
	free(out.text);
}

static void output_that_fails_is_an_error(void **state)
{
	_cleanup_(page_done) struct page p;
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	if (!full)
		skip_because("there is no /dev/full");
	page_init(&p);
	page_fit(&p, SIZE_MAX);
	assert_int_equal(page_print(full, &p, "perf 1"), -ENOSPC);
	fclose(full);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_is_whole_and_its_data_stays_data),
		cmocka_unit_test(a_long_title_is_cut_between_characters),
		cmocka_unit_test(its_policy_allows_only_its_own_script_and_style),
		cmocka_unit_test(output_that_fails_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
