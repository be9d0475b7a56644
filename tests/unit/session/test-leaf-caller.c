/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include <config.h>

#include "session/call-chain.h"
#include "session/leaf-caller.h"
#include "symbol/symbolizer.h"
#include "unwind/leaf-elf.h"

#define PID  7
#define BASE 0xaaaa00000000

/* A session in which PID has the program of unwind/leaf-elf.h at BASE. */
struct stage {
	struct recording rec;
	struct symbolizer *symbolizer;
	struct session *session;
	uint64_t text; /* at run time */
	int program;
};

static struct session *open_session(struct stage *g)
{
	_cleanup_(bytes_done) struct bytes file = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session *s;
	char path[32];

	write_file(&g->rec, &file);
	g->rec.fd = memfd_create("recording", MFD_CLOEXEC);
	assert_int_equal(write(g->rec.fd, file.data, file.n), file.n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", g->rec.fd);

	struct session_options o = { .path = path, .symbolizer = g->symbolizer };

	assert_int_equal(session_open(&o, &s, &diag), 0);
	assert_int_equal(session_scan(s, &diag), 0);
	return s;
}

static int set_up(void **state)
{
	static struct built_elf built;
	static struct stage g;
	char path[32];

	g = (struct stage){ .rec = recording_new() };
	g.text = BASE + leaf_elf_build(&built, ".eh_frame");
	g.program = memfd_create("program", MFD_CLOEXEC);
	assert_int_equal(write(g.program, built.bytes, built.size), built.size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", g.program);
	mmaps(&g.rec, PID, BASE, 0x10000, path, 10);
	g.symbolizer = symbolizer_new(&(struct symbolizer_options){ 0 });
	g.session = open_session(&g);
	*state = &g;
	return 0;
}

static int tear_down(void **state)
{
	struct stage *g = *state;

	session_free(g->session);
	symbolizer_free(g->symbolizer);
	recording_done(&g->rec);
	close(g->program);
	return 0;
}

/* What leaf_caller() says of a sample at @pc whose frame record tells @next; 0: nothing. */
static uint64_t caller_of(const struct stage *g, uint64_t abi, uint64_t mask, uint64_t pc,
			  uint64_t lr, uint64_t next)
{
	uint64_t chain[] = { PERF_CONTEXT_USER, pc, next }, ret = 0;
	struct sample s = {
		.misc = PERF_RECORD_MISC_USER,
		.pid = PID,
		.tid = PID,
		.chain = { .bytes = (const uint8_t *)chain, .n = 3 },
		.user_regs = { .abi = abi,
			       .mask = mask,
			       .values = { .bytes = (const uint8_t *)&lr, .n = 1 } },
	};
	struct leaf_memo memo = { 0 };
	bool found = leaf_caller(g->session, &memo, &s, 1, 20, &ret);

	/* The same from memory. */
	assert_int_equal(leaf_caller(g->session, &memo, &s, 1, 20, &ret), found);
	leaf_memo_done(&memo);

	assert_int_equal(found, ret != 0);
	return ret;
}

static uint64_t caller(const struct stage *g, uint64_t at, uint64_t lr, uint64_t next)
{
	return caller_of(g, 2, 1 << 30, g->text + at, lr, next);
}

static void the_caller_of_a_leaf_is_in_the_link_register(void **state)
{
	const struct stage *g = *state;
	uint64_t lr = g->text + LEAF_CALLS + 4;

	assert_int_equal(caller(g, LEAF_LEAF, lr, BASE + 8), lr - 1);
	assert_int_equal(caller(g, LEAF_STUB, lr, BASE + 8), lr - 1);
	assert_int_equal(caller(g, LEAF_SETS_FP, lr, BASE + 8), lr - 1);
	assert_int_equal(caller(g, LEAF_RESTORED, lr, BASE + 8), lr - 1);
}

static void with_a_frame_record_none_is_missing(void **state)
{
	const struct stage *g = *state;
	uint64_t lr = g->text + LEAF_CALLS + 4;

	assert_int_equal(caller(g, LEAF_CALLS, lr, BASE + 8), 0);
	assert_int_equal(caller(g, LEAF_START, lr, BASE + 8), 0);
	assert_int_equal(caller(g, LEAF_LEAF, lr, lr), 0);
}

static void an_unwound_stack_has_it_already(void **state)
{
	const struct stage *g = *state;
	uint64_t lr = g->text + LEAF_CALLS + 4;

	assert_int_equal(caller(g, LEAF_LEAF, lr, lr - 1), 0);
	assert_int_equal(caller(g, LEAF_LEAF, lr | 0x005a000000000000, lr - 1), 0);
}

static void a_signed_return_address_is_understood(void **state)
{
	const struct stage *g = *state;
	uint64_t lr = g->text + LEAF_CALLS + 4;

	assert_int_equal(caller(g, LEAF_LEAF, lr | 0x005a000000000000, BASE + 8), lr - 1);
}

static void an_address_that_is_nowhere_is_no_caller(void **state)
{
	const struct stage *g = *state;

	assert_int_equal(caller(g, LEAF_LEAF, 0, BASE + 8), 0);
	assert_int_equal(caller(g, LEAF_LEAF, 0x1234, BASE + 8), 0);
	assert_int_equal(caller(g, 0x100000, g->text + 8, BASE + 8), 0);
}

static void right_behind_a_call_the_link_register_tells_nothing(void **state)
{
	const struct stage *g = *state;

	assert_int_equal(caller(g, LEAF_LEAF + 4, g->text + LEAF_LEAF + 4, BASE + 8), 0);
	assert_int_equal(caller(g, LEAF_GO_RETURNED, g->text + LEAF_GO_RETURNED, BASE + 8), 0);
}

/* The stack of a sample at @at of the program, whose records tell @next and then BASE + 8. */
static size_t length_of(const struct stage *g, uint64_t mask, uint64_t at, uint64_t next)
{
	uint64_t chain[] = { PERF_CONTEXT_USER, g->text + at, g->text + next, BASE + 8 };
	uint64_t lr = BASE + 8;
	struct sample s = {
		.misc = PERF_RECORD_MISC_USER,
		.pid = PID,
		.tid = PID,
		.chain = { .bytes = (const uint8_t *)chain, .n = 4 },
		.user_regs = { .abi = 2,
			       .mask = mask,
			       .values = { .bytes = (const uint8_t *)&lr, .n = 1 } },
	};
	struct call_chain c = { 0 };
	size_t n;

	call_chain_take(&c, g->session, &s, 20, 10);
	assert_int_equal(c.items[0].ip, g->text + at);
	assert_int_equal(c.items[c.n - 1].ip, BASE + 8);
	n = c.n;
	call_chain_done(&c);
	return n;
}

static void where_a_callee_will_return_to_is_no_caller(void **state)
{
	const struct stage *g = *state;
	uint64_t lr = 1 << 30;

	assert_int_equal(length_of(g, lr, LEAF_GO_CALLS, LEAF_GO_RETURNED), 2);
	assert_int_equal(length_of(g, lr, LEAF_GO_RETURNED, LEAF_GO_RETURNED), 2);
	assert_int_equal(length_of(g, lr, LEAF_GO_RESET, LEAF_GO_RETURNED), 3);
	assert_int_equal(length_of(g, lr, LEAF_GO_CALLS, LEAF_CALLS + 4), 3);
	assert_int_equal(length_of(g, lr, LEAF_CALLS, LEAF_CALLS + 4), 3); /* a recursion */
	assert_int_equal(length_of(g, 1, LEAF_GO_CALLS, LEAF_GO_RETURNED), 3);
}

static void other_machines_and_registers_tell_nothing(void **state)
{
	const struct stage *g = *state;
	uint64_t pc = g->text + LEAF_LEAF, lr = g->text + LEAF_CALLS + 4;

	assert_int_equal(caller_of(g, 1, 1 << 30, pc, lr, BASE + 8), 0); /* a 32-bit process */
	assert_int_equal(caller_of(g, 2, 1 << 29, pc, lr, BASE + 8), 0);
	assert_int_equal(caller_of(g, 0, 0, pc, lr, BASE + 8), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_caller_of_a_leaf_is_in_the_link_register),
		cmocka_unit_test(with_a_frame_record_none_is_missing),
		cmocka_unit_test(an_unwound_stack_has_it_already),
		cmocka_unit_test(a_signed_return_address_is_understood),
		cmocka_unit_test(an_address_that_is_nowhere_is_no_caller),
		cmocka_unit_test(right_behind_a_call_the_link_register_tells_nothing),
		cmocka_unit_test(where_a_callee_will_return_to_is_no_caller),
		cmocka_unit_test(other_machines_and_registers_tell_nothing),
	};

	return HAVE_LIBELF ? cmocka_run_group_tests(tests, set_up, tear_down) : built_skip();
}
