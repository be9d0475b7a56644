/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/cleanup.h"
#include "capture/synth.h"
#include "tools/top/buffer-work.h"
#include "wire/record.h"

/* A state without tasks, so that nothing of this machine is read. */
static const struct synth_plan plan = { .attr = &(struct attr){ 0 },
					.root = "/nowhere",
					.no_bpf_event = true,
					.no_tasks = true,
					.no_maps = true };

static void add(struct top_buffer *b, char c, size_t n)
{
	char bytes[256];

	assert_true(n <= sizeof(bytes));
	memset(bytes, c, n);
	top_buffer_add(b, (const struct iovec[2]){ { bytes, n / 2 }, { bytes, n - n / 2 } });
}

static bool has(const struct iovec *pieces, char c)
{
	for (size_t i = 1; i < 3; i++)
		if (pieces[i].iov_len && memchr(pieces[i].iov_base, c, pieces[i].iov_len))
			return true;
	return false;
}

static void what_is_older_than_two_halves_is_dropped(void **state)
{
	_cleanup_(top_buffer_done) struct top_buffer b = { .half_bytes = 100 };
	struct iovec pieces[3];

	(void)state;
	top_buffer_begin(&b, &plan);
	for (char c = 'a'; c <= 'd'; c++) {
		add(&b, c, 100);
		top_buffer_end_pass(&b, &plan);
	}
	add(&b, 'e', 10);
	top_buffer_pieces(&b, pieces);
	assert_false(has(pieces, 'c'));
	assert_true(has(pieces, 'd'));
	assert_true(has(pieces, 'e'));
	/* The size includes the mark of a round. */
	assert_int_equal(pieces[1].iov_len, 100 + RECORD_HEADER_SIZE);
	assert_int_equal(pieces[2].iov_len, 10);
}

static void without_a_size_nothing_is_kept(void **state)
{
	_cleanup_(top_buffer_done) struct top_buffer b = { 0 };
	struct iovec pieces[3];

	(void)state;
	top_buffer_begin(&b, &plan);
	add(&b, 'a', 100);
	top_buffer_end_pass(&b, &plan);
	top_buffer_pieces(&b, pieces);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(pieces[i].iov_len, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_older_than_two_halves_is_dropped),
		cmocka_unit_test(without_a_size_nothing_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
