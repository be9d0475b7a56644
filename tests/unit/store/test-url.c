/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "store/url.h"

#define NOW 1780228800 /* 2026-05-31T12:00 */

static void check(const char *text, const char *scheme, const char *target)
{
	struct diag diag = { 0 };
	struct fleet_url u;

	assert_int_equal(fleet_url_parse(text, NOW, &u, &diag), 0);
	assert_string_equal(u.scheme, scheme);
	assert_string_equal(u.target, target);
	fleet_url_done(&u);
}

static void refuse(const char *text, const char *why)
{
	struct diag diag = { 0 };
	struct fleet_url u;

	assert_int_equal(fleet_url_parse(text, NOW, &u, &diag), -EINVAL);
	assert_non_null(strstr(diag.message, why));
	diag_done(&diag);
}

static void files_are_not_urls(void **state)
{
	(void)state;
	assert_true(fleet_is_url("sqlite:x"));
	assert_true(fleet_is_url("postgresql://h/d"));
	assert_true(fleet_is_url("otlp+http://h"));
	assert_false(fleet_is_url("perf.data"));
	assert_false(fleet_is_url("http"));
	assert_false(fleet_is_url("http:x"));
	assert_false(fleet_is_url("sqlite"));
	assert_false(fleet_is_url("file:///x"));
	assert_false(fleet_is_url(""));
	refuse("perf.data", "is not a URL");
}

static void parameters_of_the_store_stay(void **state)
{
	(void)state;
	check("sqlite:/a%20b%3f.db?host=x", "sqlite", "/a b?.db");
	check("postgresql://me@h:5432/db", "postgresql", "postgresql://me@h:5432/db");
	check("postgresql://h/db?sslmode=require&host=x&a=b&", "postgresql",
	      "postgresql://h/db?sslmode=require&a=b");
	check("postgresql:///db?service=x", "postgresql", "postgresql:///db");
}

static void a_filter_is_read(void **state)
{
	struct diag diag = { 0 };
	struct fleet_url u;

	(void)state;
	assert_int_equal(fleet_url_parse("sqlite:x?host=a*&service=b%26c&container=d&comm=e&event=f"
					 "&since=1h&until=2026-05-31&by=minute&by=host&by=function",
					 NOW, &u, &diag),
			 0);
	assert_string_equal(u.filter.host, "a*");
	assert_string_equal(u.filter.service, "b&c");
	assert_string_equal(u.filter.container, "d");
	assert_string_equal(u.filter.comm, "e");
	assert_string_equal(u.filter.event, "f");
	assert_int_equal(u.filter.since, NOW - 3600);
	assert_int_equal(u.filter.until, NOW - 12 * 3600);
	assert_true(u.filter.by_minute && u.filter.by_host && u.filter.by_function);
	assert_false(fleet_filter_is_empty(&u.filter));
	fleet_url_done(&u);
	assert_int_equal(
		fleet_url_parse("sqlite:x?since=@5&since=2026-05-31T12:00Z", NOW, &u, &diag), 0);
	assert_int_equal(u.filter.since, NOW);
	fleet_url_done(&u);
	assert_int_equal(fleet_url_parse("sqlite:x", NOW, &u, &diag), 0);
	assert_true(fleet_filter_is_empty(&u.filter));
	fleet_url_done(&u);
}

static void mistakes_are_refused(void **state)
{
	(void)state;
	refuse("sqlite:", "names no file");
	refuse("sqlite:a%0", "names no file");
	refuse("sqlite:a%00b", "names no file");
	refuse("sqlite:a%zz", "names no file");
	refuse("sqlite:x?host", "has no value");
	refuse("sqlite:x?host=%", "has no value");
	refuse("sqlite:x?since=soon", "is not a time");
	refuse("sqlite:x?since=-1h", "is not a time");
	refuse("sqlite:x?since=99999999999999999999d", "is not a time");
	refuse("sqlite:x?since=@", "is not a time");
	refuse("sqlite:x?since=@12x", "is not a time");
	refuse("sqlite:x?since=2026-13-01", "is not a time");
	refuse("sqlite:x?by=year", "is not known");
	refuse("sqlite:x?mode=ro", "is not understood");
	refuse("postgresql://me:secret@h/db", "password");
}

static void a_password_is_not_repeated(void **state)
{
	struct diag diag = { 0 };
	struct fleet_url u;

	(void)state;
	fleet_url_parse("https://me:secret@h/", NOW, &u, &diag);
	assert_null(strstr(diag.message, "secret"));
	assert_null(diag.excerpt);
	diag_done(&diag);
}

static void ages_have_units(void **state)
{
	(void)state;
	assert_int_equal(fleet_age("90s"), 90);
	assert_int_equal(fleet_age("2w"), 14 * 86400);
	assert_int_equal(fleet_age("0m"), 0);
	assert_int_equal(fleet_age("90"), -1);
	assert_int_equal(fleet_age("s"), -1);
	assert_int_equal(fleet_age("1hh"), -1);
	assert_int_equal(fleet_age(""), -1);
}

static void what_is_recent_ends_now(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct fleet_url u;

	(void)state;
	assert_int_equal(fleet_url_parse("sqlite:x?since=1h&host=**", 7230, &u, &diag), 0);
	assert_int_equal(u.filter.since, 3630);
	assert_int_equal(u.filter.until, 7260);
	assert_null(u.filter.host);
	fleet_url_done(&u);
	assert_int_equal(fleet_url_parse("sqlite:x?since=@3600", 7230, &u, &diag), 0);
	assert_true(u.filter.until == INT64_MAX);
	fleet_url_done(&u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_recent_ends_now),
		cmocka_unit_test(files_are_not_urls),
		cmocka_unit_test(parameters_of_the_store_stay),
		cmocka_unit_test(a_filter_is_read),
		cmocka_unit_test(mistakes_are_refused),
		cmocka_unit_test(a_password_is_not_repeated),
		cmocka_unit_test(ages_have_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
