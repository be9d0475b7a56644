/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "scratch-folder.h"
#include "tools/daemon/base-work.h"
#include "tools/daemon/session-work.h"

#define EXITED(status) ((status) << 8)

static struct daemon_session *new_session(void)
{
	struct daemon_plan p = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct daemon_setting s = {
		.section = "session-a", .name = "run", .value = "-a x", .origin = "f"
	};
	struct daemon_session *session;

	assert_int_equal(daemon_plan_add(&p, &s, &diag), 0);
	session = daemon_session_new(&p.items[0], 1000);
	daemon_plan_done(&p);
	return session;
}

static void pauses_grow_up_to_a_limit(void **state)
{
	(void)state;
	assert_int_equal(daemon_session_pause_s(1), 1);
	assert_int_equal(daemon_session_pause_s(2), 2);
	assert_int_equal(daemon_session_pause_s(4), 8);
	assert_int_equal(daemon_session_pause_s(10), DAEMON_PAUSE_LAST_S);
	assert_int_equal(daemon_session_pause_s(4000000000u), DAEMON_PAUSE_LAST_S);
}

static void a_failure_is_followed_by_a_pause(void **state)
{
	struct daemon_session *s = new_session();

	(void)state;
	s->state = DAEMON_RUNNING;
	s->started_ms = 1000;
	daemon_session_ended(s, EXITED(1), false, 2000);
	assert_int_equal(s->state, DAEMON_WAITING);
	assert_int_equal(s->next_ms, 3000);
	s->state = DAEMON_RUNNING;
	s->started_ms = 3000;
	daemon_session_ended(s, SIGSEGV, false, 4000);
	assert_int_equal(s->next_ms, 6000);
	assert_int_equal(s->failures, 2);
	/* A run that was long enough clears the earlier failures. */
	s->state = DAEMON_RUNNING;
	daemon_session_ended(s, EXITED(1), false, 3000 + DAEMON_PAUSE_LAST_S * 1000);
	assert_int_equal(s->failures, 1);
	daemon_session_free(s);
}

static void success_is_the_end(void **state)
{
	struct daemon_session *s = new_session();

	(void)state;
	s->state = DAEMON_RUNNING;
	daemon_session_ended(s, EXITED(0), false, 2000);
	assert_int_equal(s->state, DAEMON_ENDED);
	assert_int_equal(s->failures, 0);
	daemon_session_free(s);
}

static void one_that_was_told_to_end_begins_at_once(void **state)
{
	struct daemon_session *s = new_session();

	(void)state;
	s->state = DAEMON_STOPPING;
	s->failures = 3;
	daemon_session_ended(s, SIGTERM, false, 2000);
	assert_int_equal(s->state, DAEMON_WAITING);
	assert_int_equal(s->next_ms, 2000);
	assert_int_equal(s->failures, 0);
	daemon_session_free(s);
}

static void a_full_disk_is_waited_for(void **state)
{
	struct daemon_session *s = new_session();

	(void)state;
	s->state = DAEMON_RUNNING;
	daemon_session_ended(s, EXITED(255), true, 2000);
	assert_int_equal(s->state, DAEMON_NO_ROOM);
	assert_int_equal(s->next_ms, 2000 + DAEMON_ROOM_WAIT_S * 1000);
	daemon_session_free(s);
}

static void the_status_tells_what_happened(void **state)
{
	struct daemon_session *s = new_session();
	_cleanup_(daemon_reply_done) struct daemon_reply r = { 0 };
	struct daemon_session_status *status = ARRAY_ADD(&r.sessions);

	(void)state;
	s->state = DAEMON_RUNNING;
	daemon_session_ended(s, EXITED(7), false, 2000);
	daemon_session_status(s, 2100, status);
	assert_string_equal(status->name, "a");
	assert_string_equal(status->run, "-a x");
	assert_int_equal(status->exit_status, 7);
	assert_int_equal(status->exit_signal, 0);
	assert_int_equal(status->next_s, 1);
	assert_int_equal(status->up_s, 0);
	daemon_session_free(s);
}

static void one_that_does_not_run_has_no_pulse(void **state)
{
	struct daemon_session *s = new_session();

	(void)state;
	assert_int_equal(daemon_session_ping(s), -EPIPE);
	daemon_session_free(s);
}

/* Writes a program in the place of perf, which answers one ping and fails. */
static void write_program(void)
{
	static const char text[] = "#!/bin/sh\n"
				   "echo \"$@\"\n"
				   "read -r word <control\n"
				   "echo \"got $word\"\n"
				   "printf 'ack\\n\\0' >ack\n"
				   "exit 3\n";

	assert_int_equal(output_file_replace("program", text, sizeof(text) - 1, 0700), 0);
}

