/* SPDX-License-Identifier: MIT */
#include "store/clickhouse.h"

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

static void what_may_succeed_later_is_told_from_what_will_not(void **state)
{
	(void)state;
	assert_int_equal(clickhouse_errno(500, "Code: 60, e.displayText() = x"), -ENOENT);
	assert_int_equal(clickhouse_errno(404, "Code: 81. DB::Exception: x"), -ENOENT);
	assert_int_equal(clickhouse_errno(500, "Code: 252, x"), -EAGAIN); /* too many parts */
	assert_int_equal(clickhouse_errno(500, "Code: 241, x"), -EAGAIN); /* memory */
	assert_int_equal(clickhouse_errno(500, "Code: 193, x"), -EACCES); /* password */
	assert_int_equal(clickhouse_errno(500, "Code: 57, x"), -EEXIST);
	assert_int_equal(clickhouse_errno(400, "Code: 62, x"), -EINVAL); /* syntax */
	/* These answers are a proxy's, not ClickHouse's. */
	assert_int_equal(clickhouse_errno(502, "<html>"), -EAGAIN);
	assert_int_equal(clickhouse_errno(503, ""), -EAGAIN);
	assert_int_equal(clickhouse_errno(500, "Code: x"), -EAGAIN);
	assert_int_equal(clickhouse_errno(403, ""), -EACCES);
	assert_int_equal(clickhouse_errno(404, ""), -EPROTO);
}

#if HAVE_LIBCURL
static int add_up(void *arg, const struct tab_cell *cells)
{
	int64_t n;
	int r = tab_cell_number(&cells[0], &n);

	*(int64_t *)arg += r < 0 ? 0 : n;
	return r;
}

/* Selects one column from a server that answers with @answer. */
static int ask(const char *answer, int64_t *sum, struct diag *diag)
{
	struct clickhouse_server server = { .database = "a b" };
	struct canned_server canned;
	struct clickhouse *c = NULL;
	int r;

	assert_true(canned_server_start(&canned, answer));
	server.url = canned.url;
	r = clickhouse_open(&server, &c, diag);
	if (r >= 0)
		r = clickhouse_select(c, "SELECT n FROM t /* END */", 1, add_up, sum, diag);
	clickhouse_close(c);
	canned_server_end(&canned);
	return r;
}

static void check(const char *answer, int error, int64_t sum, const char *part)
{
	struct diag diag = { 0 };
	int64_t n = 0;
	int r = ask(answer, &n, &diag);

	if (r != -ENOENT || error == -ENOENT) {
		assert_int_equal(r, error);
		assert_int_equal(n, sum);
		if (part)
			assert_non_null(strstr(diag.message, part));
	}
	diag_done(&diag);
}

static void rows_come_out_of_an_answer(void **state)
{
	(void)state;
	check("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n40\n+2\n", -EBADMSG, 40, NULL);
	check("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n40\n2\n", 0, 42, NULL);
	check("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 0, 0, NULL);
}

static void damaged_answers_are_refused(void **state)
{
	(void)state;
	check("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1\nCode: 2", -EBADMSG, 1, "cut off");
	check("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n1\t2\n", -EBADMSG, 0, "too many");
	check("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n1\n2\n", -EAGAIN, 3, NULL);
	check("SSH-2.0-OpenSSH_9.2\r\n", -EAGAIN, 0, NULL);
}

static void a_sentence_behind_the_rows_is_found(void **state)
{
	(void)state;
	check("HTTP/1.1 200 OK\r\nContent-Length: 52\r\n\r\n"
	      "1\nCode: 241. DB::Exception: Memory limit exceeded. x\n",
	      -EAGAIN, 1, ": Memory limit exceeded. x");
	/* The answer is cut off within the message. */
	check("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n"
	      "1\nCode: 60, e.displayText() = DB::Exception: No table x",
	      -ENOENT, 1, ": No table x");
	check("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n7\n\r\n"
	      "2f\r\nCode: 395. DB::Exception: Value passed to throw\n\r\n0\r\n\r\n",
	      -EINVAL, 7, "Value passed");
}

static void the_servers_sentence_is_found(void **state)
{
	(void)state;
	check("HTTP/1.1 500 Error\r\nContent-Length: 90\r\n\r\n"
	      "Code: 62, e.displayText() = DB::Exception: Syntax error: failed, e.what() = "
	      "DB::Exception\n",
	      -EINVAL, 0, ": Syntax error: failed");
	check("HTTP/1.1 504 Late\r\nContent-Length: 0\r\n\r\n", -EAGAIN, 0, "status 504");
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_may_succeed_later_is_told_from_what_will_not),
#if HAVE_LIBCURL
		cmocka_unit_test(rows_come_out_of_an_answer),
		cmocka_unit_test(damaged_answers_are_refused),
		cmocka_unit_test(a_sentence_behind_the_rows_is_found),
		cmocka_unit_test(the_servers_sentence_is_found),
#endif
	};

	return cmocka_run_group_tests_name("sql/clickhouse", tests, NULL, NULL);
}
