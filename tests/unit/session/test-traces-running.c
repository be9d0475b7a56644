/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "session/traces.h"
#include "wire/record.h"

static struct record switched(uint32_t type, uint16_t misc, uint32_t cpu, uint32_t pid,
			      uint32_t next)
{
	struct record r = { .header = { .type = type, .misc = misc } };

	r.id.cpu = cpu;
	r.id.pid = r.id.tid = pid;
	r.context_switch.next_prev_pid = r.context_switch.next_prev_tid = next;
	return r;
}

static void assert_runs(const struct running *r, uint32_t cpu, uint64_t time, uint32_t tid)
{
	uint32_t pid = 0, found = 0;

	assert_true(running_at(r, cpu, time, &pid, &found));
	assert_int_equal(found, tid);
	assert_int_equal(pid, tid);
}

static void the_last_switch_before_a_time_counts(void **state)
{
	struct record a = switched(PERF_RECORD_SWITCH, 0, 1, 10, 0);
	struct record b = switched(PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_MISC_SWITCH_OUT, 1, 10,
				   20);
	struct record c = switched(PERF_RECORD_SWITCH_CPU_WIDE, 0, 1, 30, 20);
	struct running r = { 0 };
	uint32_t pid, tid;

	(void)state;
	/* The records are out of order, as in some files. */
	running_add(&r, &c, 300);
	running_add(&r, &a, 100);
	running_add(&r, &b, 200);
	running_settle(&r);
	assert_false(running_at(&r, 1, 99, &pid, &tid));
	assert_runs(&r, 1, 100, 10);
	assert_runs(&r, 1, 250, 20);
	assert_runs(&r, 1, UINT64_MAX, 30);
	assert_false(running_at(&r, 0, 250, &pid, &tid));
	assert_false(running_at(&r, 7, 250, &pid, &tid));
	running_done(&r);
}

static void leaving_says_nothing_without_who_comes(void **state)
{
	struct record out = switched(PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT, 0, 10, 0);
	struct running r = { 0 };
	uint32_t pid, tid;

	(void)state;
	running_add(&r, &out, 5);
	assert_false(running_at(&r, 0, 9, &pid, &tid));
	running_done(&r);
}

static void absurd_cpus_cost_nothing(void **state)
{
	struct record a = switched(PERF_RECORD_SWITCH, 0, UINT32_MAX, 10, 0);
	struct running r = { 0 };

	(void)state;
	running_add(&r, &a, 5);
	assert_int_equal(r.n, 0);
	running_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_switch_before_a_time_counts),
		cmocka_unit_test(leaving_says_nothing_without_who_comes),
		cmocka_unit_test(absurd_cpus_cost_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
