/* SPDX-License-Identifier: MIT */
#include "example-profile.h"

#include "profile/runtime-share.h"

static void samples_of_other_programs_are_only_part_of_the_total(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	struct runtime_share share = { 0 };
	const struct tally *t;

	(void)state;
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 1, 0x5010, 0x1010);
	EXAMPLE_STACK(&p, 10, 110, 1, 0x1010);
	t = example_collect(&p, (struct collector_options){ .with_stacks = true });
	runtime_share_count(&share, p.env.frames, &t->stacks, NULL);
	assert_int_equal(share.total, 2);
	assert_int_equal(share.samples[RUNTIME_KIND_PYTHON], 0);
	assert_int_equal(runtime_share_silent(&share), RUNTIME_KIND_NONE);
}

static void an_interpreter_counts_if_it_has_a_good_part(void **state)
{
	(void)state;
	assert_int_equal(runtime_share_silent(&(struct runtime_share){
				 .total = 100, .samples = { [RUNTIME_KIND_PYTHON] = 20 } }),
			 RUNTIME_KIND_PYTHON);
	assert_int_equal(runtime_share_silent(&(struct runtime_share){
				 .total = 100, .samples = { [RUNTIME_KIND_PYTHON] = 19 } }),
			 RUNTIME_KIND_NONE);
	assert_int_equal(runtime_share_silent(&(struct runtime_share){ 0 }), RUNTIME_KIND_NONE);
}

static void names_of_code_made_at_run_time_leave_nothing_to_say(void **state)
{
	(void)state;
	assert_int_equal(
		runtime_share_silent(&(struct runtime_share){
			.total = 100, .samples = { [RUNTIME_KIND_V8] = 90 }, .names_code = true }),
		RUNTIME_KIND_NONE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_of_other_programs_are_only_part_of_the_total),
		cmocka_unit_test(an_interpreter_counts_if_it_has_a_good_part),
		cmocka_unit_test(names_of_code_made_at_run_time_leave_nothing_to_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
