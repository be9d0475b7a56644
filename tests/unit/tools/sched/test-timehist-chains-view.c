/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "session/sched-event.h"
#include "tools/sched/timehist-chains-view.h"

static void equal_stacks_have_equal_numbers(void **state)
{
	static const uint64_t ips[] = { PERF_CONTEXT_KERNEL, 0x1000, 0x2000 };
	struct recording r = recording_new();
	struct session *session = opened(&r, false);
	struct timehist_chains c = { .chain = { .session = session, .max_stack = 5 } };
	struct sample sample = { .chain = { (const uint8_t *)ips, 3, false } };
	const struct session_sample s = { .event = session_event(session, 0), .sample = &sample };
	const struct sched_event e = { .sample = &s };

	(void)state;
	assert_int_equal(timehist_chain_of(&c, &e), 1);
	assert_int_equal(timehist_chain_of(&c, &e), 1);
	sample.chain.n = 2;
	assert_int_equal(timehist_chain_of(&c, &e), 2);
	sample.chain.n = 0;
	assert_int_equal(timehist_chain_of(&c, &e), 0);
	assert_string_equal(timehist_chain_text(&c, 1), " [unknown] <- [unknown]");
	assert_string_equal(timehist_chain_text(&c, 2), " [unknown]");
	timehist_chains_done(&c);
	session_free(session);
	recording_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_stacks_have_equal_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
