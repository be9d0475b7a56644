/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "measure/cgroup-choice.h"
#include "measure/event-words.h"
#include "skip.h"

/* The root group exists wherever cgroups do. */
static void need_cgroups(void)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *root = NULL;

	if (cgroup_root(&root, &diag) < 0)
		skip_because("there are no cgroups");
}

static int assign(struct cgroup_choice *c, const char *names, size_t before, size_t n,
		  struct diag *diag)
{
	struct event_word opt = { EVENT_WORD_CGROUP, names };
	const struct event_words opts = { .items = &opt, .n = 1 };

	return cgroup_choice_assign(c, &opts, &before, n, diag);
}

static void one_name_goes_with_all_events_before_it(void **state)
{
	(void)state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(cgroup_choice_done) struct cgroup_choice c = { 0 };

	need_cgroups();
	assert_int_equal(assign(&c, "/", 2, 3, &diag), 0);
	assert_int_equal(c.n, 1);
	assert_true(cgroup_choice_fd(&c, 0) >= 0);
	assert_int_equal(cgroup_choice_fd(&c, 1), cgroup_choice_fd(&c, 0));
	assert_int_equal(cgroup_choice_fd(&c, 2), -1);
}

static void an_empty_name_is_no_limit(void **state)
{
	(void)state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(cgroup_choice_done) struct cgroup_choice c = { 0 };

	need_cgroups();
	assert_int_equal(assign(&c, ",/", 2, 2, &diag), 0);
	assert_int_equal(cgroup_choice_fd(&c, 0), -1);
	assert_true(cgroup_choice_fd(&c, 1) >= 0);
}

static void before_all_events_it_is_for_all(void **state)
{
	(void)state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(cgroup_choice_done) struct cgroup_choice c = { 0 };

	need_cgroups();
	assert_int_equal(assign(&c, "/", 0, 2, &diag), 0);
	assert_true(cgroup_choice_fd(&c, 1) >= 0);
}

static void more_names_than_events_are_refused(void **state)
{
	(void)state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(cgroup_choice_done) struct cgroup_choice c = { 0 };

	need_cgroups();
	assert_int_equal(assign(&c, "/,/", 1, 1, &diag), -EINVAL);
	assert_non_null(diag.hint);
}

static void events_that_come_later_can_be_left_out(void **state)
{
	(void)state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(cgroup_choice_done) struct cgroup_choice c = { 0 };
	const struct event_words none = { 0 };

	assert_int_equal(cgroup_choice_assign(&c, &none, NULL, 1, &diag), 0);
	cgroup_choice_limit(&c, 1, 1, -1);
	assert_int_equal(cgroup_choice_fd(&c, 0), -1);
	assert_int_equal(cgroup_choice_fd(&c, 1), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_name_goes_with_all_events_before_it),
		cmocka_unit_test(an_empty_name_is_no_limit),
		cmocka_unit_test(before_all_events_it_is_for_all),
		cmocka_unit_test(more_names_than_events_are_refused),
		cmocka_unit_test(events_that_come_later_can_be_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
