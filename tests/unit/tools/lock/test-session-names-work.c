/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "tools/lock/session-names-work.h"

static int take(void *arg, const struct record_batch *b)
{
	struct lock_session_names *n = arg;

	for (size_t i = 0; i < b->n; i++)
		lock_session_names_take(n, &b->items[i]);
	return 0;
}

static void a_thread_has_the_last_name_of_its_own(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct recording r = recording_new();
	struct lock_session_names n = { .own_names_only = true };
	const struct lock_names names = lock_session_names(&n);
	struct consumer c = { .order = CONSUMER_IN_ORDER,
			      .types = RECORD_TYPE_BIT(PERF_RECORD_COMM),
			      .records = take,
			      .arg = &n };
	struct session *s;

	(void)state;
	comm(&r, 10, 10, "first", 100);
	comm(&r, 10, 10, "last", 300);
	s = opened(&r, false);
	n.session = s;
	assert_int_equal(session_feed(s, NULL, &c, &diag), 0);
	assert_string_equal(names.comm(names.arg, 10), "last");
	assert_string_equal(names.comm(names.arg, 11), ":11");
	assert_string_equal(names.comm(names.arg, 0), "swapper");
	n.own_names_only = false;
	assert_string_equal(names.comm(names.arg, 10), "last");
	assert_null(names.cgroup(names.arg, 5));
	session_free(s);
	lock_session_names_done(&n);
	recording_done(&r);
}

static void without_a_kernel_nothing_has_a_name(void **state)
{
	struct recording r = recording_new();
	struct session *s = opened(&r, false);
	struct lock_session_names n = { .session = s };
	const struct lock_names names = lock_session_names(&n);
	struct lock_symbol sym;
	uint64_t addr;

	(void)state;
	assert_false(names.symbol(names.arg, 1, 0xffff000000001000, &sym));
	assert_false(names.find(names.arg, "_text", &addr));
	session_free(s);
	lock_session_names_done(&n);
	recording_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_has_the_last_name_of_its_own),
		cmocka_unit_test(without_a_kernel_nothing_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
