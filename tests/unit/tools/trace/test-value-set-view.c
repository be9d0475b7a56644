/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "trace-values.h"

static void signals_of_a_set_are_named(void **state)
{
	(void)state;
	const uint64_t set = 1ul << 1 | 1ul << 16, last = 1ul << 63;
	struct made_call m;

	MADE(&m, "rt_sigprocmask", 0, 0x1000, 0, 8);
	points_to(&m, 1, 0, &last, sizeof(last), 0);
	assert_args(&m, &named, "how: BLOCK, nset: [RT_32], sigsetsize: 8");
	points_to(&m, 1, 0, &set, sizeof(set), 0);
	assert_args(&m, &named, "how: BLOCK, nset: [INT CHLD], sigsetsize: 8");
	assert_args_json(&m, "{\"args\": {\"how\": \"SIG_BLOCK\", \"nset\": [\"SIGINT\", "
			     "\"SIGCHLD\"], \"oset\": null, \"sigsetsize\": 8}}");
}

static void a_set_of_most_signals_shows_the_others(void **state)
{
	(void)state;
	const uint64_t set = ~(1ul << 8 | 1ul << 18);
	struct made_call m;

	MADE(&m, "rt_sigprocmask", 2, 0x1000, 0, 8);
	points_to(&m, 1, 0, &set, sizeof(set), 0);
	assert_args(&m, &named, "how: SETMASK, nset: ~[KILL STOP], sigsetsize: 8");
	m.data[0].size = 0;
	assert_args(&m, &named, "how: SETMASK, nset: [], sigsetsize: 8");
}

static void descriptors_of_a_set_are_listed(void **state)
{
	(void)state;
	uint8_t set[128] = { 0x21, 0, 1 };
	struct made_call m;

	MADE(&m, "select", 17, 0x1000, 0, 0, 0);
	points_to(&m, 1, 0, set, sizeof(set), 0);
	assert_args(&m, &named, "n: 17, inp: [0 5 16]");
	MADE(&m, "select", 0x7fffffff, 0x1000, 0, 0, 0);
	points_to(&m, 1, 0, set, 1, 0);
	assert_args(&m, &named, "n: 2147483647, inp: [0 5]");
	memset(set, 0xff, sizeof(set));
	points_to(&m, 1, 0, set, sizeof(set), 0);
	assert_args_json(&m,
			 "{\"args\": {\"n\": 2147483647, \"inp\": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, "
			 "10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, "
			 "27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, "
			 "44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, "
			 "61, 62, 63], \"outp\": null, \"exp\": null, \"tvp\": null}, "
			 "\"cut\": true}");
}

static void the_end_of_a_process_is_told(void **state)
{
	(void)state;
	static const struct {
		uint32_t status;
		const char *text;
	} cases[] = {
		{ 3 << 8, "{ .exited: 3 }" },
		{ 9, "{ .killed: KILL }" },
		{ 0x8b, "{ .killed: SEGV, .core: 1 }" },
		{ 0x137f, "{ .stopped: STOP }" },
		{ 0xffff, "{ .continued: 1 }" },
	};
	struct made_call m;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		_cleanup_(text_done) struct text t = TEXT_EMPTY;

		MADE(&m, "wait4", 5, 0x1000, 0, 0);
		points_to(&m, 1, 0, &cases[i].status, 4, CALL_DATA_AT_EXIT);
		trace_arg_text(&t, &m.call, 1, &named);
		assert_string_equal(t.chars, cases[i].text);
	}
}

struct entry {
	uint64_t inode, offset;
	uint16_t length;
	uint8_t type;
	char name[5];
} __attribute__((packed));

static void entries_of_directories_are_names(void **state)
{
	(void)state;
	struct entry entries[] = { { 1, 1, 24, 4, "." }, { 2, 2, 24, 8, "a\nb" } };
	struct made_call m;

	MADE(&m, "getdents64", 3, 0x1000, 32768);
	points_to(&m, 1, 0, entries, sizeof(entries), CALL_DATA_AT_EXIT);
	assert_args(&m, &named, "fd: 3, dirent: [\".\", \"a\\nb\"], count: 32768");
}

static void entries_whose_length_lies_end_the_list(void **state)
{
	(void)state;
	struct entry entries[] = { { 1, 1, 24, 4, "." }, { 2, 2, 25, 8, "a" } };
	struct made_call m;

	MADE(&m, "getdents64", 3, 0x1000, 1);
	points_to(&m, 1, 0, entries, sizeof(entries), CALL_DATA_AT_EXIT);
	assert_args(&m, &named, "fd: 3, dirent: [\".\", ...], count: 1");
	entries[1].length = 0;
	assert_args(&m, &named, "fd: 3, dirent: [\".\", ...], count: 1");
	m.data[0].size = 30;
	assert_args(&m, &named, "fd: 3, dirent: [\".\", ...], count: 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signals_of_a_set_are_named),
		cmocka_unit_test(a_set_of_most_signals_shows_the_others),
		cmocka_unit_test(descriptors_of_a_set_are_listed),
		cmocka_unit_test(the_end_of_a_process_is_told),
		cmocka_unit_test(entries_of_directories_are_names),
		cmocka_unit_test(entries_whose_length_lies_end_the_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
