/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "capture/record-rings.h"
#include "capture/control-page.h"

#define SIZE 64

/* An AUX area without a kernel: the test moves the head. */
struct model {
	struct control_page page;
	uint8_t bytes[SIZE];
	struct aux_area area;
};

static void model_init(struct model *m, bool overwrites)
{
	memset(m, 0, sizeof(*m));
	m->area = (struct aux_area){
		.base = m->bytes, .size = SIZE, .page = &m->page, .overwrites = overwrites
	};
}

/* Writes @n bytes of @c, as the hardware does. @total: the head counts all bytes. */
static void model_write(struct model *m, size_t n, uint8_t c, bool total)
{
	for (size_t i = 0; i < n; i++)
		m->bytes[(m->page.aux_head + i) % SIZE] = c;
	m->page.aux_head += n;
	if (!total)
		m->page.aux_head %= SIZE;
}

static void what_has_come_is_read_once(void **state)
{
	(void)state;
	struct model m;
	struct aux_span s;

	model_init(&m, false);
	assert_int_equal(aux_area_read(&m.area, &s), 0);
	model_write(&m, 10, 'a', true);
	assert_int_equal(aux_area_pending(&m.area), 10);
	assert_int_equal(aux_area_read(&m.area, &s), 10);
	assert_int_equal(s.offset, 0);
	assert_ptr_equal(s.pieces[0].iov_base, m.bytes);
	assert_int_equal(s.pieces[1].iov_len, 0);
	aux_area_release(&m.area);
	assert_int_equal(m.page.aux_tail, 10);
	assert_int_equal(aux_area_read(&m.area, &s), 0);
}

static void what_runs_over_the_end_comes_in_two_pieces(void **state)
{
	(void)state;
	struct model m;
	struct aux_span s;

	model_init(&m, false);
	model_write(&m, 60, 'a', true);
	aux_area_read(&m.area, &s);
	aux_area_release(&m.area);
	model_write(&m, 10, 'b', true);
	assert_int_equal(aux_area_read(&m.area, &s), 10);
	assert_int_equal(s.offset, 60);
	assert_int_equal(s.pieces[0].iov_len, 4);
	assert_ptr_equal(s.pieces[0].iov_base, m.bytes + 60);
	assert_int_equal(s.pieces[1].iov_len, 6);
	assert_ptr_equal(s.pieces[1].iov_base, m.bytes);
}

static void a_head_from_nowhere_gives_no_more_than_the_area(void **state)
{
	(void)state;
	struct model m;
	struct aux_span s;

	model_init(&m, false);
	m.page.aux_head = UINT64_MAX - 7;
	assert_int_equal(aux_area_read(&m.area, &s), SIZE);
	assert_int_equal(s.pieces[0].iov_len + s.pieces[1].iov_len, SIZE);
}

static void a_full_area_is_one_span(void **state)
{
	(void)state;
	struct model m;
	struct aux_span s;

	model_init(&m, false);
	model_write(&m, SIZE, 'a', true);
	assert_int_equal(aux_area_read(&m.area, &s), SIZE);
	assert_int_equal(s.pieces[0].iov_len, SIZE);
	assert_int_equal(s.pieces[1].iov_len, 0);
}

static void a_snapshot_before_the_first_round_has_what_is_new(void **state)
{
	(void)state;
	struct model m;
	struct aux_span s;

	model_init(&m, true);
	assert_int_equal(aux_area_pending(&m.area), 0);
	model_write(&m, 20, 'a', false);
	assert_int_equal(aux_area_snapshot(&m.area, 0, &s), 20);
	assert_int_equal(s.offset, 0);
	aux_area_release(&m.area);
	model_write(&m, 10, 'b', false);
	assert_int_equal(aux_area_snapshot(&m.area, 0, &s), 10);
	assert_int_equal(s.offset, 20);
	assert_ptr_equal(s.pieces[0].iov_base, m.bytes + 20);
	assert_int_equal(m.page.aux_tail, 0); /* the page cannot be written */
}

static void a_snapshot_after_a_round_is_the_whole_area_oldest_first(void **state)
{
	(void)state;
	struct model m;
	struct aux_span s;

	model_init(&m, true);
	model_write(&m, 70, 'a', false);
	assert_int_equal(aux_area_snapshot(&m.area, 0, &s), SIZE);
	assert_int_equal(s.offset, 6);
	assert_ptr_equal(s.pieces[0].iov_base, m.bytes + 6);
	assert_int_equal(s.pieces[0].iov_len, SIZE - 6);
	assert_int_equal(s.pieces[1].iov_len, 6);
}

static void a_head_that_counts_all_bytes_tells_the_rounds(void **state)
{
	(void)state;
	struct model m;
	struct aux_span s;

	model_init(&m, true);
	model_write(&m, 200, 'a', true);
	assert_int_equal(aux_area_snapshot(&m.area, 0, &s), SIZE);
	assert_int_equal(s.offset, 200 - SIZE);
	aux_area_release(&m.area);
	model_write(&m, 10, 'b', true);
	assert_int_equal(aux_area_snapshot(&m.area, 0, &s), 10);
	assert_int_equal(s.offset, 200);
}

static void a_snapshot_may_be_shorter_than_the_area(void **state)
{
	(void)state;
	struct model m;
	struct aux_span s;

	model_init(&m, true);
	model_write(&m, 70, 'a', false);
	assert_int_equal(aux_area_snapshot(&m.area, 16, &s), 16);
	assert_int_equal(s.offset, 6 + SIZE - 16);
	assert_ptr_equal(s.pieces[0].iov_base, m.bytes + SIZE - 10);
	assert_int_equal(s.pieces[0].iov_len, 10);
	assert_int_equal(s.pieces[1].iov_len, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_has_come_is_read_once),
		cmocka_unit_test(what_runs_over_the_end_comes_in_two_pieces),
		cmocka_unit_test(a_head_from_nowhere_gives_no_more_than_the_area),
		cmocka_unit_test(a_full_area_is_one_span),
		cmocka_unit_test(a_snapshot_before_the_first_round_has_what_is_new),
		cmocka_unit_test(a_snapshot_after_a_round_is_the_whole_area_oldest_first),
		cmocka_unit_test(a_head_that_counts_all_bytes_tells_the_rounds),
		cmocka_unit_test(a_snapshot_may_be_shorter_than_the_area),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
