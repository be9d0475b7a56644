/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include "base/memory.h"
#include "session/call-chain.h"
#include "session/internal.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"

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

static void the_last_of_the_markers_ends_a_stack_and_the_address_before_is_one(void **state)
{
	struct fixture *f = *state;

	TAKE_CHAIN(f, 127, PERF_CONTEXT_KERNEL, KERNEL, PERF_CONTEXT_MAX, KERNEL + 8);
	assert_int_equal(f->chain.n, 1);
	TAKE_CHAIN(f, 127, PERF_CONTEXT_KERNEL, KERNEL, PERF_CONTEXT_MAX - 1, KERNEL + 8);
	assert_int_equal(f->chain.n, 3);
	assert_true(f->chain.items[1].ip == PERF_CONTEXT_MAX - 1);
}

static void a_cookie_is_kept_apart_from_addresses(void **state)
{
	struct fixture *f = *state;

	TAKE_CHAIN(f, 127, PERF_CONTEXT_KERNEL, KERNEL, PERF_CONTEXT_USER_DEFERRED, 77);
	assert_int_equal(f->chain.n, 2);
	assert_false(f->chain.items[0].is_cookie);
	assert_true(f->chain.items[1].is_cookie);
	assert_int_equal(f->chain.items[1].ip, 77);
	assert_int_equal(f->chain.items[1].mode, ADDRESS_UNKNOWN);
	assert_false(f->chain.items[1].is_return);
	TAKE_CHAIN(f, 127, PERF_CONTEXT_KERNEL, KERNEL, PERF_CONTEXT_USER_DEFERRED);
	assert_int_equal(f->chain.n, 1);
}

/* Adds the stack of thread 0, which take() samples, for the cookie 77. */
static void defer(struct fixture *f)
{
	static const uint64_t ips[] = { 0x10, 0x20, 0x30 };
	const struct record_callchain_deferred r = {
		.cookie = 77, .ips = { .bytes = (const uint8_t *)ips, .n = 3 }
	};

	f->session->events.defers = true;
	deferred_chains_add(&f->session->machine.deferred, 0, 1, &r);
}

static void a_deferred_stack_takes_the_place_of_its_cookie(void **state)
{
	static const uint64_t ips[] = { KERNEL, KERNEL + 8, 0x10, 0x20, 0x30 };
	struct fixture *f = *state;

	defer(f);
	TAKE_CHAIN(f, 127, PERF_CONTEXT_KERNEL, KERNEL, KERNEL + 8, PERF_CONTEXT_USER_DEFERRED, 77);
	assert_int_equal(f->chain.n, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_true(f->chain.items[i].ip == ips[i]);
		assert_int_equal(f->chain.items[i].mode, i < 2 ? ADDRESS_KERNEL : ADDRESS_USER);
		assert_int_equal(f->chain.items[i].is_return, i != 0 && i != 2);
		assert_false(f->chain.items[i].is_cookie);
	}
	f->session->keeps_cookies = true;
	TAKE_CHAIN(f, 127, PERF_CONTEXT_KERNEL, KERNEL, PERF_CONTEXT_USER_DEFERRED, 77);
	assert_int_equal(f->chain.n, 2);
	assert_true(f->chain.items[1].is_cookie);
}

static void a_deferred_stack_that_never_came_leaves_the_kernels_part(void **state)
{
	struct fixture *f = *state;

	defer(f);
	TAKE_CHAIN(f, 127, PERF_CONTEXT_KERNEL, KERNEL, PERF_CONTEXT_USER_DEFERRED, 78);
	assert_int_equal(f->chain.n, 1);
	TAKE_CHAIN(f, 127, PERF_CONTEXT_KERNEL, KERNEL, PERF_CONTEXT_USER, 0x10);
	assert_int_equal(f->chain.n, 2);
}

