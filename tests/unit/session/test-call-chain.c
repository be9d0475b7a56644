/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "base/memory.h"
#include "session/call-chain.h"
#include "session/machine.h"

#define KERNEL 0xffff800080010000

struct fixture {
	struct recording recording;
	struct session *session;
	struct call_chain chain;
};

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));

	f->recording = recording_new();
	f->session = opened(&f->recording, false);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	call_chain_done(&f->chain);
	session_free(f->session);
	recording_done(&f->recording);
	free(f);
	return 0;
}

static void take(struct fixture *f, const uint64_t *chain, size_t n, size_t max)
{
	const struct sample s = {
		.misc = PERF_RECORD_MISC_KERNEL,
		.chain = { .bytes = (const uint8_t *)chain, .n = n },
	};

	call_chain_take(&f->chain, f->session, &s, 1, max);
}

#define TAKE_CHAIN(f, max, ...)                                                                    \
	take(f, (const uint64_t[]){ __VA_ARGS__ },                                                 \
	     sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t), max)

static void markers_say_where_entries_are(void **state)
{
	struct fixture *f = *state;

	TAKE_CHAIN(f, 127, PERF_CONTEXT_KERNEL, KERNEL, KERNEL + 8, PERF_CONTEXT_USER, 0x10, 0x20);
	assert_int_equal(f->chain.n, 4);
	assert_true(f->chain.items[0].ip == KERNEL);
	assert_int_equal(f->chain.items[1].mode, ADDRESS_KERNEL);
	assert_int_equal(f->chain.items[2].mode, ADDRESS_USER);
	assert_int_equal(f->chain.items[3].ip, 0x20);
}

static void what_comes_first_in_its_mode_is_no_return_address(void **state)
{
	struct fixture *f = *state;

	TAKE_CHAIN(f, 127, PERF_CONTEXT_KERNEL, KERNEL, KERNEL + 8, PERF_CONTEXT_USER, 0x10, 0x20);
	assert_false(f->chain.items[0].is_return);
	assert_true(f->chain.items[1].is_return);
	assert_false(f->chain.items[2].is_return);
	assert_true(f->chain.items[3].is_return);
}

static void without_a_marker_entries_are_where_the_sample_is(void **state)
{
	struct fixture *f = *state;

	TAKE_CHAIN(f, 127, KERNEL, KERNEL + 8);
	assert_int_equal(f->chain.n, 2);
	assert_int_equal(f->chain.items[0].mode, ADDRESS_KERNEL);
}

static void a_marker_that_nobody_knows_ends_the_stack(void **state)
{
	struct fixture *f = *state;

	TAKE_CHAIN(f, 127, PERF_CONTEXT_USER, 0x10, (uint64_t)-4000, 0x20);
	assert_int_equal(f->chain.n, 1);
}

static void markers_do_not_count(void **state)
{
	struct fixture *f = *state;

	TAKE_CHAIN(f, 2, PERF_CONTEXT_KERNEL, KERNEL, PERF_CONTEXT_USER, 0x10, 0x20);
	assert_int_equal(f->chain.n, 2);
	assert_int_equal(f->chain.items[1].ip, 0x10);
}

static void a_chain_is_used_again(void **state)
{
	struct fixture *f = *state;

	TAKE_CHAIN(f, 127, PERF_CONTEXT_USER, 0x10, 0x20, 0x30);
	TAKE_CHAIN(f, 127, PERF_CONTEXT_USER, 0x40);
	assert_int_equal(f->chain.n, 1);
	assert_int_equal(f->chain.items[0].ip, 0x40);
	take(f, NULL, 0, 127);
	assert_int_equal(f->chain.n, 0);
}

static void guests_and_hypervisors_have_markers(void **state)
{
	enum address_mode mode = ADDRESS_UNKNOWN;

	(void)state;
	assert_true(call_chain_marker(PERF_CONTEXT_GUEST_KERNEL, &mode));
	assert_int_equal(mode, ADDRESS_GUEST_KERNEL);
	assert_true(call_chain_marker(PERF_CONTEXT_GUEST_USER, &mode));
	assert_int_equal(mode, ADDRESS_GUEST_USER);
	assert_true(call_chain_marker(PERF_CONTEXT_HV, &mode));
	assert_int_equal(mode, ADDRESS_HYPERVISOR);
	assert_false(call_chain_marker((uint64_t)-4000, &mode));
	assert_int_equal(mode, ADDRESS_HYPERVISOR);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(markers_say_where_entries_are),
		TEST(what_comes_first_in_its_mode_is_no_return_address),
		TEST(without_a_marker_entries_are_where_the_sample_is),
		TEST(a_marker_that_nobody_knows_ends_the_stack),
		TEST(markers_do_not_count),
		TEST(a_chain_is_used_again),
		TEST(guests_and_hypervisors_have_markers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
