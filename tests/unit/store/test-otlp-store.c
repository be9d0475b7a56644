/* SPDX-License-Identifier: MIT */
#include <config.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "store/data.h"
#include "store/store.h"
#include "store/url.h"
#if HAVE_LIBCURL
#include "canned-server.h"

/*
 * Opens the store of @scheme at a server that answers with @answer, and sends a row if it is open.
 */
static int ask(const char *scheme, const char *path, const char *answer, struct diag *diag)
{
	_cleanup_(fleet_url_done) struct fleet_url u = { 0 };
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	_cleanup_(fleet_store_closep) struct fleet_store *s = NULL;
	struct fleet_receipt receipt = { 0 };
	struct canned_server canned;
	char url[160];
	int r;

	assert_true(canned_server_start(&canned, answer));
	snprintf(url, sizeof(url), "%s%s%s", scheme, strstr(canned.url, "://"), path);
	assert_int_equal(fleet_url_parse(url, 0, &u, diag), 0);
	fleet_add_image(d, "", "END", false);
	r = fleet_store_open(&u, true, &s, diag);
	if (r >= 0)
		r = fleet_store_put(s, d, &receipt, diag);
	canned_server_end(&canned);
	return r;
}

static void check(const char *scheme, const char *path, const char *answer, int error,
		  const char *part)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(ask(scheme, path, answer, &diag), error);
	if (error && (!diag.message || !strstr(diag.message, part)))
		fail_msg("%s: %s", part, diag.message ? diag.message : "no message");
}

static void a_collector_says_what_may_be_sent_again(void **state)
{
	(void)state;
	check("otlp+http", "", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 0, "");
	check("otlp+http", "/", "HTTP/1.1 503 x\r\nContent-Length: 0\r\n\r\n", -EAGAIN,
	      "/v1development/profiles answers with status 503");
	check("otlp+http", "/in", "HTTP/1.1 429 x\r\nContent-Length: 0\r\n\r\n", -EAGAIN,
	      "/in/v1development/profiles answers with status 429");
	check("otlp+http", "/v1development/profiles", "HTTP/1.1 404 x\r\nContent-Length: 0\r\n\r\n",
	      -EPROTO, "status 404");
	check("otlp+http", "", "HTTP/1.1 401 x\r\nContent-Length: 0\r\n\r\n", -EACCES,
	      "status 401");
}

static void an_answer_of_a_collector_that_is_cut_off_is_none(void **state)
{
	(void)state;
	check("otlp+http", "", "", -EAGAIN, "");
	check("otlp+http", "", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nx", -EAGAIN, "");
}
#else
static void a_build_without_it_says_so(void **state)
{
	_cleanup_(fleet_url_done) struct fleet_url u = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct fleet_store *s = NULL;

	(void)state;
	assert_int_equal(fleet_url_parse("otlp+http://127.0.0.1", 0, &u, &diag), 0);
	assert_int_equal(fleet_store_open(&u, true, &s, &diag), -ENOTSUP);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
#if HAVE_LIBCURL
		cmocka_unit_test(a_collector_says_what_may_be_sent_again),
		cmocka_unit_test(an_answer_of_a_collector_that_is_cut_off_is_none),
#else
		cmocka_unit_test(a_build_without_it_says_so),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
