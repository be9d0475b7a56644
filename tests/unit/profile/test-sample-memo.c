/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "profile/sample-memo.h"
#include "session/consumer.h"
#include "session/session.h"
#include "session/span.h"
#include "wire/abi.h"

/*
 * Samples of cpu-clock, as `perf record` makes them: header, ip, tid, time, cpu, period, and two
 * more.
 */
#define TYPES                                                                                      \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |                   \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)

enum {
	HEADER,
	IP,
	TID,
	TIME,
	CPU,
	PERIOD,
	REST,
	LAST,
	N_WORDS
};

static uint64_t digest_with(size_t changed, uint64_t spaces, const char *comm)
{
	struct sample_memo m;
	uint64_t words[N_WORDS] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct session_event event = { .attr.sample_type = TYPES };
	static struct session_event same;
	struct delivered d = { .event = &event,
			       .raw = { .bytes = (const uint8_t *)words,
					.header.size = sizeof(words) } };
	const struct session_sample s = { .record = &d, .event = &same };

	if (changed < N_WORDS)
		words[changed] ^= 0x100;
	sample_memo_init(&m);
	return sample_memo_digest(&m, &s, spaces, comm);
}

static void samples_differ_in_all_but_time_and_period(void **state)
{
	static const char comm[] = "ab";
	uint64_t digest = digest_with(N_WORDS, 1, comm);

	(void)state;
	for (size_t i = 0; i < N_WORDS; i++) {
		if (i == TIME || i == PERIOD)
			assert_true(digest_with(i, 1, comm) == digest);
		else
			assert_true(digest_with(i, 1, comm) != digest);
	}
	assert_true(digest_with(N_WORDS, 2, comm) != digest);
	assert_true(digest_with(N_WORDS, 1, comm + 1) != digest);
}

static void what_is_kept_is_found_at_its_times(void **state)
{
	struct sample_memo m;
	const struct span span = { .from = 10, .until = 20 };
	uint32_t node = 0;

	(void)state;
	sample_memo_init(&m);
	assert_false(sample_memo_find(&m, 77, 15, &node));
	sample_memo_keep(&m, 77, 5, &span);
	assert_true(sample_memo_find(&m, 77, 15, &node));
	assert_int_equal(node, 5);
	assert_false(sample_memo_find(&m, 77, 9, &node));
	assert_false(sample_memo_find(&m, 77, 20, &node));
	assert_false(sample_memo_find(&m, 78, 15, &node));
	sample_memo_forget(&m);
	assert_false(sample_memo_find(&m, 77, 15, &node));
	sample_memo_done(&m);
}

static void it_grows_and_then_forgets_some(void **state)
{
	const struct span span = SPAN_ALWAYS;
	struct sample_memo m;
	size_t room, found = 0;
	uint32_t node;

	(void)state;
	sample_memo_init(&m);
	for (uint64_t i = 1; i <= 1000; i++)
		sample_memo_keep(&m, i * 0x9e3779b97f4a7c15u, (uint32_t)i, &span);
	for (uint64_t i = 1; i <= 1000; i++)
		found += sample_memo_find(&m, i * 0x9e3779b97f4a7c15u, i, &node) && node == i;
	assert_true(found > 900);
	for (uint64_t i = 1; i <= 1000000; i++)
		sample_memo_keep(&m, i * 0x9e3779b97f4a7c15u, (uint32_t)i, &span);
	room = m.room;
	assert_true(m.n <= room);
	for (uint64_t i = 1; i <= 1000000; i++)
		sample_memo_keep(&m, i * 0xbf58476d1ce4e5b9u, (uint32_t)i, &span);
	assert_int_equal(m.room, room);
	sample_memo_done(&m);
}

static void looking_stops_where_nothing_is_found(void **state)
{
	struct sample_memo m;
	size_t looked = 0;

	(void)state;
	sample_memo_init(&m);
	for (size_t i = 0; i < 100000; i++)
		looked += sample_memo_pays(&m);
	assert_true(looked > 1000 && looked < 10000);
	for (size_t i = 0; i < 100000; i++)
		if (sample_memo_pays(&m))
			m.found++;
	looked = 0;
	for (size_t i = 0; i < 1000; i++) {
		looked += sample_memo_pays(&m);
		m.found++;
	}
	assert_int_equal(looked, 1000);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_differ_in_all_but_time_and_period),
		cmocka_unit_test(what_is_kept_is_found_at_its_times),
		cmocka_unit_test(it_grows_and_then_forgets_some),
		cmocka_unit_test(looking_stops_where_nothing_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
