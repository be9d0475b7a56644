/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "dump-builder.h"
#include "skip.h"
#include "symbol/jitdump.h"

#define SEEN_MAX 8

struct seen {
	struct jitdump_code items[SEEN_MAX];
	size_t n;
};

static void note(const struct jitdump_code *c, void *arg)
{
	struct seen *s = arg;

	assert_true(s->n < SEEN_MAX);
	s->items[s->n++] = *c;
}

static int parse(const struct bytes *b, struct jitdump_header *h, struct seen *s)
{
	*s = (struct seen){ .n = 0 };
	return jitdump_parse(b->data, b->n, h, note, s);
}

static void assert_name(const struct jitdump_code *c, const char *name)
{
	assert_int_equal(c->name_length, strlen(name));
	assert_memory_equal(c->name, name, strlen(name));
}

static void code_is_told_in_the_order_of_the_file(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct jitdump_header h;
	struct seen s;

	(void)state;
	dump_begin(&b, 7, 0);
	dump_load(&b, 100, 0x1000, 16, "JS:*fib /x.js:1");
	dump_move(&b, 200, 0x1000, 0x2000, 16);
	assert_int_equal(parse(&b, &h, &s), 0);
	assert_int_equal(h.pid, 7);
	assert_int_equal(h.machine, 183);
	assert_false(h.raw_times);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.items[0].time, 100);
	assert_int_equal(s.items[0].addr, 0x1000);
	assert_int_equal(s.items[0].size, 16);
	assert_name(&s.items[0], "JS:*fib /x.js:1");
	assert_int_equal(s.items[0].code.offset, 40 + 56 + 16);
	assert_int_equal(s.items[0].code.size, 16);
	assert_null(s.items[1].name);
	assert_int_equal(s.items[1].old_addr, 0x1000);
	assert_int_equal(s.items[1].addr, 0x2000);
}

static void unwinding_information_is_for_the_next_load(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct jitdump_header h;
	struct seen s;

	(void)state;
	dump_begin(&b, 7, 0);
	dump_head(&b, 4, 24 + 24, 1);
	bytes_u64(&b, 20);
	bytes_u64(&b, 8);
	bytes_u64(&b, 0);
	bytes_zero(&b, 24); /* padded: the record's own size counts */
	dump_load(&b, 2, 0x1000, 4, "f");
	dump_load(&b, 3, 0x2000, 4, "g");
	assert_int_equal(parse(&b, &h, &s), 0);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.items[0].eh_frame.offset, 40 + 16 + 24);
	assert_int_equal(s.items[0].eh_frame.size, 12);
	assert_int_equal(s.items[0].eh_frame_hdr.offset, 40 + 16 + 24 + 12);
	assert_int_equal(s.items[0].eh_frame_hdr.size, 8);
	assert_int_equal(s.items[1].eh_frame.size, 0);
	assert_int_equal(s.items[1].eh_frame_hdr.size, 0);
}

