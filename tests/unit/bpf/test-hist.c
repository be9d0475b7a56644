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
#include "base/memory.h"
#include "bpf/hist.h"
#include "event/env.h"
#include "event/event.h"

static struct event event = { .name = "sched:sched_switch" };

/* Checks that a request is refused before the kernel is asked, and by a build without BPF too. */
static void refused(struct bpf_hist_request rq)
{
	_cleanup_(event_env_freep) struct event_env *env = event_env_new("/nowhere", "/nowhere/t");
	struct bpf_hist *h = NULL;
	struct diag diag = { 0 };

	rq.env = env;
	rq.targets.cgroup_fd = -1;
	rq.event = &event;
	assert_int_equal(bpf_hist_begin(&rq, &h, &diag), -EOPNOTSUPP);
	assert_null(h);
	assert_non_null(diag.message);
	diag_done(&diag);
}

static void too_many_rows_are_refused(void **state)
{
	_cleanup_(freep) int64_t *bounds = xcalloc(HIST_BOUNDS_MAX + 1, sizeof(*bounds));

	(void)state;
	refused((struct bpf_hist_request){
		.bounds = bounds,
		.n_bounds = HIST_BOUNDS_MAX + 1,
		.field = { .kind = FIELD_NUMBER, .offset = 8, .size = 4 } });
}

static void a_field_that_programs_do_not_get_is_refused(void **state)
{
	int64_t bounds[] = { 0 };

	(void)state;
	refused((struct bpf_hist_request){
		.bounds = bounds,
		.n_bounds = 1,
		.field = { .kind = FIELD_NUMBER, .offset = 4, .size = 4 } });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_many_rows_are_refused),
		cmocka_unit_test(a_field_that_programs_do_not_get_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
