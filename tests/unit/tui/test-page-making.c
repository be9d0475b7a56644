/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>
#include <poll.h>

#include "tui/browse.h"
#include "tui/page-making.h"
#include "left-behind.h"
#include "profile/page/page.h"

struct fixture {
	struct recording rec;
	char path[32];
	struct browse_request rq;
	struct page_making *making;
	struct diag diag;
};

static int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){ .rec = recording_new() };
	f.rq.profile.plan.sort = "comm";
	f.rq.profile.max_stack = PROFILE_MAX_STACK;
	f.rq.profile.path = f.path;
	comm(&f.rec, 7, 7, "work", 1);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	page_making_free(f->making);
	diag_done(&f->diag);
	recording_done(&f->rec);
	return 0;
}

static void fill(struct fixture *f, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		sampled(&f->rec, 1, 7, 1000 + i);
	stored(&f->rec, f->path);
}

/* Waits until the page is made, and returns the result. */
static int result_of(struct fixture *f, const struct page **ret)
{
	int r;

	while (!(r = page_making_result(f->making, ret, &f->diag))) {
		struct pollfd p = { .fd = page_making_fd(f->making), .events = POLLIN };
		const char *title = NULL;
		uint64_t done, total;

		assert_int_equal(poll(&p, 1, 30000), 1);
		page_making_progress(f->making, &title, &done, &total);
		assert_non_null(title);
		assert_true(done <= total || !total);
	}
	return r;
}

static void a_page_is_made_meanwhile(void **state)
{
	struct fixture *f = *state;
	const struct page *page = NULL;

	fill(f, 1000);
	f->making = page_making_start(&f->rq);
	assert_int_equal(result_of(f, &page), 1);
	assert_true(page->cells.n > 0);
	assert_true(page->views & PAGE_VIEW_FLAME);
}

static void filters_hold_for_it(void **state)
{
	struct fixture *f = *state;
	const struct page *page = NULL;

	fill(f, 10);
	f->rq.profile.filter.comms = "nobody";
	f->making = page_making_start(&f->rq);
	assert_int_equal(result_of(f, &page), -ENODATA);
	assert_non_null(strstr(f->diag.message, "filters"));
}

static void a_recording_that_is_gone_is_named(void **state)
{
	struct fixture *f = *state;
	const struct page *page = NULL;

	f->rq.profile.path = "/nowhere/perf.data";
	f->making = page_making_start(&f->rq);
	assert_true(result_of(f, &page) < 0);
	assert_non_null(strstr(f->diag.message, "/nowhere/perf.data"));
}

static void it_can_be_given_up_at_once(void **state)
{
	struct fixture *f = *state;

	fill(f, 100000);

	struct left_behind before = left_behind_now();

	f->making = page_making_start(&f->rq);
	page_making_free(TAKE(f->making));
	assert_nothing_more_than(&before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_page_is_made_meanwhile, set_up, tear_down),
		cmocka_unit_test_setup_teardown(filters_hold_for_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_recording_that_is_gone_is_named, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(it_can_be_given_up_at_once, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
