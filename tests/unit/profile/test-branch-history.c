/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/branch-history.h"
#include "profile/branch-note.h"
#include "session/call-chain.h"
#include "wire/branch.h"

#define KERNEL 0xffff800080010000
#define MAX    16

struct made {
	uint64_t words[3 * MAX];
	struct sample sample;
	struct call_chain chain;
	struct branch_history history;
};

static void example_done(struct made *m)
{
	call_chain_done(&m->chain);
	branch_history_done(&m->history);
}

/* Adds a branch behind the others, newest first. Branch n, from 0 on, has n + 1 cycles. */
static void branched(struct made *m, uint64_t from, uint64_t to)
{
	size_t n = m->sample.branches.n / 3;

	m->words[3 * n] = from;
	m->words[3 * n + 1] = to;
	m->words[3 * n + 2] = BRANCH_PREDICTED | (n + 1) << 4;
	m->sample.branches = (struct words){ .bytes = (const uint8_t *)m->words, .n = 3 * (n + 1) };
}

static void called(struct made *m, uint64_t ip)
{
	m->chain.items = array_reserve(m->chain.items, &m->chain.room, m->chain.n + 1,
				       sizeof(*m->chain.items));
	m->chain.items[m->chain.n++] = (struct chain_entry){ .ip = ip };
}

static void take(struct made *m)
{
	branch_history_take(&m->history, &m->chain, &m->sample);
	assert_int_equal(m->history.n, m->chain.n);
}

static void a_branch_is_where_it_went_and_where_it_came_from(void **state)
{
	_cleanup_(example_done) struct made m = { 0 };

	(void)state;
	called(&m, 0x204);
	branched(&m, 0x110, 0x200);
	take(&m);
	assert_int_equal(m.chain.n, 2);
	assert_int_equal(m.chain.items[0].ip, 0x200);
	assert_int_equal(m.history.items[0].part, HISTORY_TO);
	assert_int_equal(m.chain.items[1].ip, 0x110);
	assert_int_equal(m.history.items[1].part, HISTORY_FROM);
	assert_int_equal(m.chain.items[1].mode, ADDRESS_USER);
}

static void callers_whose_calls_are_known_are_not_repeated(void **state)
{
	_cleanup_(example_done) struct made m = { 0 };

	(void)state;
	called(&m, 0x204);
	called(&m, 0x115);
	called(&m, 0x15);
	branched(&m, 0x110, 0x200);
	branched(&m, 0x100, 0x108);
	take(&m);
	assert_int_equal(m.chain.n, 5);
	assert_int_equal(m.chain.items[4].ip, 0x15);
	assert_int_equal(m.history.items[4].part, HISTORY_CALLER);
}

static void the_kernel_stands_before_branches_of_a_program(void **state)
{
	_cleanup_(example_done) struct made m = { 0 };

	(void)state;
	called(&m, KERNEL);
	called(&m, 0x204);
	branched(&m, 0x110, 0x200);
	take(&m);
	assert_int_equal(m.chain.n, 3);
	assert_true(m.chain.items[0].ip == KERNEL);
	assert_int_equal(m.history.items[0].part, HISTORY_CALLER);
	assert_int_equal(m.chain.items[1].ip, 0x200);
}

static void without_branches_the_stack_is_callers(void **state)
{
	_cleanup_(example_done) struct made m = { 0 };

	(void)state;
	called(&m, 0x204);
	called(&m, 0x115);
	take(&m);
	assert_int_equal(m.chain.n, 2);
	assert_int_equal(m.history.items[1].part, HISTORY_CALLER);
}

static void a_loop_is_there_once(void **state)
{
	_cleanup_(example_done) struct made m = { 0 };

	(void)state;
	branched(&m, 0x50, 0x200);
	for (unsigned i = 0; i < 3; i++) {
		branched(&m, 0x220, 0x210);
		branched(&m, 0x218, 0x21c);
	}
	branched(&m, 0x10, 0x20);
	take(&m);
	assert_int_equal(m.chain.n, 2 * 4);
	assert_int_equal(m.history.items[3].iterations, 3);
	assert_int_equal(m.history.items[3].loop_cycles, 2 + 3 + 4 + 5 + 6 + 7);
	assert_int_equal(m.history.items[5].iterations, 0);
	assert_int_equal(m.chain.items[7].ip, 0x10);
}

static void entries_add_up_in_notes(void **state)
{
	struct branch_note n = { 0 };
	struct history_entry to = { .part = HISTORY_TO,
				    .branch = { 0x10, 0x20, BRANCH_PREDICTED | 1 << 20 } };
	struct history_entry from = { .part = HISTORY_FROM,
				      .branch = { 0x10, 0x20, 7 << 4 },
				      .iterations = 3,
				      .loop_cycles = 30 };

	(void)state;
	history_entry_note(&to, &n);
	history_entry_note(&from, &n);
	history_entry_note(&(struct history_entry){ .part = HISTORY_CALLER }, &n);
	assert_int_equal(n.to, 1);
	assert_int_equal(n.predicted, 1);
	assert_int_equal(n.ways, WENT_FORWARD);
	assert_int_equal(n.kinds, 1 << BRANCH_CONDITIONAL);
	assert_int_equal(n.from, 1);
	assert_int_equal(n.cycles, 7);
	assert_int_equal(n.loops, 1);
	assert_int_equal(n.iterations, 3);
	assert_int_equal(n.callers, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_branch_is_where_it_went_and_where_it_came_from),
		cmocka_unit_test(callers_whose_calls_are_known_are_not_repeated),
		cmocka_unit_test(the_kernel_stands_before_branches_of_a_program),
		cmocka_unit_test(without_branches_the_stack_is_callers),
		cmocka_unit_test(a_loop_is_there_once),
		cmocka_unit_test(entries_add_up_in_notes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