static bool wait_for_ack(struct daemon_session *s)
{
	for (int i = 0; i < 3000; i++) {
		if (daemon_session_take_ack(s))
			return true;
		usleep(10000);
	}
	return false;
}

static void a_session_runs_in_its_folder(void **state)
{
	_cleanup_(daemon_base_close) struct daemon_base base = DAEMON_BASE_NONE;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *text = NULL, *program = NULL;
	struct daemon_session *s = new_session();
	int status;

	write_program();
	program = xasprintf("%s/program", (char *)*state);
	assert_int_equal(daemon_base_open(".", &base, &diag), 0);
	assert_int_equal(daemon_session_start(s, &base, program, 5000, &diag), 0);
	assert_int_equal(s->state, DAEMON_RUNNING);
	assert_int_equal(daemon_session_ping(s), 0);
	assert_true(s->is_pinged);
	assert_true(wait_for_ack(s));
	assert_false(s->is_pinged);
	assert_int_equal(waitpid(s->pid, &status, 0), s->pid);
	assert_int_equal(WEXITSTATUS(status), 3);
	assert_int_equal(file_read(AT_FDCWD, "session-a/output", 1000, &text, NULL), 0);
	assert_string_equal(text, "record --control=fifo:control,ack -a x\ngot ping\n");
	daemon_session_ended(s, status, false, 6000);
	daemon_session_free(s);
}

static void one_of_an_earlier_daemon_is_waited_for(void **state)
{
	_cleanup_(daemon_base_close) struct daemon_base base = DAEMON_BASE_NONE;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *program = NULL;
	struct daemon_session *old = new_session(), *s = new_session();
	int status;

	write_program();
	program = xasprintf("%s/program", (char *)*state);
	assert_int_equal(daemon_base_open(".", &base, &diag), 0);
	assert_int_equal(daemon_session_start(old, &base, program, 5000, &diag), 0);
	assert_int_equal(daemon_session_start(s, &base, program, 5000, &diag), -EBUSY);
	assert_int_equal(s->state, DAEMON_WAITING);
	assert_int_equal(s->next_ms, 6000);
	daemon_session_stop(old, true, 5000);
	assert_int_equal(waitpid(old->pid, &status, 0), old->pid);
	daemon_session_ended(old, status, false, 5000);
	daemon_session_free(old);
	daemon_session_free(s);
}

static void a_program_that_is_not_there_has_a_status(void **state)
{
	_cleanup_(daemon_base_close) struct daemon_base base = DAEMON_BASE_NONE;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct daemon_session *s = new_session();
	int status;

	(void)state;
	assert_int_equal(daemon_base_open(".", &base, &diag), 0);
	assert_int_equal(daemon_session_start(s, &base, "/dev/null/x", 5000, &diag), 0);
	assert_int_equal(waitpid(s->pid, &status, 0), s->pid);
	assert_int_equal(WEXITSTATUS(status), 127);
	s->pid = 0;
	daemon_session_free(s);
}

static void a_folder_that_is_a_file_is_said(void **state)
{
	_cleanup_(daemon_base_close) struct daemon_base base = DAEMON_BASE_NONE;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct daemon_session *s = new_session();

	(void)state;
	assert_int_equal(output_file_replace("session-a", "", 0, 0600), 0);
	assert_int_equal(daemon_base_open(".", &base, &diag), 0);
	assert_int_equal(daemon_session_start(s, &base, "/bin/true", 5000, &diag), -ENOTDIR);
	assert_string_equal(diag.message, "session 'a': cannot open its folder: Not a directory");
	assert_int_equal(s->state, DAEMON_WAITING);
	daemon_session_free(s);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_scratch_folder, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pauses_grow_up_to_a_limit),
		cmocka_unit_test(a_failure_is_followed_by_a_pause),
		cmocka_unit_test(success_is_the_end),
		cmocka_unit_test(one_that_was_told_to_end_begins_at_once),
		cmocka_unit_test(a_full_disk_is_waited_for),
		cmocka_unit_test(the_status_tells_what_happened),
		cmocka_unit_test(one_that_does_not_run_has_no_pulse),
		TEST(a_session_runs_in_its_folder),
		TEST(one_of_an_earlier_daemon_is_waited_for),
		TEST(a_program_that_is_not_there_has_a_status),
		TEST(a_folder_that_is_a_file_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
