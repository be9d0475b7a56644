/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "capture/events.h"
#include "capture/trace-events.h"
#include "kernel/pmu.h"

static int refuse(const char *pmu_name, struct diag *diag)
{
	_cleanup_(event_list_done) struct event_list l = { 0 };
	const struct pmu pmu = { .name = (char *)pmu_name, .type = 8 };

	event_add(&l, "cycles", PERF_TYPE_HARDWARE, 0);
	event_add(&l, "other", 8, 0)->pmu = &pmu;
	return trace_events_refuse(&l, diag);
}

static void a_trace_that_would_not_be_read_is_refused(void **state)
{
	static const char *const names[] = { "intel_pt", "intel_bts", "cs_etm", "arm_spe_0",
					     "hisi_ptt0_2" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_(diag_done) struct diag diag = { 0 };

		assert_int_equal(refuse(names[i], &diag), -EOPNOTSUPP);
		assert_non_null(strstr(diag.message, names[i]));
	}
}

static void pmus_that_count_are_not(void **state)
{
	static const char *const names[] = { "cpu", "ibs_op", "armv8_pmuv3_0", "uncore_imc_0" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_(diag_done) struct diag diag = { 0 };

		assert_int_equal(refuse(names[i], &diag), 0);
		assert_null(diag.message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_trace_that_would_not_be_read_is_refused),
		cmocka_unit_test(pmus_that_count_are_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
