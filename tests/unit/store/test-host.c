/* SPDX-License-Identifier: MIT */
#include "store/host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void this_machine_is_known_by_its_names(void **state)
{
	(void)state;
	assert_true(host_list_is_local(""));
	assert_true(host_list_is_local("localhost"));
	assert_true(host_list_is_local("LocalHost,127.0.0.1,::1"));
	assert_true(host_list_is_local("127.1.2.3"));
	assert_true(host_list_is_local("/run/postgresql"));
	assert_true(host_list_is_local("@abstract"));
}

static void others_are_not_this_machine(void **state)
{
	(void)state;
	assert_false(host_list_is_local("db.example"));
	assert_false(host_list_is_local("localhost,db.example"));
	assert_false(host_list_is_local("127.0.0.1.example"));
	assert_false(host_list_is_local("127.0.0"));
	assert_false(host_list_is_local("localhost.example"));
	assert_false(host_list_is_local("10.0.0.1"));
	assert_false(host_list_is_local("2001:db8::1"));
}

static void check_host(const char *url, const char *wanted)
{
	size_t n;
	const char *host = host_of_url(url, &n);

	assert_int_equal(n, strlen(wanted));
	assert_memory_equal(host, wanted, n);
}

static void a_url_has_its_host_behind_the_user(void **state)
{
	(void)state;
	check_host("http://db.example:8123/?a=@localhost", "db.example");
	check_host("https://user@db.example", "db.example");
	check_host("http://localhost@db.example:1/", "db.example");
	check_host("http://[::1]:8123/", "[::1]");
	check_host("http://[::1", "[::1");
	check_host("http://", "");
	check_host("db.example", "db.example");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_machine_is_known_by_its_names),
		cmocka_unit_test(others_are_not_this_machine),
		cmocka_unit_test(a_url_has_its_host_behind_the_user),
	};

	return cmocka_run_group_tests_name("sql/host", tests, NULL, NULL);
}
