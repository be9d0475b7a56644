/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "base/text.h"
#include "view/sched/chain.h"

static void frames(struct sched_chain *c, const uint64_t *ips, size_t n, const char *wanted)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	const struct sample sample = { .pid = 1,
				       .tid = 1,
				       .chain = { (const uint8_t *)ips, n, false } };
	const struct session_sample s = { .event = session_event(c->session, 0),
					  .sample = &sample };

	assert_int_equal(sched_chain_add(c, &s, &t), n > 0);
	assert_string_equal(t.chars, wanted);
}

static void unknown_functions_are_told_and_the_rest_cut(void **state)
{
	static const uint64_t ips[] = { PERF_CONTEXT_KERNEL, 0x1000, 0x2000, 0x3000, 0x4000 };
	struct recording r = recording_new();
	struct session *session = opened(&r, false);
	struct sched_chain c = { .session = session, .max_stack = 1 };

	(void)state;
	frames(&c, ips, 5, " [unknown] <- [unknown] <- [unknown]");
	frames(&c, ips, 5, " [unknown] <- [unknown] <- [unknown]"); /* from the remembered names */
	frames(&c, ips, 0, "");
	sched_chain_done(&c);
	session_free(session);
	recording_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_functions_are_told_and_the_rest_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
