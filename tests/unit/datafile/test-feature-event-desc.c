/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "feature-round.h"

static void events_survive_with_names_and_ids(void **state)
{
	(void)state;
	uint64_t ids[] = { 32347, 32348 };
	struct event_desc two[] = {
		{ .attr = { .type = 1, .sample_freq = 500 },
		  .name = "cpu-clock:u",
		  .ids = ids,
		  .n_ids = 2 },
		{ .name = "cycles" },
	};
	struct features f = { .event_descs = { two, 2, 0 } }, g = { 0 };
	struct bytes b = { 0 };

	features_encode(&f, FEATURE_EVENT_DESC, &b);
	assert_int_equal(b.n, 8 + 2 * (128 + 4 + 68) + 16);
	bytes_done(&b);
	feature_round_trip(&f, FEATURE_EVENT_DESC, &g);
	assert_int_equal(g.event_descs.items[0].ids[1], 32348);
	assert_int_equal(g.event_descs.items[0].attr.sample_freq, 500);
	assert_int_equal(g.event_descs.items[1].n_ids, 0);
	features_done(&g);
	feature_cut_is_refused(&f, FEATURE_EVENT_DESC);
}

static void a_field_beyond_the_usual_size_makes_the_attrs_larger(void **state)
{
	(void)state;
	struct event_desc e = { .attr = { .config3 = 1 }, .name = "x" };
	struct features f = { .event_descs = { &e, 1, 0 } }, g = { 0 };

	feature_round_trip(&f, FEATURE_EVENT_DESC, &g);
	assert_int_equal(g.event_descs.items[0].attr.config3, 1);
	assert_int_equal(g.event_descs.items[0].attr.size, 136);
	features_done(&g);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_survive_with_names_and_ids),
		cmocka_unit_test(a_field_beyond_the_usual_size_makes_the_attrs_larger),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
