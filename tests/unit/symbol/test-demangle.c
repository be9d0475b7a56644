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
#include "symbol/demangle.h"

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
		skip();
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
		skip();
	assert_string_equal(s, "llvm::foo(int, char const*)");
}

static void rust_names_lose_their_hash(void **state)
{
	(void)state;
	if (!HAVE_LIBIBERTY)
		skip();
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
		skip();
	assert_reads("_Dmain", "D main");
	assert_reads("_D3foo3barFZv", "foo.bar()");
	assert_reads("_D4core6memory2GC6mallocFNbmkxC8TypeInfoZPv",
		     "core.memory.GC.malloc(ulong, uint, const(TypeInfo))");
}

static void a_stub_is_its_function(void **state)
{
	(void)state;
	if (!HAVE_LIBIBERTY)
		skip();
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
