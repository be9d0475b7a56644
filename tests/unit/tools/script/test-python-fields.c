/* SPDX-License-Identifier: MIT */
#include "running-python.h"

#include "tools/script/python/fields.h"
#include "tracepoint/format.h"
#include "wire/sample.h"

#if HAVE_LIBPYTHON && __has_include(<Python.h>)

#define FIELD(decl, offset, size, sign)                                                            \
	"\tfield:" decl ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #sign ";\n"

static const char text[] = "name: t\nID: 7\nformat:\n" FIELD("unsigned short common_type", 0, 2, 0)
	FIELD("unsigned char common_flags", 2, 1, 0)
		FIELD("int common_pid", 4, 4, 1) "\n" FIELD("int node", 8, 4, 1)
			FIELD("long ret", 16, 8, 1) FIELD("unsigned long addr", 24, 8, 0)
				FIELD("char comm[8]", 32, 8, 0) FIELD("__u8 saddr[4]", 40, 4, 0)
					FIELD("__data_loc char[] name", 44, 4, 0)
						FIELD("unsigned long args[1]", 48, 8, 0);

/* A record with these fields, of which @size bytes are there. */
struct record_bytes {
	uint8_t bytes[64];
	struct sample sample;
};

static void put(struct record_bytes *r, size_t at, uint64_t v, size_t n)
{
	memcpy(r->bytes + at, &v, n);
}

static void fill(struct record_bytes *r, size_t size)
{
	*r = (struct record_bytes){ .sample.raw_size = (uint32_t)size };
	r->sample.raw = r->bytes;
	put(r, 4, 33, 4);
	put(r, 8, UINT32_MAX, 4);
	put(r, 16, UINT64_MAX, 8);
	put(r, 24, UINT64_MAX, 8);
	memcpy(r->bytes + 32, "ab\0\xff\xfe\xfd\xfc", 8);
	put(r, 44, 6 << 16 | 56, 4);
	put(r, 48, 258, 8);
	memcpy(r->bytes + 56, "c\xc3\xa9r\xff", 6);
}

static void bind(struct python_fields *f, struct tracepoint_format **format)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(tracepoint_format_parse(text, format, &diag), 0);
	python_fields_bind(f, *format, false);
	assert_int_equal(f->n, 7);
}

static void values_are_those_of_linux_perf(void **state)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *format = NULL;
	static const char *const expected[] = {
		"4294967295",
		"-1",
		"18446744073709551615",
		"'ab'",
		"''",
		"'c\xc3\xa9r\\\\xff'",
		"bytearray(b'\\x02\\x01\\x00\\x00\\x00\\x00\\x00\\x00')"
	};
	struct python_fields f;
	struct record_bytes r;

	(void)state;
	bind(&f, &format);
	fill(&r, 64);
	for (size_t i = 0; i < f.n; i++)
		assert_repr(python_field_value(&f.items[i], &r.sample), expected[i]);
	python_fields_done(&f);
}

static void bytes_that_were_no_text_once_stay_bytes(void **state)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *format = NULL;
	struct python_fields f;
	struct record_bytes r;

	(void)state;
	bind(&f, &format);
	fill(&r, 64);
	memcpy(r.bytes + 40, "lo\0\0", 4);
	assert_repr(python_field_value(&f.items[4], &r.sample), "'lo'");
	memcpy(r.bytes + 40, "\x7f\0\0\1", 4);
	assert_repr(python_field_value(&f.items[4], &r.sample),
		    "bytearray(b'\\x7f\\x00\\x00\\x01')");
	memcpy(r.bytes + 40, "lo\0\0", 4);
	assert_repr(python_field_value(&f.items[4], &r.sample), "bytearray(b'lo\\x00\\x00')");
	python_fields_done(&f);
}

static void a_record_that_is_too_short_has_zeros(void **state)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *format = NULL;
	struct python_fields f;
	struct record_bytes r;

	(void)state;
	bind(&f, &format);
	for (size_t size = 0; size <= 64; size++) {
		fill(&r, size);
		for (size_t i = 0; i < f.n; i++) {
			PyObject *v = python_field_value(&f.items[i], &r.sample);

			assert_non_null(v);
			Py_DECREF(v);
		}
	}
	fill(&r, 10);
	assert_repr(python_field_value(&f.items[0], &r.sample), "0");
	assert_repr(python_field_value(&f.items[3], &r.sample), "''");
	python_fields_done(&f);
}

static void without_a_format_there_are_no_fields(void **state)
{
	struct python_fields f;

	(void)state;
	python_fields_bind(&f, NULL, false);
	assert_int_equal(f.n, 0);
	python_fields_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_those_of_linux_perf),
		cmocka_unit_test(bytes_that_were_no_text_once_stay_bytes),
		cmocka_unit_test(a_record_that_is_too_short_has_zeros),
		cmocka_unit_test(without_a_format_there_are_no_fields),
	};

	return running_python() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}

#else

int main(void)
{
	return running_python();
}

#endif
