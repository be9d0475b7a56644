/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "scratch-folder.h"
#include "tools/daemon/base-work.h"
#include "tools/daemon/server-work.h"

/* A server in the scratch folder, which is driven by the test. */
struct fixture {
	struct daemon_base base;
	struct daemon_server server;
	unsigned served;
	struct daemon_client *last;
};

static void serve(void *arg, struct daemon_client *c, const struct daemon_command *cmd)
{
	struct fixture *f = arg;

	f->served++;
	f->last = c;
	if (cmd->verb == DAEMON_LIST)
		daemon_client_answer(c, &(struct daemon_reply){ .error = (char *)"hello" }, 0);
	if (cmd->verb == DAEMON_STOP)
		c->waits_for_end = true;
	if (cmd->verb == DAEMON_PING) {
		struct daemon_outcome *o = ARRAY_ADD(&c->pings.pings);

		o->name = xstrdup(cmd->session);
		c->end_ms = 3000;
	}
}

static void begin(struct fixture *f)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	memset(f, 0, sizeof(*f));
	f->server.serve = serve;
	f->server.arg = f;
	assert_int_equal(daemon_base_open(".", &f->base, &diag), 0);
	assert_int_equal(daemon_server_open(&f->server, &f->base, &diag), 0);
}

static void end(struct fixture *f)
{
	daemon_server_close(&f->server, &f->base);
	daemon_base_close(&f->base);
}

static void turn(struct fixture *f)
{
	struct pollfd fds[DAEMON_CLIENTS_MAX + 1];

	for (int i = 0; i < 3; i++) {
		size_t n = daemon_server_poll(&f->server, fds);

		if (poll(fds, n, 0) > 0)
			daemon_server_run(&f->server, fds, n, 0);
	}
}

static int ask(const char *text)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX, .sun_path = "control" };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
	return fd;
}

static void answer_is(int fd, const char *expected)
{
	char bytes[1000] = "";

	assert_int_equal(recv(fd, bytes, sizeof(bytes) - 1, 0), strlen(expected));
	assert_string_equal(bytes, expected);
	assert_int_equal(recv(fd, bytes, 1, 0), 0);
	close(fd);
}

static void the_socket_is_its_users_own(void **state)
{
	struct fixture f;
	struct stat st;

	(void)state;
	begin(&f);
	assert_int_equal(stat("control", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	end(&f);
	assert_int_not_equal(stat("control", &st), 0);
}

static void a_socket_that_was_left_is_replaced(void **state)
{
	struct fixture f, g;

	(void)state;
	begin(&f);
	begin(&g);
	end(&g);
	end(&f);
}

static void requests_are_answered(void **state)
{
	struct fixture f;
	int fd;

	(void)state;
	begin(&f);
	fd = ask("perf-daemon 1\tlist\t\n");
	turn(&f);
	answer_is(fd, "error\thello\nend\n");
	/* A request may also come in pieces. */
	fd = ask("perf-daemon 1\tli");
	turn(&f);
	assert_int_equal(f.served, 1);
	assert_int_equal(send(fd, "st\t\n", 4, 0), 4);
	turn(&f);
	answer_is(fd, "error\thello\nend\n");
	end(&f);
}

static void what_is_no_request_is_refused(void **state)
{
	struct fixture f;
	char much[300];
	int fd;

	(void)state;
	begin(&f);
	fd = ask("hello\n");
	turn(&f);
	answer_is(fd, "error\tthis is not a request of 'perf daemon'\nend\n");
	memset(much, 'x', sizeof(much) - 1);
	much[sizeof(much) - 1] = '\0';
	fd = ask(much);
	turn(&f);
	/*
	 * The connection is closed while there was more to read, which is a reset; the answer may
	 * be lost.
	 */
	close(fd);
	assert_int_equal(f.served, 0);
	fd = ask("");
	close(fd);
	turn(&f);
	end(&f);
}

static void silent_clients_are_dropped_and_keep_nobody_waiting(void **state)
{
	int fds[DAEMON_CLIENTS_MAX + 1];
	struct fixture f;
	char byte;

	(void)state;
	begin(&f);
	for (size_t i = 0; i < DAEMON_CLIENTS_MAX; i++)
		fds[i] = ask("perf");
	turn(&f);
	fds[DAEMON_CLIENTS_MAX] = ask("perf-daemon 1\tlist\t\n");
	turn(&f);
	assert_int_equal(f.served, 0);
	assert_int_equal(daemon_server_deadline(&f.server), DAEMON_CLIENT_MS);
	daemon_server_expire(&f.server, DAEMON_CLIENT_MS);
	turn(&f);
	answer_is(fds[DAEMON_CLIENTS_MAX], "error\thello\nend\n");
	assert_int_equal(recv(fds[0], &byte, 1, 0), 0);
	assert_int_equal(daemon_server_deadline(&f.server), INT64_MAX);
	for (size_t i = 0; i < DAEMON_CLIENTS_MAX; i++)
		close(fds[i]);
	end(&f);
}

static void pings_are_answered_when_the_session_does(void **state)
{
	struct fixture f;
	int one, two, late;

	(void)state;
	begin(&f);
	one = ask("perf-daemon 1\tping\ta\n");
	two = ask("perf-daemon 1\tping\ta\n");
	late = ask("perf-daemon 1\tping\tb\n");
	turn(&f);
	daemon_server_pinged(&f.server, "a", "", 0);
	answer_is(one, "ping\ta\t0\t0\t\nend\n");
	answer_is(two, "ping\ta\t0\t0\t\nend\n");
	daemon_server_expire(&f.server, 2999);
	daemon_server_expire(&f.server, 3000);
	answer_is(late, "ping\tb\t0\t0\tdoes not answer\nend\n");
	end(&f);
}

static void who_waits_for_the_end_hears_of_it(void **state)
{
	struct fixture f;
	int fd;

	(void)state;
	begin(&f);
	fd = ask("perf-daemon 1\tstop\t\n");
	turn(&f);
	daemon_server_expire(&f.server, INT64_MAX);
	assert_int_equal(daemon_server_deadline(&f.server), INT64_MAX);
	end(&f);
	answer_is(fd, "end\n");
}

static void clients_that_went_away_are_forgotten(void **state)
{
	struct fixture f;
	int fd;

	(void)state;
	begin(&f);
	fd = ask("perf-daemon 1\tping\ta\n");
	turn(&f);
	close(fd);
	turn(&f);
	assert_int_equal(daemon_server_deadline(&f.server), INT64_MAX);
	daemon_server_pinged(&f.server, "a", "", 0);
	end(&f);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_scratch_folder, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_socket_is_its_users_own),
		TEST(a_socket_that_was_left_is_replaced),
		TEST(requests_are_answered),
		TEST(what_is_no_request_is_refused),
		TEST(silent_clients_are_dropped_and_keep_nobody_waiting),
		TEST(pings_are_answered_when_the_session_does),
		TEST(who_waits_for_the_end_hears_of_it),
		TEST(clients_that_went_away_are_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
