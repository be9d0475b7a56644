/* SPDX-License-Identifier: MIT */
#pragma once
/* A small kernel for the models of locks, and events made by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "session/consumer.h"
#include "tools/lock/contention-internal-model.h"
#include "wire/sample.h"

/* in the code of locks, like all before MUTEX_END */
#define SPIN_LOCK  UINT64_C(0xffff000000001000)
#define MUTEX_LOCK UINT64_C(0xffff000000002000) /* of the scheduler's */
#define CALLER     UINT64_C(0xffff000000003000)
#define OUTER      UINT64_C(0xffff000000004000)
#define A_LOCK     UINT64_C(0xffff000000005000)

static const struct {
	const char *name;
	uint64_t addr;
} example_symbols[] = {
	{ "_raw_spin_lock", SPIN_LOCK },
	{ "mutex_lock", MUTEX_LOCK },
	{ "caller", CALLER },
	{ "outer", OUTER },
	{ "a_lock", A_LOCK },
};

static bool example_symbol(void *arg, uint32_t pid, uint64_t addr, struct lock_symbol *ret)
{
	(void)arg, (void)pid;
	for (size_t i = 0; i < ARRAY_SIZE(example_symbols); i++)
		if (addr - example_symbols[i].addr < 0x1000) {
			ret->name = example_symbols[i].name;
			ret->offset = addr - example_symbols[i].addr;
			return true;
		}
	return false;
}

static bool example_find(void *arg, const char *name, uint64_t *ret)
{
	static const struct {
		const char *name;
		uint64_t addr;
	} bounds[] = {
		{ "__sched_text_start", MUTEX_LOCK },
		{ "__sched_text_end", MUTEX_LOCK + 0x1000 },
		{ "__lock_text_start", SPIN_LOCK },
		{ "__lock_text_end", SPIN_LOCK + 0x1000 },
		{ "a_lock", A_LOCK },
	};

	(void)arg;
	for (size_t i = 0; i < ARRAY_SIZE(bounds); i++)
		if (!strcmp(bounds[i].name, name)) {
			*ret = bounds[i].addr;
			return true;
		}
	return false;
}

static const char *example_comm(void *arg, uint32_t tid)
{
	(void)arg;
	return tid == 10 ? "ten" : NULL;
}

static const char *example_cgroup(void *arg, uint64_t id)
{
	(void)arg;
	return id == 7 ? "/seven" : NULL;
}

__attribute__((unused)) static const struct lock_names example_names = {
	.symbol = example_symbol,
	.find = example_find,
	.comm = example_comm,
	.cgroup = example_cgroup,
};

__attribute__((unused)) static struct lock_contention_options example_options(enum lock_by by)
{
	return (struct lock_contention_options){
		.by = by, .stack_skip = 1, .max_stack = LOCK_STACK_DEPTH, .names = example_names
	};
}

/* Takes an event of thread 10 with the stack "slow path, _raw_spin_lock, @caller, outer". */
__attribute__((unused)) static void example_take(struct lock_contention *m, enum lock_kind kind,
						 uint64_t time, uint64_t addr, uint64_t caller)
{
	const uint64_t chain[] = { PERF_CONTEXT_KERNEL, CALLER + 0x999, SPIN_LOCK + 4, caller,
				   OUTER + 8 };
	const struct sample sample = { .pid = 10,
				       .tid = 10,
				       .chain = { .bytes = (const uint8_t *)chain, .n = 5 } };
	const struct session_sample s = { .sample = &sample, .time = time };
	const struct lock_event e = { .kind = kind,
				      .time = time,
				      .pid = 10,
				      .tid = 10,
				      .addr = addr,
				      .flags = kind == LOCK_BEGIN ? LOCK_MUTEX : 0,
				      .name = "class and more",
				      .name_length = 5 };

	lock_contention_take(m, &e, &s);
}

__attribute__((unused)) static const struct lock_row *
example_rows(struct lock_contention *m, enum lock_field key, size_t expected)
{
	size_t n;
	const struct lock_row *rows = lock_contention_sort(m, &(struct lock_sort){ .key = key },
							   &n);

	assert_int_equal(n, expected);
	return rows;
}
