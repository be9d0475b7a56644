/* SPDX-License-Identifier: MIT */
#include "example-profile.h"

#include "profile/time-strip.h"
#include "session/sample-filter.h"

static uint64_t counted(const struct example_profile *p)
{
	return time_strip_weight(collector_strip(p->collector), 0, UINT64_MAX);
}

static void fill(struct example_profile *p)
{
	example_profile_init(p);
	EXAMPLE_STACK(p, 10, 100, 5, 0x1010);
	EXAMPLE_STACK(p, 10, 110, 7, 0x5010);
	EXAMPLE_STACK(p, 20, 120, 11, 0x1010);
}

static void all_times_are_counted_whichever_are_asked_for(void **state)
{
	static const struct time_span span = { .from_ns = 105, .to_ns = 115 };
	static const struct sample_filter_request wanted = { .spans = &span, .n_spans = 1 };
	_cleanup_(example_profile_done) struct example_profile p;
	_cleanup_(sample_filter_freep) struct sample_filter *f = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct tally *t;

	(void)state;
	assert_int_equal(sample_filter_new(&wanted, &f, &diag), 0);
	fill(&p);
	t = example_collect(&p, (struct collector_options){ .filter = f, .with_strip = true });
	assert_int_equal(t->total.samples, 1);
	assert_int_equal(t->total.period, 7);
	assert_int_equal(counted(&p), 3);
	assert_int_equal(collector_strip(p.collector)->first, 100);
	assert_int_equal(collector_strip(p.collector)->last, 120);
}

static void other_filters_hold(void **state)
{
	static const struct sample_filter_request by_task = { .comms = "two" },
						  by_place = { .dsos = "/lib/lib" };
	const struct sample_filter_request *const wanted[] = { &by_task, &by_place };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		_cleanup_(example_profile_done) struct example_profile p;
		_cleanup_(sample_filter_freep) struct sample_filter *f = NULL;
		_cleanup_(diag_done) struct diag diag = { 0 };

		assert_int_equal(sample_filter_new(wanted[i], &f, &diag), 0);
		fill(&p);
		example_collect(&p, (struct collector_options){ .filter = f, .with_strip = true });
		assert_int_equal(counted(&p), 1);
	}
}

static void nobody_has_to_count(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;

	(void)state;
	fill(&p);
	example_collect(&p, (struct collector_options){ 0 });
	assert_null(collector_strip(p.collector));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_times_are_counted_whichever_are_asked_for),
		cmocka_unit_test(other_filters_hold),
		cmocka_unit_test(nobody_has_to_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
