/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "symbol/demangle.h"
#include "skip.h"

static void assert_reads(const char *mangled, const char *plain)
{
	_cleanup_(freep) char *s = demangle(mangled);

	if (plain)
		assert_string_equal(s, plain);
	else
		assert_null(s);
}

static void plain_names_stay(void **state)
{
	(void)state;
	assert_reads("main", NULL);
	assert_reads("", NULL);
	assert_reads("_", NULL);
	assert_reads("_start", NULL);
	assert_reads("caml_alloc", NULL);
	assert_reads("caml", NULL);
	assert_reads("puts@plt", NULL);
}

static void ocaml_names_are_paths(void **state)
{
	(void)state;
	assert_reads("camlStdlib__List__map_123", "Stdlib.List.map_123");
	assert_reads("camlStdlib__List__map$27_45", "Stdlib.List.map'_45");
	assert_reads("camlX$", "X$");
	assert_reads("camlX$2", "X$2");
}

static void cplus_names_have_no_parameters(void **state)
{
	(void)state;
	if (!HAVE_LIBIBERTY)
		skip_because("built without libiberty");
	assert_reads("_ZNSt6vectorIiSaIiEE9push_backERKi",
		     "std::vector<int, std::allocator<int> >::push_back");
	assert_reads("_ZL3barv.isra.0", "bar");
	assert_reads("_Z", NULL);
}

static void parameters_come_when_asked_for(void **state)
{
	_cleanup_(freep) char *s = demangle_with_parameters("_ZN4llvm3fooEiPKc");

	(void)state;
	if (!HAVE_LIBIBERTY)
		skip_because("built without libiberty");
	assert_string_equal(s, "llvm::foo(int, char const*)");
}

static void rust_names_lose_their_hash(void **state)
{
	(void)state;
	if (!HAVE_LIBIBERTY)
		skip_because("built without libiberty");
	assert_reads("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE",
		     "core::fmt::Write::write_fmt");
	assert_reads("_RNvMs_NtCs123_4core3fmtNtB4_9Formatter9write_str",
		     "<core::fmt::Formatter>::write_str");
}

static void d_names_have_points(void **state)
{
	(void)state;
	assert_reads("_DYNAMIC", NULL);
	assert_reads("_D", NULL);
	if (!HAVE_LIBIBERTY)
		skip_because("built without libiberty");
	assert_reads("_Dmain", "D main");
	assert_reads("_D3foo3barFZv", "foo.bar()");
	assert_reads("_D4core6memory2GC6mallocFNbmkxC8TypeInfoZPv",
		     "core.memory.GC.malloc(ulong, uint, const(TypeInfo))");
}

static void a_stub_is_its_function(void **state)
{
	(void)state;
	if (!HAVE_LIBIBERTY)
		skip_because("built without libiberty");
	assert_reads("_ZN3foo3barEv@plt", "foo::bar@plt");
}

static void endless_names_stay(void **state)
{
	_cleanup_(freep) char *name = xmalloc(100001);

	(void)state;
	memset(name, 'P', 100000);
	memcpy(name, "_Z1f", 4);
	name[100000] = '\0';
	assert_reads(name, NULL);
}

/* Appends std::pair<T, T> of pairs of pairs: each level repeats the level below it. */
static void add_pairs(struct text *t, size_t levels)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	text_add(t, "St4pairI");
	for (size_t i = 1; i < levels; i++)
		text_add(t, "S_I");
	text_add(t, "iiE");
	for (size_t i = 1; i < levels; i++)
		text_addf(t, "S%c_E", digits[i - 1]);
}

static void add_cplus_parameter(struct text *t, size_t levels)
{
	text_add(t, "_Z1f");
	add_pairs(t, levels);
}

static void add_cplus_variable(struct text *t, size_t levels)
{
	text_add(t, "_ZTV");
	add_pairs(t, levels);
}

/*
 * Appends nested tuples: each has the tuple within and a reference to it, which is an offset behind
 * "_R" in base 62.
 */
static void add_rust(struct text *t, size_t levels)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

	text_add(t, "_RINvC1a1f");
	for (size_t i = 0; i < levels; i++)
		text_add_char(t, 'T');
	text_add(t, "iiE");
	/* The outermost is at 8; "_" is 0, and "0_" is 1. */
	for (size_t i = levels - 1; i > 0; i--)
		text_addf(t, "B%c_E", digits[8 + i - 1]);
	text_add(t, "E");
}

/*
 * Appends arrays whose values have the type of their keys, which is given as a number of characters
 * back.
 */
static void add_d(struct text *t, size_t levels)
{
	size_t length = 3;

	text_add(t, "_D1a1fF");
	for (size_t i = 0; i < levels; i++)
		text_add_char(t, 'H');
	text_add(t, "ii");
	for (size_t i = 1; i < levels; i++) {
		size_t from = t->length;

		text_add_char(t, 'Q');
		if (length >= 26)
			text_add_char(t, (char)('A' + length / 26));
		text_add_char(t, (char)('a' + length % 26));
		length += 1 + t->length - from;
	}
	text_add(t, "Zv");
}

static void names_that_would_fill_memory_stay(void **state)
{
	static void (*const adders[])(struct text * t, size_t levels) = {
		add_cplus_parameter,
		add_cplus_variable,
		add_rust,
		add_d,
	};

	(void)state;
	if (!HAVE_LIBIBERTY)
		skip_because("built without libiberty");
	for (size_t i = 0; i < ARRAY_SIZE(adders); i++) {
		_cleanup_(text_done) struct text small = TEXT_EMPTY, large = TEXT_EMPTY;

		adders[i](&small, 8);
		adders[i](&large, 28);
		assert_true(large.length < 300);

		_cleanup_(freep) char *plain = demangle_with_parameters(small.chars);
		_cleanup_(freep) char *none = demangle_with_parameters(large.chars);

		assert_non_null(plain);
		assert_true(strlen(plain) > 256 * strlen("int"));
		assert_null(none);
	}
}

static void parameters_that_are_not_shown_may_be_long(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	if (!HAVE_LIBIBERTY)
		skip_because("built without libiberty");
	add_cplus_parameter(&t, 28);
	assert_reads(t.chars, "f");
}

static void back_references_are_expanded(void **state)
{
	(void)state;
	if (!HAVE_LIBIBERTY)
		skip_because("built without libiberty");
	assert_reads("_ZTVSt4pairIS_IiiES0_E",
		     "vtable for std::pair<std::pair<int, int>, std::pair<int, int> >");
	assert_reads("_RINvC1a1fTTiiEB8_EE", "a::f::<((isize, isize), (isize, isize))>");
	assert_reads("_D1a1fFHHiiQdZv", "a.f(int[int][int[int]])");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_names_stay),
		cmocka_unit_test(ocaml_names_are_paths),
		cmocka_unit_test(cplus_names_have_no_parameters),
		cmocka_unit_test(parameters_come_when_asked_for),
		cmocka_unit_test(rust_names_lose_their_hash),
		cmocka_unit_test(d_names_have_points),
		cmocka_unit_test(a_stub_is_its_function),
		cmocka_unit_test(endless_names_stay),
		cmocka_unit_test(names_that_would_fill_memory_stay),
		cmocka_unit_test(parameters_that_are_not_shown_may_be_long),
		cmocka_unit_test(back_references_are_expanded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
