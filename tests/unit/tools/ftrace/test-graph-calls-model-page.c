/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "tools/ftrace/graph-calls-model.h"

static struct {
	uint64_t time, used;
	uint32_t words[64];
} page;

static struct ring_page open_page(uint64_t used, size_t size)
{
	struct ring_page p;

	page.used = used;
	assert_int_equal(ring_page_open(&page, size, &p), 0);
	return p;
}

static void records_come_one_after_the_other(void **state)
{
	struct ring_page p;
	struct ring_record r;

	(void)state;
	/* A record of 8 bytes, a time, and a record of 12 bytes whose length is in a word. */
	memcpy(page.words, (uint32_t[]){ 2, 0x11, 0x12, 30, 7, 0, 16, 0x21, 0x22, 0x23 }, 40);
	p = open_page(40, sizeof(page));
	assert_true(ring_page_next(&p, &r));
	assert_ptr_equal(r.bytes, &page.words[1]);
	assert_int_equal(r.size, 8);
	assert_true(ring_page_next(&p, &r));
	assert_ptr_equal(r.bytes, &page.words[7]);
	assert_int_equal(r.size, 12);
	assert_false(ring_page_next(&p, &r));
	assert_false(ring_page_next(&p, &r));
	assert_int_equal(p.lost, 0);
}

static void padding_is_passed_over(void **state)
{
	struct ring_page p;
	struct ring_record r;

	(void)state;
	/* A record that was discarded, then a record, then the unused rest of the page. */
	memcpy(page.words, (uint32_t[]){ 1 << 5 | 29, 8, 0, 1, 0x31, 29, 99 }, 28);
	p = open_page(28, sizeof(page));
	assert_true(ring_page_next(&p, &r));
	assert_ptr_equal(r.bytes, &page.words[4]);
	assert_false(ring_page_next(&p, &r));
}

static void what_was_lost_before_is_told(void **state)
{
	struct ring_page p;
	uint64_t n = 123;

	(void)state;
	memcpy(&page.words[2], &n, sizeof(n));
	p = open_page(8 | 1U << 31 | 1U << 30, sizeof(page));
	assert_int_equal(p.lost, 123);
	assert_false(p.lost_some);
	p = open_page(8 | 1U << 31, sizeof(page));
	assert_int_equal(p.lost, 0);
	assert_true(p.lost_some);
	/* There is no space for the number of lost records. */
	p = open_page(sizeof(page.words) | 1U << 31 | 1U << 30, sizeof(page));
	assert_true(p.lost_some);
}

static void a_page_that_is_too_short_is_none(void **state)
{
	struct ring_page p;

	(void)state;
	page.used = 8;
	assert_int_equal(ring_page_open(&page, 15, &p), -EBADMSG);
	assert_int_equal(ring_page_open(&page, 16 + 7, &p), -EBADMSG);
	page.used = UINT64_MAX;
	assert_int_equal(ring_page_open(&page, sizeof(page), &p), -EBADMSG);
}

static void a_record_that_does_not_fit_ends_the_page(void **state)
{
	static const uint32_t bad[][2] = {
		{ 28, 0 },         /* 112 bytes in 4 */
		{ 0, 0 },          /* no length at all */
		{ 0, 3 },          /* shorter than the length itself */
		{ 0, UINT32_MAX }, /* longer than anything */
		{ 1 << 5 | 29, 0x80000000 },
	};
	struct ring_record r;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct ring_page p;

		memcpy(page.words, bad[i], sizeof(bad[i]));
		p = open_page(8, sizeof(page));
		assert_false(ring_page_next(&p, &r));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_come_one_after_the_other),
		cmocka_unit_test(padding_is_passed_over),
		cmocka_unit_test(what_was_lost_before_is_told),
		cmocka_unit_test(a_page_that_is_too_short_is_none),
		cmocka_unit_test(a_record_that_does_not_fit_ends_the_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
