/* SPDX-License-Identifier: MIT */
#include "options/parse.h"

#include "tools/sched/timehist-model.h"
#include "tools/sched/prio.h"

struct opts {
	struct prio_list prios;
};

static const struct option options[] = {
	OPT_CALL(0, "prio", struct opts, prios, "prio", "", .set = prio_list_set), OPT_END
};

static void done(struct opts *o)
{
	prio_list_done(&o->prios);
}

static void numbers_and_ranges(void **state)
{
	_cleanup_(done) struct opts o = { 0 };

	(void)state;
	assert_int_equal(PARSE(options, &o, "--prio", "0,120-129"), 0);
	assert_int_equal(o.prios.n, 2);
	assert_int_equal(o.prios.items[0].last, 0);
	assert_int_equal(o.prios.items[1].first, 120);
	assert_int_equal(o.prios.items[1].last, 129);
	assert_int_equal(PARSE(options, &o, "--prio", "99"), 0);
	assert_int_equal(o.prios.n, 1);
	assert_int_equal(PARSE(options, &o, "--no-prio"), 0);
	assert_int_equal(o.prios.n, 0);
}

static void what_is_no_list_is_refused(void **state)
{
	static char *const wrong[] = { "",    ",",   "1,", "x",    "-1",
				       "141", "5-4", "1-", "1--2", "99999999999999999999",
				       "1 2" };

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		_cleanup_(done) struct opts o = { 0 };

		assert_int_equal(PARSE(options, &o, "--prio", wrong[i]), -EINVAL);
		assert_int_equal(o.prios.n, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_and_ranges),
		cmocka_unit_test(what_is_no_list_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
