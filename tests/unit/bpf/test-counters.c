/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>
#include <errno.h>
#include <string.h>

#include "base/cpu-list.h"
#include "base/diag.h"
#include "bpf/counters-types.h"
#include "bpf/counters.h"

static void there_is_a_limit_of_events(void **state)
{
	int arrays[COUNTERS_EVENTS_MAX + 1] = { 0 };
	struct cpu_list cpus = { 0 };
	const struct bpf_counters_request rq = {
		.arrays = arrays,
		.n_events = COUNTERS_EVENTS_MAX + 1,
		.cpus = &cpus,
	};
	struct bpf_counters *c = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(bpf_counters_open(&rq, &c, &diag), HAVE_BPF ? -E2BIG : -EOPNOTSUPP);
	assert_null(c);
	if (HAVE_BPF)
		assert_non_null(strstr(diag.message, "up to 64 events, not 65"));
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_is_a_limit_of_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
