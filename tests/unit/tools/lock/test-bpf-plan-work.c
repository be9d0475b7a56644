/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "tools/lock/bpf-plan-work.h"
#include "tools/lock/lock-work.h"

/* A kernel in which one lock has a symbol. */
static bool find(void *arg, const char *name, uint64_t *ret_addr)
{
	(void)arg;
	*ret_addr = 0xffff800012345678;
	return !strcmp(name, "tasklist_lock");
}

static const struct lock_names names = { .find = find };

/* Plans @rq with a lock filter of @word, or NULL. */
static int plan(struct lock_request *rq, const char *word, struct lock_bpf_plan *ret)
{
	struct diag diag = { 0 };
	int r;

	rq->filters.locks.items = &word;
	rq->filters.locks.n = word ? 1 : 0;
	rq->max_stack = rq->max_stack ? rq->max_stack : 8;
	*ret = (struct lock_bpf_plan){ 0 };
	r = lock_bpf_plan(rq, &names, ret, &diag);
	assert_true((r < 0) == (diag.message != NULL));
	diag_done(&diag);
	rq->filters.locks.items = NULL;
	rq->filters.locks.n = 0;
	return r;
}

static void stacks_are_read_only_where_rows_need_them(void **state)
{
	struct lock_request rq = { .by = LOCK_BY_CALLER };
	struct lock_bpf_plan p;

	(void)state;
	assert_int_equal(plan(&rq, NULL, &p), 0);
	assert_true(p.request.kernel_frames > 8);
	assert_true(p.request.kernel);
	assert_false(p.request.futexes);
	assert_false(p.request.limits_locks);
	assert_true(p.request.wanted_flags == UINT64_MAX);
	lock_bpf_plan_done(&p);
	rq.by = LOCK_BY_ADDR;
	assert_int_equal(plan(&rq, NULL, &p), 0);
	assert_int_equal(p.request.kernel_frames, 0);
	assert_int_equal(p.request.by, BPF_LOCK_BY_ADDR);
	lock_bpf_plan_done(&p);
	rq.filters.callers.n = 1;
	assert_int_equal(plan(&rq, NULL, &p), 0);
	assert_true(p.request.kernel_frames > 8);
	lock_bpf_plan_done(&p);
}

static void types_become_flags(void **state)
{
	struct lock_request rq = { .user = true };
	struct lock_bpf_plan p;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(lock_types_parse(&rq.filters.types, "rwsem:R", &diag), 0);
	assert_int_equal(plan(&rq, NULL, &p), 0);
	assert_true(p.request.wanted_flags == UINT64_C(1) << LOCK_READ);
	assert_false(p.request.futexes);
	lock_bpf_plan_done(&p);
	assert_int_equal(lock_types_parse(&rq.filters.types, "futex:cond", &diag), 0);
	assert_int_equal(plan(&rq, NULL, &p), 0);
	assert_true(p.request.futexes);
	assert_true(p.request.kernel);
	lock_bpf_plan_done(&p);
	lock_types_done(&rq.filters.types);
	assert_int_equal(lock_types_parse(&rq.filters.types, "futex", &diag), 0);
	assert_int_equal(plan(&rq, NULL, &p), 0);
	assert_true(p.request.futexes);
	assert_false(p.request.kernel);
	lock_bpf_plan_done(&p);
	lock_types_done(&rq.filters.types);
}

static void locks_are_found_by_symbol_address_or_owner(void **state)
{
	static const struct {
		const char *word;
		uint64_t addr;
		uint32_t named;
	} rows[] = {
		{ "tasklist_lock", 0xffff800012345678, 0 },
		{ "0xffff0000806c6f28", 0xffff0000806c6f28, 0 },
		{ "ffff0000806c6f28", 0xffff0000806c6f28, 0 },
		{ "mmap_lock", 0, 1 << BPF_LOCK_MMAP_LOCK },
		{ "siglock", 0, 1 << BPF_LOCK_SIGLOCK },
	};
	struct lock_request rq = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct lock_bpf_plan p;

		assert_int_equal(plan(&rq, rows[i].word, &p), 0);
		assert_true(p.request.limits_locks);
		assert_int_equal(p.request.n_addrs, rows[i].addr != 0);
		if (rows[i].addr)
			assert_true(p.request.addrs[0] == rows[i].addr);
		assert_int_equal(p.request.named, rows[i].named);
		lock_bpf_plan_done(&p);
	}
}

static void an_unknown_lock_is_refused_unless_user_space_may_have_it(void **state)
{
	struct lock_request rq = { 0 };
	struct lock_bpf_plan p;

	(void)state;
	assert_int_equal(plan(&rq, "hot_lock", &p), -ENOENT);
	lock_bpf_plan_done(&p);
	rq.user = true;
	assert_int_equal(plan(&rq, "hot_lock", &p), 0);
	assert_true(p.request.limits_locks);
	assert_int_equal(p.request.n_addrs, 0);
	lock_bpf_plan_done(&p);
}

static void room_is_a_power_of_two(void **state)
{
	static const struct {
		uint64_t asked;
		uint32_t rows;
	} all[] = { { 0, 16384 }, { 1, 1 }, { 1000, 1024 }, { UINT64_MAX, 1 << 24 } };
	struct lock_request rq = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct lock_bpf_plan p;

		rq.map_entries = all[i].asked;
		assert_int_equal(plan(&rq, NULL, &p), 0);
		assert_int_equal(p.request.rows_max, all[i].rows);
		lock_bpf_plan_done(&p);
	}
}

static void delays_and_missing_cgroups_are_refused(void **state)
{
	struct lock_request rq = { .inject_delay = "1ms@tasklist_lock" };
	struct lock_bpf_plan p;

	(void)state;
	assert_int_equal(plan(&rq, NULL, &p), -EOPNOTSUPP);
	lock_bpf_plan_done(&p);
	rq = (struct lock_request){ .cgroups = "no/such/group" };
	assert_true(plan(&rq, NULL, &p) < 0);
	lock_bpf_plan_done(&p);
	rq = (struct lock_request){ .cgroups = "," };
	assert_int_equal(plan(&rq, NULL, &p), 0);
	assert_int_equal(p.request.n_cgroup_fds, 0);
	lock_bpf_plan_done(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_are_read_only_where_rows_need_them),
		cmocka_unit_test(types_become_flags),
		cmocka_unit_test(locks_are_found_by_symbol_address_or_owner),
		cmocka_unit_test(an_unknown_lock_is_refused_unless_user_space_may_have_it),
		cmocka_unit_test(room_is_a_power_of_two),
		cmocka_unit_test(delays_and_missing_cgroups_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
