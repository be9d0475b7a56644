/* SPDX-License-Identifier: MIT */
#include "tools/daemon/daemon-work.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/memory.h"
#include "tools/daemon/base-work.h"
#include "tools/daemon/internal-work.h"
#include "tools/daemon/session-work.h"

#define MS_PER_S 1000

/* The interval at which files are checked, while a session has limits. */
#define ROTATE_MS 1000

/* Sessions that are about to end count too. */
#define POLLED_MAX (2 * DAEMON_SESSIONS_MAX)

DEFINE_FREEP(daemon)

static int open_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int open_log(struct daemon *d, struct diag *diag)
{
	if (d->rq.log_fd >= 0) {
		d->log.fd = d->rq.log_fd;
		return 0;
	}
	daemon_trim_output(d->rq.base->folder, "output");
	d->log_file = daemon_open_output(d->rq.base->folder, "output");
	d->log.fd = d->log_file;
	return d->log_file < 0 ? diag_set(diag, d->log_file, "cannot write '%s/output': %s",
					  d->rq.base->path, strerror(-d->log_file))
			       : 0;
}

int daemon_prepare(const struct daemon_request *rq, struct daemon **ret, struct diag *diag)
{
	_cleanup_(daemon_freep) struct daemon *d = xcalloc(1, sizeof(*d));
	int r;

	*d = (struct daemon){ .rq = *rq,
			      .signals = -1,
			      .log_file = -1,
			      .server = { .fd = -1, .serve = daemon_serve, .arg = d },
			      .watch.fd = -1,
			      .folders.fd = -1,
			      .started_ms = clock_ms() };
	r = daemon_base_check(rq->base, diag);
	if (r >= 0)
		r = daemon_base_lock(rq->base, diag);
	if (r >= 0)
		r = open_log(d, diag);
	if (r >= 0)
		r = daemon_server_open(&d->server, rq->base, diag);
	if (r < 0)
		return r;
	d->signals = open_signals();
	daemon_watch_open(&d->watch, rq->config_paths, rq->n_config_paths);
	daemon_watch_open_folders(&d->folders);
	*ret = TAKE(d);
	return 0;
}

struct daemon *daemon_free(struct daemon *d)
{
	if (!d)
		return NULL;
	if (d->server.fd >= 0)
		daemon_server_close(&d->server, d->rq.base);
	for (size_t i = 0; i < d->sessions.n; i++)
		daemon_session_free(d->sessions.items[i]);
	free(d->sessions.items);
	daemon_watch_close(&d->watch);
	daemon_watch_close(&d->folders);
	closep(&d->signals);
	closep(&d->log_file);
	free(d);
	return NULL;
}

int daemon_log_fd(const struct daemon *d)
{
	return d->log.fd;
}

static void say_end(const struct daemon *d, const struct daemon_session *s, int status)
{
	if (WIFSIGNALED(status))
		daemon_log_add(&d->log, "session '%s' killed (signal %d)", s->plan.name,
			       WTERMSIG(status));
	else
		daemon_log_add(&d->log, "session '%s' exited, status=%d", s->plan.name,
			       WEXITSTATUS(status));
	if (s->state == DAEMON_NO_ROOM)
		daemon_log_add(
			&d->log,
			"session '%s': no room on the disk of %s; it restarts when there is room",
			s->plan.name, d->rq.base->path);
	else if (s->state == DAEMON_WAITING && s->failures)
		daemon_log_add(&d->log,
			       "session '%s' restarts in %u s; its output says why it ended",
			       s->plan.name, daemon_session_pause_s(s->failures));
}

static void daemon_reap(struct daemon *d, int64_t now_ms)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (size_t i = 0; i < d->sessions.n; i++) {
			struct daemon_session *s = d->sessions.items[i];

			if (s->pid != pid)
				continue;
			daemon_session_ended(s, status, daemon_is_full(d), now_ms);
			say_end(d, s, status);
			daemon_server_pinged(&d->server, s->plan.name, "ended", now_ms);
		}
}

static void daemon_stop(struct daemon *d, int64_t now_ms)
{
	d->is_ending = true;
	for (size_t i = 0; i < d->sessions.n; i++)
		daemon_session_stop(d->sessions.items[i], true, now_ms);
}

static void daemon_take_signals(struct daemon *d, int64_t now_ms)
{
	struct signalfd_siginfo info;

	while (read(d->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT)
			daemon_stop(d, now_ms);
		else if (info.ssi_signo == SIGHUP)
			daemon_reconfigure(d, now_ms);
	}
	/* One SIGCHLD may stand for several children. */
	daemon_reap(d, now_ms);
}

