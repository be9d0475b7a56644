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
#include "base/text.h"
#include "tools/daemon/protocol-work.h"

static void a_command_comes_back_as_it_was(void **state)
{
	(void)state;
	for (int verb = DAEMON_LIST; verb <= DAEMON_PING; verb++) {
		const struct daemon_command c = { .verb = (enum daemon_verb)verb,
						  .session = "a-b_1" };
		_cleanup_(text_done) struct text t = TEXT_EMPTY;
		_cleanup_(diag_done) struct diag diag = { 0 };
		struct daemon_command got;

		daemon_command_encode(&c, &t);
		assert_int_equal(daemon_command_decode(t.chars, t.length, &got, &diag), 0);
		assert_int_equal(got.verb, c.verb);
		assert_string_equal(got.session, c.session);
		for (size_t n = 0; n < t.length; n++)
			assert_int_equal(daemon_command_decode(t.chars, n, &got, &diag), -EAGAIN);
	}
}

static void refused(const char *bytes, size_t n, int error, const char *message)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct daemon_command c = { .verb = DAEMON_PING, .session = "old" };

	assert_int_equal(daemon_command_decode(bytes, n, &c, &diag), error);
	assert_string_equal(diag.message, message);
	assert_string_equal(c.session, "old");
}

#define REFUSED(text, error, message) refused(text, sizeof(text) - 1, error, message)

static void commands_that_are_none_are_refused(void **state)
{
	char full[DAEMON_COMMAND_MAX];

	(void)state;
	REFUSED("\n", -EINVAL, "this is not a request of 'perf daemon'");
	REFUSED("GET / HTTP/1.1\n", -EINVAL, "this is not a request of 'perf daemon'");
	REFUSED("perf-daemon 2\tlist\t\n", -EPROTONOSUPPORT,
		"this is a request of another version of 'perf daemon'");
	REFUSED("perf-daemon 11\tlist\t\n", -EPROTONOSUPPORT,
		"this is a request of another version of 'perf daemon'");
	REFUSED("perf-daemon 1\n", -EINVAL, "this daemon does not know that request");
	REFUSED("perf-daemon 1\tfly\t\n", -EINVAL, "this daemon does not know that request");
	REFUSED("perf-daemon 1\tlist\t../x\n", -EINVAL, "this is not a name of a session");
	REFUSED("perf-daemon 1\tlist\ta\0b\n", -EINVAL, "this is not a name of a session");
	REFUSED("perf-daemon 1\tlist\ta\tb\n", -EINVAL, "this is not a name of a session");
	REFUSED("perf-daemon 1\tping\t1234567890123456789012345678901234567890123456789012345678901"
		"2345\n",
		-EINVAL, "this is not a name of a session");
	memset(full, 'x', sizeof(full));
	refused(full, sizeof(full), -EMSGSIZE, "this is not a request of 'perf daemon'");
}

static void an_answer_comes_back_as_it_was(void **state)
{
	struct daemon_session_status s = { .name = "a",
					   .run = "-e x\t'\\n'\nq\\",
					   .state = DAEMON_NO_ROOM,
					   .pid = 12,
					   .up_s = 3,
					   .next_s = 4,
					   .failures = 5,
					   .exit_status = 6,
					   .exit_signal = 7,
					   .files = 8,
					   .bytes = 9,
					   .keep_s = 10,
					   .max_bytes = UINT64_MAX / 16 };
	struct daemon_outcome sent = { .name = "b", .pid = 1, .signal = 12, .error = "" };
	struct daemon_outcome pinged = { .name = "c", .error = "not found" };
	const struct daemon_reply r = { .pid = 99,
					.base = "/a\tb",
					.up_s = 61,
					.is_full = true,
					.sessions = { &s, 1, 1 },
					.signals = { &sent, 1, 1 },
					.pings = { &pinged, 1, 1 } };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(daemon_reply_done) struct daemon_reply got = { 0 };

	(void)state;
	daemon_reply_encode(&r, &t);
	assert_int_equal(daemon_reply_decode(t.chars, t.length, &got, &diag), 0);
	assert_string_equal(got.base, r.base);
	assert_int_equal(got.pid, 99);
	assert_int_equal(got.up_s, 61);
	assert_true(got.is_full);
	assert_int_equal(got.sessions.n, 1);
	assert_string_equal(got.sessions.items[0].run, s.run);
	assert_int_equal(got.sessions.items[0].state, DAEMON_NO_ROOM);
	assert_int_equal(got.sessions.items[0].max_bytes, s.max_bytes);
	assert_int_equal(got.sessions.items[0].exit_signal, 7);
	assert_int_equal(got.signals.items[0].signal, 12);
	assert_string_equal(got.signals.items[0].error, "");
	assert_string_equal(got.pings.items[0].error, "not found");
}

static void why_nothing_was_done_is_said(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(daemon_reply_done) struct daemon_reply got = { 0 };

	(void)state;
	daemon_reply_encode(&(struct daemon_reply){ .error = "no" }, &t);
	assert_int_equal(daemon_reply_decode(t.chars, t.length, &got, &diag), 0);
	assert_string_equal(got.error, "no");
	assert_null(got.base);
}

#define DECODE(text, r, diag) daemon_reply_decode(text, sizeof(text) - 1, r, diag)

static void an_answer_without_an_end_is_refused(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(daemon_reply_done) struct daemon_reply r = { 0 };

	(void)state;
	assert_int_equal(DECODE("", &r, &diag), -EPIPE);
	assert_int_equal(DECODE("ping\ta\t1\t0\t\n", &r, &diag), -EPIPE);
	assert_int_equal(DECODE("end", &r, &diag), -EPIPE);
	assert_int_equal(DECODE("a\0end\n", &r, &diag), -EINVAL);
	assert_null(r.pings.items);
}

static void lines_of_another_version_are_taken_as_far_as_they_are_known(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(daemon_reply_done) struct daemon_reply r = { 0 };

	(void)state;
	assert_int_equal(DECODE("weather\tgood\n\nsession\ta\nsession\tb\tx\t99\t-1\t99999999999999"
				"9999999999\t6\t7\t8\t9\t10\t11\t12\t13\t14\t15\t16\t17\nend\n",
				&r, &diag),
			 0);
	assert_int_equal(r.sessions.n, 2);
	assert_string_equal(r.sessions.items[0].run, "");
	assert_int_equal(r.sessions.items[1].state, DAEMON_WAITING);
	assert_int_equal(r.sessions.items[1].pid, 0);
	assert_int_equal(r.sessions.items[1].up_s, 0);
	assert_int_equal(r.sessions.items[1].next_s, 6);
}

static void an_answer_has_a_limit_of_rows(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(daemon_reply_done) struct daemon_reply r = { 0 };

	(void)state;
	for (int i = 0; i < 10000; i++)
		text_add(&t, "ping\n");
	text_add(&t, "end\n");
	assert_int_equal(daemon_reply_decode(t.chars, t.length, &r, &diag), 0);
	assert_int_equal(r.pings.n, 256);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_comes_back_as_it_was),
		cmocka_unit_test(commands_that_are_none_are_refused),
		cmocka_unit_test(an_answer_comes_back_as_it_was),
		cmocka_unit_test(why_nothing_was_done_is_said),
		cmocka_unit_test(an_answer_without_an_end_is_refused),
		cmocka_unit_test(lines_of_another_version_are_taken_as_far_as_they_are_known),
		cmocka_unit_test(an_answer_has_a_limit_of_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
