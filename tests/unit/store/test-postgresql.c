/* SPDX-License-Identifier: MIT */
#include "store/postgresql.h"

#include <config.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/diag.h"
#include "skip.h"

static void what_may_succeed_later_is_told_from_what_will_not(void **state)
{
	(void)state;
	assert_int_equal(postgresql_errno(NULL), -EAGAIN);    /* no answer */
	assert_int_equal(postgresql_errno("08006"), -EAGAIN); /* connection failure */
	assert_int_equal(postgresql_errno("40P01"), -EAGAIN); /* deadlock */
	assert_int_equal(postgresql_errno("40001"), -EAGAIN); /* serialization */
	assert_int_equal(postgresql_errno("53300"), -EAGAIN); /* too many connections */
	assert_int_equal(postgresql_errno("57P01"), -EAGAIN); /* shut down */
	assert_int_equal(postgresql_errno("57P03"), -EAGAIN); /* starting up */
	assert_int_equal(postgresql_errno("3D000"), -ENOENT);
	assert_int_equal(postgresql_errno("42P01"), -ENOENT);
	assert_int_equal(postgresql_errno("42501"), -EACCES);
	assert_int_equal(postgresql_errno("28P01"), -EACCES);
	assert_int_equal(postgresql_errno("23505"), -EEXIST);
	assert_int_equal(postgresql_errno("42601"), -EINVAL); /* syntax */
	assert_int_equal(postgresql_errno("?"), -EINVAL);
}

#if HAVE_LIBPQ
/* Checks the error of opening. Returns false if libpq is not installed. */
static bool check_open(const char *url, int error, const char *part)
{
	struct postgresql *pg = NULL;
	struct diag diag = { 0 };
	int r = postgresql_open(url, NULL, &pg, &diag);
	bool there = r != -ENOENT;

	if (there) {
		assert_int_equal(r, error);
		assert_null(pg);
		assert_non_null(strstr(diag.message, part));
	}
	diag_done(&diag);
	return there;
}

static void a_server_that_is_away_may_come_back(void **state)
{
	(void)state;
	if (!check_open("postgresql:///fleet?host=/nonexistent", -EAGAIN, "/nonexistent"))
		skip_because("there is no libpq");
	check_open("postgresql://127.0.0.1:1/fleet", -EAGAIN, "127.0.0.1:1/fleet");
}

static void passwords_in_urls_are_refused_and_not_repeated(void **state)
{
	static const char *const urls[] = {
		"postgresql://me:secret@127.0.0.1:1/fleet",
		"postgresql://me@127.0.0.1:1/fleet?password=secret",
		"postgresql://me:secret@127.0.0.1:1/fleet?nonsense=1",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		struct postgresql *pg = NULL;
		struct diag diag = { 0 };

		if (postgresql_open(urls[i], NULL, &pg, &diag) != -ENOENT) {
			assert_non_null(diag.message);
			assert_null(strstr(diag.message, "secret"));
		}
		diag_done(&diag);
	}
}
#else
static void a_build_without_it_says_so(void **state)
{
	struct postgresql *pg = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(postgresql_open("postgresql:///x", NULL, &pg, &diag), -ENOTSUP);
	assert_string_equal(diag.message, "this perf was built without PostgreSQL's library");
	diag_done(&diag);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_may_succeed_later_is_told_from_what_will_not),
#if HAVE_LIBPQ
		cmocka_unit_test(a_server_that_is_away_may_come_back),
		cmocka_unit_test(passwords_in_urls_are_refused_and_not_repeated),
#else
		cmocka_unit_test(a_build_without_it_says_so),
#endif
	};

	return cmocka_run_group_tests_name("sql/postgresql", tests, NULL, NULL);
}
