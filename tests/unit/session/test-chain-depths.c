/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "session/chain-depths.h"
#include "wire/record.h"

static size_t frames_of(const uint64_t *ips, size_t n)
{
	return chain_depth_of(&(struct words){ .bytes = (const uint8_t *)ips, .n = n });
}

static void marks_and_cookies_are_no_frames(void **state)
{
	const uint64_t chain[] = { PERF_CONTEXT_KERNEL,
				   0xffff800000000010,
				   PERF_CONTEXT_USER,
				   0x1000,
				   0x2000,
				   0x3000,
				   PERF_CONTEXT_USER_DEFERRED,
				   77 };

	(void)state;
	assert_int_equal(frames_of(chain, 8), 4);
	assert_int_equal(frames_of(chain, 7), 4);
	assert_int_equal(frames_of(chain, 1), 0);
	assert_int_equal(frames_of(chain, 0), 0);
}

static void the_deepest_chains_of_each_event_are_counted(void **state)
{
	_cleanup_(chain_depths_freep) struct chain_depths *d = chain_depths_new();

	(void)state;
	chain_depths_add(d, 2, 127);
	chain_depths_add(d, 2, 130);
	chain_depths_add(d, 2, 130);
	chain_depths_add(d, 2, 128);
	chain_depths_add(d, 0, 127);
	assert_int_equal(chain_depths_of(d, 2).frames, 130);
	assert_int_equal(chain_depths_of(d, 2).n, 2);
	assert_int_equal(chain_depths_of(d, 0).frames, 127);
	assert_int_equal(chain_depths_of(d, 0).n, 1);
	assert_int_equal(chain_depths_of(d, 1).n, 0);
	assert_int_equal(chain_depths_of(d, 3).n, 0);
}

static void all_stacks_are_counted(void **state)
{
	_cleanup_(chain_depths_freep) struct chain_depths *d = chain_depths_new();

	(void)state;
	chain_depths_add_stacks(d, 3);
	chain_depths_add_stacks(d, 4);
	assert_int_equal(chain_depths_stacks(d), 7);
	chain_depths_free(NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_and_cookies_are_no_frames),
		cmocka_unit_test(the_deepest_chains_of_each_event_are_counted),
		cmocka_unit_test(all_stacks_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
