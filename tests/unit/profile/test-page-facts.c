/* SPDX-License-Identifier: MIT */
#include "paged.h"

#include "profile/page/facts.h"

static void add_facts(struct fixture *f, const struct page_request *rq)
{
	collect(f, (struct profile_request){ 0 });
	page_init(&f->page);
	page_add_facts(&f->page, &f->profile, rq);
}

/* Returns the fact called @name, or NULL. */
static const char *fact(const struct page *p, const char *name)
{
	for (size_t i = 0; i < p->header.n; i++)
		if (!strcmp(p->header.items[i].name, name))
			return p->header.items[i].text;
	return NULL;
}

static void what_is_known_of_the_recording_is_listed(void **state)
{
	struct fixture *f = *state;

	sampled(&f->rec, 1, 7, 1000000);
	sampled(&f->rec, 1, 7, 2500000000);
	add_facts(f, &(struct page_request){ .subtitle = "below" });
	assert_non_null(strstr(fact(&f->page, "file"), f->path));
	assert_string_equal(fact(&f->page, "duration of samples"), "2.499 s");
	assert_non_null(fact(&f->page, "event"));
	assert_null(fact(&f->page, "hostname")); /* it was not recorded */
	assert_string_equal(f->page.subtitle, "below");
}

static void whatever_limits_its_worth_comes_with_the_next_step(void **state)
{
	struct fixture *f = *state;

	sampled(&f->rec, 1, 7, 1000000);
	add(&f->rec, (struct record){ .header.type = PERF_RECORD_THROTTLE }, 3);
	add(&f->rec, (struct record){ .header.type = PERF_RECORD_THROTTLE }, 4);
	add_facts(f, &(struct page_request){ 0 });
	assert_non_null(remark(&f->page, "2 times the kernel throttled"));
	assert_int_equal(remark(&f->page, "throttled")->level, PAGE_WARNING);
	assert_non_null(strstr(remark(&f->page, "throttled")->help, "-F"));
	assert_non_null(strstr(remark(&f->page, "no stacks")->help, "-g"));
	assert_null(remark(&f->page, "nothing was lost"));
	assert_null(remark(&f->page, "no times")); /* no time axis was requested */
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_known_of_the_recording_is_listed, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(whatever_limits_its_worth_comes_with_the_next_step,
						set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