static void only_stacks_of_usual_depth_mark_that_chains_were_taken(void **state)
{
	struct fixture *f = *state;

	TAKE_CHAIN(f, CHAIN_DEPTH_DEFAULT - 1, KERNEL);
	assert_false(f->session->takes_chains);
	TAKE_CHAIN(f, CHAIN_DEPTH_DEFAULT, KERNEL);
	assert_true(f->session->takes_chains);
}

#define JIT       0xcccc00000000
#define STACK     0xffff00001000
#define REGISTERS 33 /* of aarch64: 29 is the frame pointer, 31 the stack pointer, 32 the pc */
#define RECORDS   20

/* A sample in JIT code, whose callers are found by RECORDS frame records on the stack. */
struct frames {
	uint64_t regs[REGISTERS], stack[64];
	struct sample sample;
};

static void frames_init(struct frames *f)
{
	*f = (struct frames){
		.regs = { [29] = STACK + 64, [31] = STACK, [32] = JIT + 1 },
		.sample = { .misc = PERF_RECORD_MISC_USER,
			    .pid = 7,
			    .tid = 7,
			    .user_regs = { .abi = 2,
					   .mask = ((uint64_t)1 << REGISTERS) - 1,
					   .values = { .bytes = (const uint8_t *)f->regs,
						       .n = REGISTERS } },
			    .stack = (const uint8_t *)f->stack,
			    .stack_size = sizeof(f->stack),
			    .stack_dyn_size = sizeof(f->stack) },
	};
	for (size_t i = 0; i < RECORDS; i++) {
		f->stack[8 + 2 * i] = i + 1 < RECORDS ? STACK + 64 + 16 * (i + 1) : 0;
		f->stack[9 + 2 * i] = JIT + 0x100 * (i + 1);
	}
}

static void what_the_kernel_did_not_unwind_is_unwound(void **state)
{
	static const uint64_t kernel[] = { PERF_CONTEXT_KERNEL, KERNEL, PERF_CONTEXT_USER, 0x10 };
	_cleanup_(symbolizer_freep) struct symbolizer *names =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(call_chain_done) struct call_chain c = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct frames f;

	(void)state;
	mmaps(&rec, 7, JIT, 0x10000, "//anon", 1);
	rec.symbolizer = names;
	s = opened(&rec, false);
	assert_int_equal(session_scan(s, &diag), 0);
	frames_init(&f);
	f.sample.chain = (struct words){ .bytes = (const uint8_t *)kernel, .n = 2 };
	call_chain_take(&c, s, &f.sample, 20, 127);
	assert_int_equal(c.n, 1 + 1 + RECORDS);
	assert_true(c.items[0].ip == KERNEL);
	assert_int_equal(c.items[1].ip, JIT + 1);
	assert_int_equal(c.items[1].mode, ADDRESS_USER);
	for (size_t i = 0; i < RECORDS; i++)
		assert_int_equal(c.items[2 + i].ip, JIT + 0x100 * (i + 1) - 1);
	call_chain_take(&c, s, &f.sample, 20, 5);
	assert_int_equal(c.n, 1 + 5);
	/* The kernel did, */
	f.sample.chain.n = 4;
	call_chain_take(&c, s, &f.sample, 20, 127);
	assert_int_equal(c.n, 2);
	/* there are no registers, */
	f.sample.chain.n = 2;
	f.sample.user_regs.abi = 0;
	call_chain_take(&c, s, &f.sample, 20, 127);
	assert_int_equal(c.n, 1);
	/* or functions are not requested. */
	f.sample.user_regs.abi = 2;
	s->with_symbols = false;
	call_chain_take(&c, s, &f.sample, 20, 127);
	assert_int_equal(c.n, 1);
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
		TEST(the_last_of_the_markers_ends_a_stack_and_the_address_before_is_one),
		TEST(a_cookie_is_kept_apart_from_addresses),
		TEST(a_deferred_stack_takes_the_place_of_its_cookie),
		TEST(a_deferred_stack_that_never_came_leaves_the_kernels_part),
		TEST(only_stacks_of_usual_depth_mark_that_chains_were_taken),
		cmocka_unit_test(what_the_kernel_did_not_unwind_is_unwound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
