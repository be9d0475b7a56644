/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "hwtrace/cs-flow.h"
#include "hwtrace/decoder.h"

#define ID 0x10

/* Supplies the code: SVC at 0x1010, NOPs elsewhere. */
static size_t code(void *arg, uint32_t tid, uint64_t addr, uint8_t *bytes, size_t n)
{
	static const uint8_t svc[] = { 0x01, 0, 0, 0xd4 }, nop[] = { 0x1f, 0x20, 0x03, 0xd5 };

	(void)arg, (void)tid;
	assert_int_equal(n, 4);
	memcpy(bytes, addr == 0x1010 ? svc : nop, 4);
	return 4;
}

static struct cs_flow flow_of(bool branches, uint64_t period, unsigned last_branch)
{
	const struct cs_flow_setup setup = { .branches = branches,
					     .instructions = period,
					     .period = period ? period : 1,
					     .last_branch = last_branch,
					     .code = code };
	struct cs_flow f;

	cs_flow_init(&f, &setup, AUX_NONE);
	return f;
}

static void add_range(struct cs_flow *f, uint64_t start, uint32_t n, bool taken)
{
	cs_flow_add(f, &(struct cs_element){ .kind = CS_RANGE,
					     .id = ID,
					     .start = start,
					     .end = start + 4 * (uint64_t)n,
					     .n_instructions = n,
					     .last_size = 4,
					     .taken = taken,
					     .flags = taken ? AUX_FLAG_BRANCH : 0 });
}

static void add(struct cs_flow *f, enum cs_element_kind kind, uint32_t number)
{
	cs_flow_add(f, &(struct cs_element){ .kind = kind,
					     .id = ID,
					     .exception = number,
					     .context_id = number,
					     .has_context_id = true,
					     .time = number });
}

static void assert_branch(struct cs_flow *f, uint64_t from, uint64_t to, uint32_t flags)
{
	struct cs_sample s;

	assert_true(cs_flow_next(f, &s));
	assert_true(s.is_branch);
	assert_int_equal(s.ip, from);
	assert_int_equal(s.to, to);
	assert_int_equal(s.flags, flags);
}

static void branches_lead_from_range_to_range(void **state)
{
	struct cs_flow f = flow_of(true, 0, 0);
	struct cs_sample s;

	(void)state;
	add(&f, CS_GAP, 0);
	add_range(&f, 0x1000, 2, true);
	add_range(&f, 0x2000, 1, false);
	add_range(&f, 0x2004, 1, true);
	add(&f, CS_GAP, 0);
	assert_branch(&f, 0, 0x1000, AUX_FLAG_BRANCH | AUX_FLAG_TRACE_BEGIN);
	assert_branch(&f, 0x1004, 0x2000, AUX_FLAG_BRANCH);
	assert_branch(&f, 0x2004, 0, AUX_FLAG_BRANCH | AUX_FLAG_TRACE_END);
	assert_false(cs_flow_next(&f, &s));
	cs_flow_done(&f);
}

static void exceptions_tell_what_they_were(void **state)
{
	struct cs_flow f = flow_of(true, 0, 0);

	(void)state;
	add(&f, CS_EXCEPTION, 2);
	add_range(&f, 0x1008, 3, false);
	add(&f, CS_EXCEPTION, 2);
	add_range(&f, 0x3000, 1, false);
	add(&f, CS_EXCEPTION, 14);
	add_range(&f, 0x1010, 1, false);
	add(&f, CS_EXCEPTION_RETURN, 0);
	add_range(&f, 0x3000, 1, false);
	add(&f, CS_EXCEPTION, 5);
	add_range(&f, 0x4000, 1, false);
	assert_branch(&f, 0x1010, 0x3000, AUX_FLAG_BRANCH | AUX_FLAG_CALL | AUX_FLAG_SYSCALLRET);
	assert_branch(&f, 0x3000, 0x1010,
		      AUX_FLAG_BRANCH | AUX_FLAG_CALL | AUX_FLAG_ASYNC | AUX_FLAG_INTERRUPT);
	assert_branch(&f, 0x1010, 0x3000, AUX_FLAG_BRANCH | AUX_FLAG_RETURN | AUX_FLAG_SYSCALLRET);
	assert_branch(&f, 0x3000, 0x4000, 0);
	cs_flow_done(&f);
}

static void every_so_many_instructions_are_a_sample(void **state)
{
	static const uint64_t expected[] = { 0x1008, 0x2000, 0x200c };
	struct cs_flow f = flow_of(false, 3, 0);
	struct cs_sample s;

	(void)state;
	add_range(&f, 0x1000, 5, true);
	add_range(&f, 0x2000, 5, false);
	for (size_t i = 0; i < 3; i++) {
		assert_true(cs_flow_next(&f, &s));
		assert_int_equal(s.ip, expected[i]);
		assert_int_equal(s.period, 3);
		assert_int_equal(s.length, 4);
	}
	assert_false(cs_flow_next(&f, &s));
	cs_flow_done(&f);
}

static void the_last_branches_come_newest_first(void **state)
{
	struct cs_flow f = flow_of(false, 4, 2);
	struct cs_sample s;

	(void)state;
	for (uint64_t i = 1; i <= 4; i++)
		add_range(&f, 0x1000 * i, 1, true);
	assert_true(cs_flow_next(&f, &s));
	assert_int_equal(s.n_branches, 2);
	assert_int_equal(s.branches[0], 0x3000);
	assert_int_equal(s.branches[1], 0x4000);
	assert_int_equal(s.branches[3], 0x2000);
	cs_flow_end(&f);
	assert_true(cs_flow_next(&f, &s));
	assert_int_equal(s.period, 0);
	assert_false(cs_flow_next(&f, &s));
	cs_flow_done(&f);
}

static void a_sample_has_the_thread_and_time_of_its_range(void **state)
{
	struct cs_flow f = flow_of(false, 1, 0);
	struct cs_sample s;

	(void)state;
	add(&f, CS_CONTEXT, 7);
	add_range(&f, 0x1000, 1, true);
	add(&f, CS_CONTEXT, 8);
	add(&f, CS_TIME, 100);
	add_range(&f, 0x2000, 1, true);
	assert_int_equal(cs_flow_thread(&f, ID), 8);
	assert_true(cs_flow_next(&f, &s));
	assert_int_equal(s.tid, 7);
	assert_int_equal(s.time, 0);
	assert_true(cs_flow_next(&f, &s));
	assert_int_equal(s.tid, 8);
	assert_int_equal(s.time, 100);
	cs_flow_done(&f);
}

static void addresses_without_code_are_counted(void **state)
{
	struct cs_flow f = flow_of(true, 0, 0);

	(void)state;
	cs_flow_add(&f, &(struct cs_element){ .kind = CS_NO_CODE, .start = 0x77 });
	cs_flow_add(&f, &(struct cs_element){ .kind = CS_NO_CODE, .start = 0x88 });
	assert_int_equal(f.no_code, 2);
	assert_int_equal(f.first_no_code, 0x77);
	cs_flow_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(branches_lead_from_range_to_range),
		cmocka_unit_test(exceptions_tell_what_they_were),
		cmocka_unit_test(every_so_many_instructions_are_a_sample),
		cmocka_unit_test(the_last_branches_come_newest_first),
		cmocka_unit_test(a_sample_has_the_thread_and_time_of_its_range),
		cmocka_unit_test(addresses_without_code_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
