/* SPDX-License-Identifier: MIT */
#include "options/parse.h"

#include "tools/record/sideband.h"

static void synthesis_is_a_list(void **state)
{
	(void)state;
	struct sideband_request o = { 0 };

	assert_int_equal(PARSE(sideband_options, &o, "--synth", "task,cgroup"), 0);
	assert_true(o.synth.given);
	assert_int_equal(o.synth.types, SYNTH_TASK | SYNTH_CGROUP);
	assert_int_equal(PARSE(sideband_options, &o, "--synth=mmap"), 0);
	assert_int_equal(o.synth.types, SYNTH_TASK | SYNTH_MMAP);
	assert_int_equal(PARSE(sideband_options, &o, "--synth=all"), 0);
	assert_int_equal(o.synth.types, SYNTH_ALL);
	assert_int_equal(PARSE(sideband_options, &o, "--synth=no"), 0);
	assert_int_equal(o.synth.types, 0);
}

static void what_cannot_be_synthesised_is_marked(void **state)
{
	(void)state;
	struct sideband_request o = { 0 };

	assert_int_equal(PARSE(sideband_options, &o, "--synth=task,x"), -EINVAL);
	assert_true(says("'x' cannot be synthesised\ntask,x\n"));
	assert_int_equal(PARSE(sideband_options, &o, "--synth="), -EINVAL);
	assert_false(o.synth.given);
}

static void switches_are_unsaid_until_asked_for(void **state)
{
	(void)state;
	struct sideband_request o = { 0 };

	assert_int_equal(PARSE(sideband_options, &o, "--namespaces", "--no-bpf-event"), 0);
	assert_true(o.namespaces && o.no_bpf_event);
	assert_int_equal(o.switch_events, CHOICE_UNSAID);
	assert_int_equal(PARSE(sideband_options, &o, "--no-switch-events", "--bpf-event"), 0);
	assert_int_equal(o.switch_events, CHOICE_NO);
	assert_false(o.no_bpf_event);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(synthesis_is_a_list),
		cmocka_unit_test(what_cannot_be_synthesised_is_marked),
		cmocka_unit_test(switches_are_unsaid_until_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
