/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the model of perf lock with events of locks in any order, with any stack: it does not
 * crash and does not leak, and its rows add up.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lock/contention-internal-model.h"
#include "session/consumer.h"
#include "wire/sample.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Each event is made of this many bytes. */
#define EVENT_BYTES 8

static bool symbol(void *arg, uint32_t pid, uint64_t addr, struct lock_symbol *ret)
{
	(void)arg, (void)pid;
	*ret = (struct lock_symbol){ .name = addr & 1 ? "odd" : "even\x1b", .offset = addr >> 4 };
	return addr & 3;
}

static bool find(void *arg, const char *name, uint64_t *ret_addr)
{
	(void)arg;
	*ret_addr = (uint64_t)strlen(name) * 8;
	return strlen(name) & 1;
}

static const char *name_of(void *arg, uint64_t id)
{
	(void)arg;
	return id & 1 ? "name" : NULL;
}

static const char *comm_of(void *arg, uint32_t tid)
{
	return name_of(arg, tid);
}

static void feed(struct lock_contention *m, const uint8_t *b, uint64_t time)
{
	uint64_t chain[] = {
		PERF_CONTEXT_KERNEL, b[4], b[5], b[6], b[7], b[4] ^ b[5], b[6] ^ b[7]
	};
	const struct sample sample = { .tid = b[1] % 8,
				       .cgroup = b[3] & 3,
				       .chain = { (const uint8_t *)chain, b[2] % 8, false } };
	const struct session_sample s = { .sample = &sample, .time = time };
	const struct lock_event e = { .kind = b[0] % LOCK_KINDS,
				      .time = time,
				      .tid = b[1] % 8,
				      .addr = b[3] % 16,
				      .flags = b[2] >> 2,
				      .name = (const char *)b,
				      .name_length = strnlen((const char *)b, EVENT_BYTES) };
	const struct lock_waits w = { .tid = e.tid,
				      .addr = e.addr,
				      .flags = e.flags,
				      .stack = chain + 1,
				      .n_stack = b[2] % 6,
				      .contended = 1,
				      .total_ns = b[4] };

	if (b[0] < 250)
		lock_contention_take(m, &e, &s);
	else
		lock_contention_add(m, &w);
}

static void check(struct lock_contention *m, bool combine)
{
	size_t n;
	const struct lock_row *rows = lock_contention_sort(
		m, &(struct lock_sort){ .key = LOCK_FIELD_CONTENDED, .combine = combine }, &n);

	for (size_t i = 0; i < n; i++)
		if (rows[i].max_ns > rows[i].total_ns || rows[i].min_ns > rows[i].max_ns ||
		    (i && rows[i].contended > rows[i - 1].contended) || !rows[i].name)
			abort();
	lock_contention_list(m, &n);
	lock_contention_threads(m, &n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *parts[] = { "od" };
	const struct lock_filters filters = { .callers = { .items = parts, .n = 1 } };
	struct lock_contention_options o = { .names = { symbol, find, comm_of, name_of, NULL } };
	struct lock_contention *m;
	uint64_t time = 1000000;

	if (size < 2)
		return 0;
	o.by = data[0] % (LOCK_BY_CGROUP + 1);
	o.acquisitions = data[0] & 8;
	o.keep_threads = data[0] & 16;
	o.keep_stacks = data[0] & 32;
	o.filters = data[0] & 64 ? &filters : NULL;
	o.stack_skip = data[1] % 4;
	o.max_stack = data[1] / 4 % 8;
	m = lock_contention_new(&o);
	for (size_t i = 2; i + EVENT_BYTES <= size; i += EVENT_BYTES, time += 50)
		feed(m, data + i, time);
	check(m, false);
	check(m, true);
	lock_contention_free(m);
	return 0;
}
