/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "feature-round.h"

static void bits_survive(void **state)
{
	(void)state;
	uint64_t words[] = { 0xff, 1 };
	struct memory_node node = { .node = 0, .n_bits = 65, .words = words };
	struct features f = { .mem_topology = { 1, 1 << 27, { &node, 1, 0 } } }, g = { 0 };

	feature_round_trip(&f, FEATURE_MEM_TOPOLOGY, &g);
	assert_int_equal(g.mem_topology.nodes.items[0].words[1], 1);
	features_done(&g);
	feature_cut_is_refused(&f, FEATURE_MEM_TOPOLOGY);
}

static void more_bits_than_bytes_are_refused(void **state)
{
	(void)state;
	const uint64_t payload[] = { 1, 0, 1, 0, UINT64_MAX, UINT64_MAX, 0 };
	struct features f = { 0 };

	assert_int_not_equal(features_decode(&f, FEATURE_MEM_TOPOLOGY,
					     cursor_over(payload, sizeof(payload), false)),
			     0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(bits_survive),
		cmocka_unit_test(more_bits_than_bytes_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
