/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "plan-text.h"
#include "tracepoint/field.h"

#define RECORD_SIZE sizeof(plan_record)

static struct field_ref bound(const char *name)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = format_of("`x`");

	return tracepoint_field_bind(f, name, false);
}

static int64_t number_of(const char *name)
{
	struct field_ref ref = bound(name);
	uint64_t v = 0xbad;

	assert_int_equal(ref.kind, FIELD_NUMBER);
	assert_true(field_ref_number(&ref, plan_record, RECORD_SIZE, &v));
	return (int64_t)v;
}

static void numbers_have_their_size_and_sign(void **state)
{
	(void)state;
	assert_true(number_of("common_pid") == 77);
	assert_true(number_of("i") == -5);
	assert_true(number_of("u") == 0xfffffff0);
	assert_true(number_of("l") == -7);
	assert_true(number_of("ul") == 0xdeadbeefcafe);
	assert_true(number_of("h") == -3);
	assert_true(number_of("b") == 200);
	assert_true((uint64_t)number_of("p") == 0xffff800012345678);
}

static void assert_bytes(const char *name, enum field_kind kind, const void *bytes, size_t n)
{
	struct field_ref ref = bound(name);
	struct raw_span s = field_ref_bytes(&ref, plan_record, RECORD_SIZE);
	uint64_t v = 7;

	assert_int_equal(ref.kind, kind);
	assert_int_equal(s.size, n);
	assert_memory_equal(s.bytes, bytes, n);
	assert_false(s.is_cut);
	assert_int_equal(field_ref_number(&ref, plan_record, RECORD_SIZE, &v),
			 kind == FIELD_NUMBER);
}

static void arrays_have_their_bytes(void **state)
{
	(void)state;
	assert_bytes("mac", FIELD_BYTES, "\x52\x54\0\xab\xcd\xef", 6);
	assert_bytes("ip4", FIELD_BYTES, "\xc0\0\2\1", 4); /* as large as a number, but not one */
	assert_bytes("rest", FIELD_REST, plan_record + 142, RECORD_SIZE - 142);
	assert_bytes("name", FIELD_DATA_LOC, "hello", 6);
	assert_bytes("none", FIELD_DATA_LOC, "", 0);
	assert_bytes("rel", FIELD_REL_LOC, "\x0a\0\x14\0\xff\xff", 6);
	assert_bytes("h", FIELD_NUMBER, "\xfd\xff", 2);
}

static void assert_text_of(const char *name, const char *wanted)
{
	struct field_ref ref = bound(name);
	const char *text;
	size_t n = field_ref_text(&ref, plan_record, RECORD_SIZE, &text);

	assert_int_equal(n, strlen(wanted));
	assert_memory_equal(text, wanted, n);
}

static void a_text_ends_at_its_nul_or_with_its_field(void **state)
{
	(void)state;
	assert_text_of("s", "hi");
	assert_text_of("full", "abcd");
	assert_text_of("near", "rel");
	assert_text_of("name", "hello");
	assert_text_of("none", "");
}

static void what_the_format_lacks_reads_as_nothing(void **state)
{
	struct field_ref absent = bound("absent"), unformatted;
	uint64_t v = 7;

	(void)state;
	unformatted = tracepoint_field_bind(NULL, "pid", false);
	assert_false(field_ref_is_there(&absent));
	assert_false(field_ref_is_there(&unformatted));
	assert_false(field_ref_number(&absent, plan_record, RECORD_SIZE, &v));
	assert_int_equal(v, 7);
	assert_int_equal(field_ref_bytes(&absent, plan_record, RECORD_SIZE).size, 0);
	assert_true(field_ref_is_there(&(struct field_ref){ .kind = FIELD_NUMBER }));
}

static void the_other_byte_order_is_turned(void **state)
{
	static const uint8_t raw[] = { 0xff, 0xfe, 0, 2, 0, 6, 'o', 'k' };
	const struct field_ref number = { .size = 2,
					  .kind = FIELD_NUMBER,
					  .is_signed = true,
					  .swap = true },
			       wide = { .size = 8, .kind = FIELD_NUMBER, .swap = true },
			       dynamic = { 2, 4, FIELD_DATA_LOC, .swap = true };
	struct raw_span s = field_ref_bytes(&dynamic, raw, sizeof(raw));
	uint64_t v;

	(void)state;
	assert_true(field_ref_number(&number, raw, sizeof(raw), &v));
	assert_true((int64_t)v == -2);
	assert_true(field_ref_number(&wide, raw, sizeof(raw), &v));
	assert_true(v == 0xfffe000200066f6b);
	assert_int_equal(s.size, 2);
	assert_memory_equal(s.bytes, "ok", 2);
}

static void a_number_behind_the_record_is_none(void **state)
{
	struct field_ref i = bound("i"), far = { UINT32_MAX, 8, .kind = FIELD_NUMBER };
	uint64_t v;

	(void)state;
	assert_false(field_ref_number(&i, plan_record, 11, &v));
	assert_true(field_ref_number(&i, plan_record, 12, &v));
	assert_false(field_ref_number(&i, NULL, 0, &v));
	assert_false(field_ref_number(&far, plan_record, RECORD_SIZE, &v));
}

/* The word may have any value, and the record may end before it, within it, or within the array. */
static void an_array_ends_with_the_record(void **state)
{
	static const struct {
		uint8_t raw[8];
		size_t size, got;
	} cases[] = {
		{ { 4, 0, 4, 0, 'a', 'b', 'c', 'd' }, 6, 2 },
		{ { 8, 0, 1, 0 }, 8, 0 },
		{ { 0xff, 0xff, 0xff, 0xff }, 8, 0 },
		{ { 4, 0, 0xff, 0xff, 'a', 'b', 'c', 'd' }, 8, 4 },
		{ { 4, 0, 4, 0 }, 3, 0 },
		{ { 0 }, 0, 0 },
	};
	const struct field_ref data = { .size = 4, .kind = FIELD_DATA_LOC },
			       rel = { .size = 4, .kind = FIELD_REL_LOC };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct raw_span s = field_ref_bytes(&data, cases[i].raw, cases[i].size);

		assert_int_equal(s.size, cases[i].got);
		assert_true(s.is_cut);
		assert_non_null(s.bytes);
		s = field_ref_bytes(&rel, cases[i].raw, cases[i].size);
		assert_true(s.size <= cases[i].size);
	}
}

static void bytes_never_lie_beyond_the_record(void **state)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = format_of("`x`");

	(void)state;
	for (size_t size = 0; size <= RECORD_SIZE; size++) {
		for (size_t i = 0; i < f->n_fields; i++) {
			struct field_ref ref = field_ref_of(&f->fields[i], false);
			struct raw_span s = field_ref_bytes(&ref, plan_record, size);

			assert_true(!s.size || (s.bytes >= plan_record &&
						s.bytes + s.size <= plan_record + size));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_their_size_and_sign),
		cmocka_unit_test(arrays_have_their_bytes),
		cmocka_unit_test(a_text_ends_at_its_nul_or_with_its_field),
		cmocka_unit_test(what_the_format_lacks_reads_as_nothing),
		cmocka_unit_test(the_other_byte_order_is_turned),
		cmocka_unit_test(a_number_behind_the_record_is_none),
		cmocka_unit_test(an_array_ends_with_the_record),
		cmocka_unit_test(bytes_never_lie_beyond_the_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
