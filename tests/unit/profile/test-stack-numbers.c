/* SPDX-License-Identifier: MIT */
#include "profile/stack-numbers.h"

#include "example-table.h"
#include "profile/stacks.h"

struct numbering {
	struct stack_numbers *numbers;
	uint32_t nodes[8];
	unsigned workers[8];
	size_t n;
	bool last_first; /* the batch is processed from its end */
};

static int take(void *arg, const struct sample_batch *b)
{
	struct numbering *n = arg;

	for (size_t i = 0; i < b->n; i++) {
		size_t at = n->last_first ? b->n - 1 - i : i;
		const uint32_t *nodes;

		n->workers[at] = (unsigned)i % 2;
		stack_numbers_take(n->numbers,
				   &(struct sample_batch){ .items = &b->items[at],
							   .n = 1,
							   .worker = n->workers[at] },
				   &nodes);
		n->nodes[at] = nodes[0];
		n->n++;
	}
	return 0;
}

static void number(struct example_profile *p, struct numbering *n)
{
	struct diag diag = { 0 };

	p->session = opened(&p->recording, false);
	assert_int_equal(session_scan(p->session, &diag), 0);
	n->numbers = stack_numbers_new(p->session, 127, 2);
	assert_int_equal(
		session_feed(
			p->session, NULL,
			&(struct consumer){ .order = CONSUMER_IN_ORDER, .samples = take, .arg = n },
			&diag),
		0);
	stack_numbers_settle(n->numbers);
	diag_done(&diag);
}

static uint32_t number_of(const struct numbering *n, size_t i)
{
	return stack_numbers_of(n->numbers, n->workers[i], n->nodes[i]);
}

static void check_numbers(bool last_first)
{
	struct numbering n = { .last_first = last_first };
	struct example_profile p;

	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 1, 0x1100, 0x5200);
	EXAMPLE_STACK(&p, 10, 101, 1, 0x5200);
	EXAMPLE_STACK(&p, 10, 102, 1, 0x1100, 0x5200);
	number(&p, &n);
	assert_int_equal(n.n, 3);
	assert_int_equal(stack_numbers_count(n.numbers), 2);
	assert_int_equal(number_of(&n, 0), 1);
	assert_int_equal(number_of(&n, 1), 2);
	assert_int_equal(number_of(&n, 2), 1);
	assert_int_equal(stack_numbers_of(n.numbers, 0, STACK_NONE), 0);
	assert_int_equal(stack_numbers_frame_count(n.numbers), 2);
	stack_numbers_free(n.numbers);
	example_profile_done(&p);
}

static void stacks_are_numbered_by_time_whoever_took_them(void **state)
{
	(void)state;
	check_numbers(false);
	check_numbers(true);
}

static void a_stack_is_walked_from_its_innermost_frame(void **state)
{
	struct numbering n = { 0 };
	struct example_profile p;
	uint32_t at;

	(void)state;
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 1, 0x1100, 0x5200);
	number(&p, &n);
	at = stack_numbers_first(n.numbers, 1);
	assert_int_equal(stack_numbers_frame_at(n.numbers, at), 1);
	assert_non_null(stack_numbers_frame(n.numbers, 1));
	at = stack_numbers_outer(n.numbers, at);
	assert_int_equal(stack_numbers_frame_at(n.numbers, at), 2);
	assert_int_equal(stack_numbers_outer(n.numbers, at), STACK_NONE);
	stack_numbers_free(n.numbers);
	example_profile_done(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_are_numbered_by_time_whoever_took_them),
		cmocka_unit_test(a_stack_is_walked_from_its_innermost_frame),
	};

	return cmocka_run_group_tests_name("profile/stack-numbers", tests, NULL, NULL);
}