static void unwinding_information_that_does_not_fit_is_none(void **state)
{
	static const struct {
		uint64_t size, header_size;
	} damages[] = {
		{ 16, 17 },         /* a header beyond the data */
		{ 0, 8 },           /* a header without data */
		{ 16, UINT64_MAX }, /* whose end wraps */
		{ 25, 8 },          /* data beyond the record */
		{ UINT64_MAX, 8 },  /* beyond the address space */
		{ UINT64_MAX, UINT64_MAX },
		{ UINT64_MAX - 7, 16 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(damages); i++) {
		_cleanup_(bytes_done) struct bytes b = { 0 };
		struct jitdump_header h;
		struct seen s;

		dump_begin(&b, 7, 0);
		for (unsigned n = 0; n < 2; n++) {
			/*
			 * The second record is damaged, and leaves nothing of the first, good one.
			 */
			dump_head(&b, 4, 24 + 24, 1);
			bytes_u64(&b, n ? damages[i].size : 20);
			bytes_u64(&b, n ? damages[i].header_size : 8);
			bytes_u64(&b, 0);
			bytes_zero(&b, 24);
		}
		dump_load(&b, 2, 0x1000, 4, "f");
		assert_int_equal(parse(&b, &h, &s), 0);
		assert_int_equal(s.n, 1);
		assert_int_equal(s.items[0].eh_frame.size, 0);
		assert_int_equal(s.items[0].eh_frame_hdr.size, 0);
	}
}

static void an_unwinding_record_that_is_too_short_is_none(void **state)
{
	(void)state;
	for (size_t n = 0; n < 24; n++) {
		_cleanup_(bytes_done) struct bytes b = { 0 };
		struct jitdump_header h;
		struct seen s;

		dump_begin(&b, 7, 0);
		dump_head(&b, 4, n, 1);
		bytes_zero(&b, n);
		dump_load(&b, 2, 0x1000, 4, "f");
		assert_int_equal(parse(&b, &h, &s), 0);
		assert_int_equal(s.n, 1);
		assert_int_equal(s.items[0].eh_frame.size, 0);
	}
}

static void what_is_not_known_is_passed_over(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct jitdump_header h;
	struct seen s;

	(void)state;
	dump_begin(&b, 7, 1);
	dump_head(&b, 2, 16, 1); /* debug information */
	bytes_zero(&b, 16);
	dump_head(&b, 77, 3, 1);
	bytes_zero(&b, 3);
	dump_load(&b, 2, 0x1000, 4, "f");
	dump_head(&b, 3, 0, 9); /* closed */
	dump_load(&b, 10, 0x1000, 4, "after the end");
	assert_int_equal(parse(&b, &h, &s), 0);
	assert_true(h.raw_times);
	assert_int_equal(s.n, 1);
	assert_name(&s.items[0], "f");
}

static void a_longer_header_is_passed_over(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct jitdump_header h;
	struct seen s;

	(void)state;
	dump_begin(&b, 7, 0);
	b.data[8] = 48;
	bytes_zero(&b, 8);
	dump_load(&b, 2, 0x1000, 4, "f");
	assert_int_equal(parse(&b, &h, &s), 0);
	assert_int_equal(s.n, 1);
}

static void the_other_byte_order_is_read(void **state)
{
	static const uint8_t swapped[] = { 0x4a, 0x69, 0x54, 0x44, 0,   0, 0, 1,   0, 0,   0,
					   40,   0,    0,    0,    183, 0, 0, 0,   0, 0,   0,
					   0,    9,    0,    0,    0,   0, 0, 0,   0, 0,   0,
					   0,    0,    0,    0,    0,   0, 0, /* header */
					   0,    0,    0,    0,    0,   0, 0, 59,  0, 0,   0,
					   0,    0,    0,    0,    5, /* load */
					   0,    0,    0,    9,    0,   0, 0, 9,   0, 0,   0,
					   0,    0,    0,    0x10, 0,   0, 0, 0,   0, 0,   0,
					   0x10, 0,    0,    0,    0,   0, 0, 0,   0, 1,   0,
					   0,    0,    0,    0,    0,   0, 0, 'f', 0, 0xcc };
	struct jitdump_header h;
	struct seen s = { .n = 0 };

	(void)state;
	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		skip_because("the host is big-endian");
	assert_int_equal(jitdump_parse(swapped, sizeof(swapped), &h, note, &s), 0);
	assert_int_equal(h.pid, 9);
	assert_int_equal(s.n, 1);
	assert_int_equal(s.items[0].addr, 0x1000);
	assert_int_equal(s.items[0].time, 5);
}

static void what_is_no_dump_is_refused(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct jitdump_header h = { .pid = 5 };
	struct seen s;

	(void)state;
	assert_int_equal(jitdump_parse("", 0, &h, note, &s), -EINVAL);
	dump_begin(&b, 7, 0);
	for (size_t n = 0; n < 40; n++)
		assert_int_equal(jitdump_parse(b.data, n, &h, note, &s), -EINVAL);
	b.data[8] = 39; /* a header that is too short */
	assert_int_equal(parse(&b, &h, &s), -EINVAL);
	b.data[8] = 41; /* a header beyond the file */
	assert_int_equal(parse(&b, &h, &s), -EINVAL);
	b.data[8] = 40;
	b.data[4] = 2; /* another version */
	assert_int_equal(parse(&b, &h, &s), -EINVAL);
	b.data[4] = 1;
	b.data[0] ^= 1;
	assert_int_equal(parse(&b, &h, &s), -EINVAL);
	assert_int_equal(h.pid, 5);
}

/* The process may still be writing it. */
static void a_record_that_is_cut_off_is_the_end(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct jitdump_header h;
	struct seen s;

	(void)state;
	dump_begin(&b, 7, 0);
	dump_load(&b, 1, 0x1000, 4, "f");

	size_t whole = b.n;

	dump_load(&b, 2, 0x2000, 4, "g");
	for (size_t n = whole; n < b.n; n++) {
		s = (struct seen){ .n = 0 };
		assert_int_equal(jitdump_parse(b.data, n, &h, note, &s), 0);
		assert_int_equal(s.n, 1);
	}
}

/*
 * Each damage is one byte of a dump with one load. The load is then invalid, or is still returned
 * without code.
 */
static void loads_that_make_no_sense_are_left_out(void **state)
{
	enum {
		HEAD = 40,
		SIZE = HEAD + 4,
		ADDR = HEAD + 32,
		LENGTH = HEAD + 40,
		NAME = HEAD + 56
	};
	static const struct {
		size_t at;
		uint8_t value;
		size_t told;
	} damages[] = {
		{ SIZE, 15, 0 },       /* shorter than its own header */
		{ SIZE + 3, 0xff, 0 }, /* longer than the file */
		{ SIZE, 40, 0 },       /* ends before the name */
		{ SIZE, 56, 0 },       /* no space for the name */
		{ NAME + 1, 'x', 0 },  /* a name without an end */
		{ LENGTH, 0, 0 },      /* nothing */
		/* more code than there is; its address is known nevertheless */
		{ LENGTH, 0xf0, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(damages); i++) {
		_cleanup_(bytes_done) struct bytes b = { 0 };
		struct jitdump_header h;
		struct seen s;

		dump_begin(&b, 7, 0);
		dump_load(&b, 1, 0x1000, 4, "f");
		memset(b.data + b.n - 4, 'x', 4);
		b.data[damages[i].at] = damages[i].value;
		assert_int_equal(parse(&b, &h, &s), 0);
		assert_int_equal(s.n, damages[i].told);
		if (s.n)
			assert_int_equal(s.items[0].code.size, 0);
	}
}

static void code_beyond_the_last_address_is_left_out(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct jitdump_header h;
	struct seen s;

	(void)state;
	dump_begin(&b, 7, 0);
	dump_load(&b, 1, UINT64_MAX - 3, 4, "f");
	dump_move(&b, 2, 0x1000, UINT64_MAX - 3, 4);
	assert_int_equal(parse(&b, &h, &s), 0);
	assert_int_equal(s.n, 0);
}

struct line_seen {
	struct jitdump_line items[SEEN_MAX];
	size_t n;
};

static void note_line(const struct jitdump_line *l, void *arg)
{
	struct line_seen *s = arg;

	assert_true(s->n < SEEN_MAX);
	s->items[s->n++] = *l;
}

static void put_line(struct bytes *b, uint64_t addr, uint32_t line, const char *file)
{
	bytes_u64(b, addr);
	bytes_u32(b, line);
	bytes_u32(b, 0);
	bytes_add(b, file, strlen(file) + 1);
}

static void lines_are_of_the_next_code(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct line_seen lines = { .n = 0 };
	struct jitdump_header h;
	struct seen s;

	(void)state;
	dump_begin(&b, 7, 0);
	dump_head(&b, 2, 16 + 2 * 16 + 5 + 2, 90);
	bytes_u64(&b, 0x1000);
	bytes_u64(&b, 2);
	put_line(&b, 0x1000, 3, "a.js");
	put_line(&b, 0x1008, 4, "\377");
	dump_load(&b, 100, 0x1000, 16, "one");
	dump_load(&b, 200, 0x2000, 16, "two");
	assert_int_equal(parse(&b, &h, &s), 0);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.items[0].index, 1);
	assert_int_equal(s.items[1].lines.size, 0);
	jitdump_lines(b.data, &h, &s.items[0], note_line, &lines);
	assert_int_equal(lines.n, 2);
	assert_int_equal(lines.items[0].addr, 0x1000);
	assert_int_equal(lines.items[1].line, 4);
	assert_string_equal(lines.items[1].file, "a.js");
}

static void lines_that_are_cut_off_end(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct line_seen lines = { .n = 0 };
	struct jitdump_header h;
	struct seen s;

	(void)state;
	dump_begin(&b, 7, 0);
	dump_head(&b, 2, 16 + 21 + 16, 90);
	bytes_u64(&b, 0x1000);
	bytes_u64(&b, 2);
	put_line(&b, 0x1000, 3, "a.js");
	bytes_u64(&b, 0x1008);
	bytes_u64(&b, 4);
	dump_load(&b, 100, 0x1000, 16, "one");
	assert_int_equal(parse(&b, &h, &s), 0);
	jitdump_lines(b.data, &h, &s.items[0], note_line, &lines);
	assert_int_equal(lines.n, 1);
}

static void unwinding_information_may_fill_its_record(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct jitdump_header h;
	struct seen s;

	(void)state;
	dump_begin(&b, 7, 0);
	dump_head(&b, 4, 24 + 24, 1);
	bytes_u64(&b, 24);
	bytes_u64(&b, 24); /* only a header */
	bytes_u64(&b, 0);
	bytes_zero(&b, 24);
	dump_load(&b, 2, 0x1000, 4, "f");
	assert_int_equal(parse(&b, &h, &s), 0);
	assert_int_equal(s.n, 1);
	assert_int_equal(s.items[0].eh_frame.size, 0);
	assert_int_equal(s.items[0].eh_frame_hdr.offset, 40 + 16 + 24);
	assert_int_equal(s.items[0].eh_frame_hdr.size, 24);
}

static void the_first_unknown_record_is_passed_over(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct jitdump_header h;
	struct seen s;

	(void)state;
	dump_begin(&b, 7, 0);
	dump_head(&b, 5, 0, 1);
	dump_load(&b, 2, 0x1000, 4, "f");
	assert_int_equal(parse(&b, &h, &s), 0);
	assert_int_equal(s.n, 1);
}

static void code_may_end_with_the_last_address(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct jitdump_header h;
	struct seen s;

	(void)state;
	dump_begin(&b, 7, 0);
	dump_load(&b, 1, UINT64_MAX - 4, 4, "f");
	assert_int_equal(parse(&b, &h, &s), 0);
	assert_int_equal(s.n, 1);
	assert_int_equal(s.items[0].addr, UINT64_MAX - 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_is_told_in_the_order_of_the_file),
		cmocka_unit_test(unwinding_information_is_for_the_next_load),
		cmocka_unit_test(unwinding_information_that_does_not_fit_is_none),
		cmocka_unit_test(an_unwinding_record_that_is_too_short_is_none),
		cmocka_unit_test(what_is_not_known_is_passed_over),
		cmocka_unit_test(a_longer_header_is_passed_over),
		cmocka_unit_test(the_other_byte_order_is_read),
		cmocka_unit_test(what_is_no_dump_is_refused),
		cmocka_unit_test(a_record_that_is_cut_off_is_the_end),
		cmocka_unit_test(loads_that_make_no_sense_are_left_out),
		cmocka_unit_test(code_beyond_the_last_address_is_left_out),
		cmocka_unit_test(lines_are_of_the_next_code),
		cmocka_unit_test(lines_that_are_cut_off_end),
		cmocka_unit_test(unwinding_information_may_fill_its_record),
		cmocka_unit_test(the_first_unknown_record_is_passed_over),
		cmocka_unit_test(code_may_end_with_the_last_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
