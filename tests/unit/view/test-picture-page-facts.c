/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/page/page.h"
#include "view/picture/page-facts.h"

static void facts_are_one_line_of_json(void **state)
{
	_cleanup_(page_done) struct page p;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	page_init(&p);
	p.title = "a \"title\"";
	p.views = PAGE_VIEW_FLAME | PAGE_VIEW_FACTS;
	p.has_times = true;
	p.start_ns = 123456789012345678;
	page_add_fact(&p, "hostname", "box");
	page_add_remark(&p, PAGE_WARNING, "lost", "record -m");
	*ARRAY_ADD(&p.events) = (struct page_event){ "cycles", "", 3, 30, 10 };
	page_facts_add(&t, &p, "perf 1");
	assert_non_null(strstr(t.chars, "\"title\":\"a \\\"title\\\"\""));
	assert_non_null(strstr(t.chars, "\"views\":[\"flame\", \"facts\"]"));
	assert_non_null(strstr(t.chars, "\"start\":\"123456789012345678\""));
	assert_non_null(strstr(t.chars, "[\"hostname\", \"box\"]"));
	assert_non_null(strstr(t.chars, "{\"level\":\"warning\", \"text\":\"lost\", "
					"\"help\":\"record -m\"}"));
	assert_non_null(strstr(t.chars, "\"samples\":3, \"total\":30, \"period\":10}"));
	assert_null(strchr(t.chars, '\n'));
	assert_null(strstr(t.chars, "sides"));
	assert_null(strstr(t.chars, "dropped"));
}

static void comparisons_and_heat_maps_say_what_they_are(void **state)
{
	_cleanup_(page_done) struct page p;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	static const double bounds[] = { 0, 1, 10 };

	(void)state;
	page_init(&p);
	p.is_comparison = true;
	p.dropped = "little";
	p.start = "root=none";
	p.heat = xcalloc(1, sizeof(*p.heat));
	p.heat->x = (struct page_axis){ .start = 0.5, .step = 1, .n = 60, .unit = "s" };
	p.heat->y = (struct page_axis){ .bounds = bounds, .n = 2, .unit = "us" };
	p.heat->over = 3;
	page_facts_add(&t, &p, "perf 1");
	assert_non_null(strstr(t.chars, "\"sides\":[\"before\", \"after\"]"));
	assert_non_null(strstr(t.chars, "\"changes\":[\"noise\", \"more\", \"less\"]"));
	assert_non_null(strstr(t.chars, "\"dropped\":\"little\""));
	assert_non_null(strstr(t.chars, "\"start\":\"root=none\""));
	assert_non_null(strstr(t.chars, "\"x\":{\"start\":0.5, \"step\":1, \"n\":60, "
					"\"unit\":\"s\"}"));
	assert_non_null(strstr(t.chars, "\"bounds\":[0, 1, 10]"));
	assert_non_null(strstr(t.chars, "\"over\":3"));
}

static void lists_have_whatever_names_there_are(void **state)
{
	_cleanup_(page_done) struct page p;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	page_init(&p);
	*ARRAY_ADD(&p.names) = "bad \xff \x01 </script>";
	*ARRAY_ADD(&p.tasks) = (struct page_task){ 1, 2, "sh" };
	*ARRAY_ADD(&p.tasks) = (struct page_task){ PAGE_NONE, PAGE_NONE, "all" };
	*ARRAY_ADD(&p.cpus) = 7;
	page_lists_add(&t, &p);
	assert_non_null(strstr(t.chars, "\\u0001 </script>"));
	assert_null(strchr(t.chars, '\xff'));
	assert_non_null(strstr(t.chars, "[{\"pid\":1, \"tid\":2, \"comm\":\"sh\"}, "
					"{\"comm\":\"all\"}]"));
	assert_non_null(strstr(t.chars, "\"cpus\":[7]"));
	assert_null(strstr(t.chars, "cgroups"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts_are_one_line_of_json),
		cmocka_unit_test(comparisons_and_heat_maps_say_what_they_are),
		cmocka_unit_test(lists_have_whatever_names_there_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
