/* SPDX-License-Identifier: MIT */
#include "store/http.h"
#include "store/patience.h"

#include <config.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/diag.h"
#if HAVE_LIBCURL
#include "canned-server.h"
#endif

static void what_may_not_stand_in_a_url_is_escaped(void **state)
{
	struct text t = TEXT_EMPTY;

	(void)state;
	http_escape(&t, "a-b_c.d~ '&=%\n\xff");
	assert_string_equal(t.chars, "a-b_c.d~%20%27%26%3D%25%0A%FF");
	text_done(&t);
}

#if HAVE_LIBCURL
static int collect(void *arg, const char *bytes, size_t n)
{
	text_add_bytes(arg, bytes, n);
	return 0;
}

/*
 * Sends one request to a server that answers with @answer. Returns the result, -ENOENT without
 * libcurl.
 */
static int ask(const char *answer, struct text *body, struct http_answer *ret, struct diag *diag)
{
	struct canned_server server;
	struct http *h = NULL;
	int r = http_new(&h, diag);

	if (r < 0)
		return r;
	assert_true(canned_server_start(&server, answer));
	r = http_post(h, &(struct http_request){ .url = server.url, .body = "rows END", .size = 8 },
		      collect, body, ret, diag);
	canned_server_end(&server);
	http_free(h);
	return r;
}

static void check(const char *answer, int error, int status, const char *body, const char *refusal)
{
	struct http_answer a = { .refusal = TEXT_EMPTY };
	struct text t = TEXT_EMPTY;
	struct diag diag = { 0 };
	int r = ask(answer, &t, &a, &diag);

	if (r != -ENOENT) {
		assert_int_equal(r, error);
		assert_int_equal(a.status, status);
		assert_string_equal(t.chars, body);
		assert_string_equal(a.refusal.chars, refusal);
	}
	text_done(&t);
	http_answer_done(&a);
	diag_done(&diag);
}

static void the_body_of_a_success_is_handed_over(void **state)
{
	(void)state;
	check("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", 0, 200, "abc", "");
	check("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", 0, 200,
	      "ab", "");
}

static void a_refusal_is_kept_apart(void **state)
{
	(void)state;
	check("HTTP/1.1 503 Busy\r\nContent-Length: 5\r\n\r\nlater", 0, 503, "", "later");
	/* A redirect is not followed, because the rows and the password would go elsewhere. */
	check("HTTP/1.1 302 Found\r\nLocation: http://example.com/\r\nContent-Length: 0\r\n\r\n", 0,
	      302, "", "");
}

static void an_answer_that_is_cut_off_is_no_answer(void **state)
{
	(void)state;
	check("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", -EAGAIN, 200, "abc", "");
	check("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nab", -EAGAIN, 200, "ab",
	      "");
	check("", -EAGAIN, 0, "", "");
}

static void check_refused(const struct http_request *q, int error)
{
	struct http_answer a = { .refusal = TEXT_EMPTY };
	struct http *h = NULL;
	struct diag diag = { 0 };

	if (http_new(&h, &diag) >= 0) {
		assert_int_equal(http_post(h, q, NULL, NULL, &a, &diag), error);
		assert_non_null(diag.message);
		assert_null(strstr(diag.message, "secret"));
	}
	http_answer_done(&a);
	http_free(h);
	diag_done(&diag);
}

static void passwords_do_not_travel_unencrypted(void **state)
{
	(void)state;
	check_refused(&(struct http_request){ .url = "http://db.example/", .password = "secret" },
		      -EACCES);
	check_refused(&(struct http_request){ .url = "ftp://localhost/" }, -EINVAL);
	check_refused(&(struct http_request){ .url = "http://127.0.0.1:1/", .password = "secret" },
		      -EAGAIN);
}
static void servers_of_this_machine_are_asked_without_a_proxy(void **state)
{
	(void)state;
	/* Nobody listens there. */
	setenv("http_proxy", "http://127.0.0.1:1", 1);
	setenv("ALL_PROXY", "http://127.0.0.1:1", 1);
	check("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", 0, 200, "abc", "");
	unsetenv("http_proxy");
	unsetenv("ALL_PROXY");
}

static bool is_over_at_third(void *arg)
{
	return ++*(int *)arg == 3;
}

static void waiting_ends_with_patience(void **state)
{
	int n = 0;
	const struct patience patience = { is_over_at_third, &n };
	/* The server waits for the end of the request. */
	struct canned_server server;
	struct http_answer a = { .refusal = TEXT_EMPTY };
	struct http *h = NULL;
	struct diag diag = { 0 };

	(void)state;
	if (http_new(&h, &diag) >= 0) {
		assert_true(canned_server_start(&server, ""));
		assert_int_equal(http_post(h,
					   &(struct http_request){ .url = server.url,
								   .body = "rows",
								   .size = 4,
								   .patience = &patience },
					   NULL, NULL, &a, &diag),
				 -EINTR);
		canned_server_end(&server);
	}
	http_answer_done(&a);
	http_free(h);
	diag_done(&diag);
}
#else
static void a_build_without_it_says_so(void **state)
{
	struct http *h = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(http_new(&h, &diag), -ENOTSUP);
	assert_string_equal(diag.message, "this perf was built without libcurl");
	diag_done(&diag);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_may_not_stand_in_a_url_is_escaped),
#if HAVE_LIBCURL
		cmocka_unit_test(the_body_of_a_success_is_handed_over),
		cmocka_unit_test(a_refusal_is_kept_apart),
		cmocka_unit_test(an_answer_that_is_cut_off_is_no_answer),
		cmocka_unit_test(passwords_do_not_travel_unencrypted),
		cmocka_unit_test(servers_of_this_machine_are_asked_without_a_proxy),
		cmocka_unit_test(waiting_ends_with_patience),
#else
		cmocka_unit_test(a_build_without_it_says_so),
#endif
	};

	return cmocka_run_group_tests_name("sql/http", tests, NULL, NULL);
}