/* Does what is due for @s at this time. */
static void run_session(struct daemon *d, struct daemon_session *s, int64_t now_ms)
{
	if (s->next_ms > now_ms)
		return;
	if (s->state == DAEMON_STOPPING) {
		daemon_log_add(&d->log, "session '%s' does not end: killed", s->plan.name);
		kill(s->pid, SIGKILL);
		s->next_ms = now_ms + (int64_t)DAEMON_STOP_S * MS_PER_S;
	} else if (s->state == DAEMON_NO_ROOM && daemon_is_full(d)) {
		s->next_ms = now_ms + (int64_t)DAEMON_ROOM_WAIT_S * MS_PER_S;
	} else if (s->state == DAEMON_WAITING || s->state == DAEMON_NO_ROOM) {
		daemon_start_session(d, s, now_ms);
	}
}

static void run_sessions(struct daemon *d, int64_t now_ms)
{
	for (size_t i = 0; i < d->sessions.n;) {
		struct daemon_session *s = d->sessions.items[i];

		if (s->is_going && !s->pid) {
			daemon_session_free(s);
			memmove(&d->sessions.items[i], &d->sessions.items[i + 1],
				(--d->sessions.n - i) * sizeof(d->sessions.items[0]));
			continue;
		}
		run_session(d, s, now_ms);
		i++;
	}
}

static int64_t daemon_earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Returns the time for which poll() may wait; -1: until something happens. */
static int daemon_wait_ms(const struct daemon *d, int64_t now_ms)
{
	int64_t at = daemon_server_deadline(&d->server);

	for (size_t i = 0; i < d->sessions.n; i++) {
		const struct daemon_session *s = d->sessions.items[i];

		if (s->state != DAEMON_RUNNING && s->state != DAEMON_ENDED)
			at = daemon_earlier(at, s->next_ms);
	}
	if (daemon_has_limits(d))
		at = daemon_earlier(at, d->rotate_ms);
	if (at == INT64_MAX)
		return -1;
	return at <= now_ms ? 0 : (int)daemon_earlier(at - now_ms, INT32_MAX);
}

static size_t poll_sessions(const struct daemon *d, struct pollfd *fds)
{
	size_t n = 0;

	for (; n < d->sessions.n && n < POLLED_MAX; n++)
		fds[n] = (struct pollfd){ .fd = d->sessions.items[n]->ack, .events = POLLIN };
	return n;
}

static void take_acks(struct daemon *d, int64_t now_ms)
{
	for (size_t i = 0; i < d->sessions.n; i++) {
		struct daemon_session *s = d->sessions.items[i];

		if (s->ack >= 0 && daemon_session_take_ack(s))
			daemon_server_pinged(&d->server, s->plan.name, "", now_ms);
	}
}

static void daemon_step(struct daemon *d)
{
	struct pollfd fds[3 + POLLED_MAX + DAEMON_CLIENTS_MAX + 1];
	size_t n_sessions, n_server;
	int64_t now_ms;

	fds[0] = (struct pollfd){ .fd = d->signals, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = d->watch.fd, .events = POLLIN };
	fds[2] = (struct pollfd){ .fd = d->folders.fd, .events = POLLIN };
	n_sessions = poll_sessions(d, fds + 3);
	n_server = daemon_server_poll(&d->server, fds + 3 + n_sessions);
	if (poll(fds, 3 + n_sessions + n_server, daemon_wait_ms(d, clock_ms())) < 0)
		return;
	now_ms = clock_ms();
	daemon_take_signals(d, now_ms);
	if (fds[1].revents && daemon_watch_changed(&d->watch))
		daemon_reconfigure(d, now_ms);
	take_acks(d, now_ms);
	daemon_server_run(&d->server, fds + 3 + n_sessions, n_server, now_ms);
	daemon_server_expire(&d->server, now_ms);
	/* Under load a session completes many recordings in a second. */
	if (fds[2].revents && daemon_watch_changed(&d->folders))
		d->rotate_ms = now_ms;
	if (daemon_has_limits(d) && d->rotate_ms <= now_ms) {
		daemon_rotate(d);
		d->rotate_ms = now_ms + ROTATE_MS;
	}
	if (d->wants_end && !d->is_ending)
		daemon_stop(d, now_ms);
	run_sessions(d, now_ms);
}

void daemon_run(struct daemon *d)
{
	daemon_log_add(&d->log, "daemon started (pid %ld)", (long)getpid());
	daemon_reconfigure(d, clock_ms());
	run_sessions(d, clock_ms());
	while (!d->is_ending || d->sessions.n)
		daemon_step(d);
	daemon_log_add(&d->log, "daemon exited");
}
