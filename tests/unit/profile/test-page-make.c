/* SPDX-License-Identifier: MIT */
#include "paged.h"

static void make(struct fixture *f, const struct page_request *rq)
{
	collect(f, (struct profile_request){ .with_stacks = true, .with_log = true });
	page_make(&f->profile, rq, &f->page);
}

static void a_page_has_samples_facts_and_columns(void **state)
{
	struct fixture *f = *state;
	const struct page *p = &f->page;

	sampled(&f->rec, 1, 7, 1000000);
	sampled(&f->rec, 1, 7, 3000000);
	make(f,
	     &(struct page_request){ .title = "A title",
				     .views = PAGE_VIEW_FLAME | PAGE_VIEW_TIME | PAGE_VIEW_CODE });
	assert_string_equal(p->title, "A title");
	assert_non_null(strstr(p->subtitle, f->path));
	assert_int_equal(p->views, PAGE_VIEW_FLAME | PAGE_VIEW_TIME); /* nothing is listed */
	assert_int_equal(p->cells.n, 2);
	assert_int_equal(p->n_bins, 3);
	assert_true(p->columns.n > 0 && p->packed.n > 0);
	assert_string_equal(p->header.items[0].name, "file");
	assert_non_null(remark(p, "no stacks"));
	assert_null(p->dropped);
}

static void what_was_lost_is_told(void **state)
{
	struct fixture *f = *state;

	sampled(&f->rec, 1, 7, 1000000);
	add(&f->rec,
	    (struct record){ .header.type = PERF_RECORD_LOST, .lost = { .id = 1, .lost = 5 } }, 2);
	add(&f->rec, (struct record){ .header.type = PERF_RECORD_THROTTLE }, 3);
	make(f, &(struct page_request){ .views = PAGE_VIEW_FLAME });
	assert_non_null(remark(&f->page, "5 records were lost"));
	assert_non_null(remark(&f->page, "throttled"));
	assert_string_equal(f->page.title, f->path); /* no command was recorded */
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_page_has_samples_facts_and_columns, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_was_lost_is_told, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
