/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "session/recording.h"

#include "profile/report-mode.h"

static int mode_of(uint64_t sample_type, const struct report_mode_request *r, enum report_mode *ret)
{
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_IDENTIFIER |
								      PERF_SAMPLE_IP | sample_type);
	_cleanup_(session_freep) struct session *s = opened(&rec, false);
	_cleanup_(diag_done) struct diag diag = { 0 };

	return report_mode_choose(r, s, ret, &diag);
}

static void samples_are_what_reports_are_of(void **state)
{
	enum report_mode mode = REPORT_MEMORY;

	(void)state;
	assert_int_equal(mode_of(0, &(struct report_mode_request){ 0 }, &mode), 0);
	assert_int_equal(mode, REPORT_NORMAL);
}

static void branches_are_shown_if_they_were_recorded(void **state)
{
	const struct report_mode_request wanted = { .branches = true };
	enum report_mode mode = REPORT_NORMAL;

	(void)state;
	assert_int_equal(mode_of(PERF_SAMPLE_BRANCH_STACK, &wanted, &mode), 0);
	assert_int_equal(mode, REPORT_BRANCH);
	assert_int_equal(mode_of(0, &wanted, &mode), -EINVAL);
}

static void so_are_accesses_to_memory(void **state)
{
	const struct report_mode_request wanted = { .memory = true };
	enum report_mode mode = REPORT_NORMAL;

	(void)state;
	assert_int_equal(mode_of(PERF_SAMPLE_DATA_SRC, &wanted, &mode), 0);
	assert_int_equal(mode, REPORT_MEMORY);
	assert_int_equal(mode_of(0, &wanted, &mode), -EINVAL);
}

/* Only the feature BRANCH_STACK decides; this recording has no features. */
static void branches_beside_samples_do_not_take_their_place(void **state)
{
	enum report_mode mode = REPORT_MEMORY;

	(void)state;
	assert_int_equal(
		mode_of(PERF_SAMPLE_BRANCH_STACK, &(struct report_mode_request){ 0 }, &mode), 0);
	assert_int_equal(mode, REPORT_NORMAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_what_reports_are_of),
		cmocka_unit_test(branches_are_shown_if_they_were_recorded),
		cmocka_unit_test(so_are_accesses_to_memory),
		cmocka_unit_test(branches_beside_samples_do_not_take_their_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
