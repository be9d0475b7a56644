/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/short-name.h"
#include "base/text.h"

#define STRING "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"

static void assert_short(const char *name, size_t columns, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	name_shorten(&t, name, columns, "…");
	assert_string_equal(t.chars, expected);
}

static void types_are_called_as_in_the_source(void **state)
{
	(void)state;
	assert_short("f<" STRING ">", 80, "f<std::string>");
	assert_short("std::vector<int, std::allocator<int> >::push_back", 80,
		     "std::vector<int>::push_back");
	assert_short("std::map<" STRING ", int, std::less<" STRING
		     " >, std::allocator<std::pair<" STRING " const, int> > >::at",
		     80, "std::map<std::string, int>::at");
	assert_short("std::__1::sort<int*>", 80, "std::sort<int*>");
	assert_short("core::fmt::write::h0123456789abcdef", 80, "core::fmt::write");
	assert_short("core::fmt::write::hello", 80, "core::fmt::write::hello");
}

static void arguments_go_from_the_inside(void **state)
{
	(void)state;
	assert_short("A<B<C<int>, D<long> > >::put", 26, "A<B<C<…>, D<…> > >::put");
	assert_short("A<B<C<int>, D<long> > >::put", 20, "A<B<…> >::put");
	assert_short("A<B<C<int>, D<long> > >::put", 10, "A<…>::put");
	assert_short("<alloc::vec::Vec<Thing> as core::iter::Extend<u8>>::extend", 54,
		     "<alloc::vec::Vec<…> as core::iter::Extend<…>>::extend");
}

static void versions_go_first(void **state)
{
	(void)state;
	assert_short("pthread_create@@GLIBC_2.34", 26, "pthread_create@@GLIBC_2.34");
	assert_short("pthread_create@@GLIBC_2.34", 25, "pthread_create");
	assert_short("free@GLIBC_2.17", 5, "free");
	assert_short("free@plt", 5, "free@plt");
	assert_short("operator@", 5, "operator@");
}

static void the_own_name_stays(void **state)
{
	(void)state;
	assert_short("outer::inner::Catalogue<int>::put", 20, "…::Catalogue<…>::put");
	assert_short("a::b::a_very_long_name_of_its_own", 10, "…::a_very_long_name_of_its_own");
	assert_short("plain_function_of_c", 5, "plain_function_of_c");
	assert_short("", 5, "");
}

static void signs_of_operators_are_no_brackets(void **state)
{
	(void)state;
	assert_short("std::operator<< <std::char_traits<char> >", 26, "std::operator<< <…>");
	assert_short("scope::A<int>::operator->", 16, "…::operator->");
	assert_short("scope::A<int>::operator()", 23, "scope::A<…>::operator()");
	assert_short("scope::f::{{closure}}<fn() -> Vec<T>>", 30, "scope::f::{{closure}}<…>");
}

static void brackets_that_do_not_match_do_no_harm(void **state)
{
	_cleanup_(freep) char *open = xcalloc(100001, 1);

	(void)state;
	assert_short("a<b<c", 3, "a<…");
	assert_short("a>b>c::d", 4, "…::d");
	memset(open, '<', 100000);
	assert_short(open, 10, "<…");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_are_called_as_in_the_source),
		cmocka_unit_test(arguments_go_from_the_inside),
		cmocka_unit_test(versions_go_first),
		cmocka_unit_test(the_own_name_stays),
		cmocka_unit_test(signs_of_operators_are_no_brackets),
		cmocka_unit_test(brackets_that_do_not_match_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
