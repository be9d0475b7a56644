/* SPDX-License-Identifier: MIT */
/* perf daemon start: starts the daemon, in the background or in this process. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cli/command.h"
#include "tools/daemon/base-work.h"
#include "tools/daemon/daemon-work.h"
#include "tools/daemon/opts.h"
#include "tools/daemon/plan-work.h"

struct opts {
	struct daemon_opts common;
	bool foreground;
};

static const struct option options[] = {
	OPT_FLAG('f', "foreground", struct opts, foreground,
		 "stay here, and log to standard output"),
	OPT_SET(struct opts, common, daemon_options),
	OPT_END,
};

DEFINE_FREEP(daemon)

/* The data that is needed to start. */
struct start {
	struct daemon_config config;
	struct daemon_base base;
	char *program;
};

static void start_done(struct start *s)
{
	daemon_config_done(&s->config);
	daemon_base_close(&s->base);
	free(s->program);
}

static char *daemon_start_own_path(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	return n > 0 ? xstrndup(path, (size_t)n) : xstrdup("/proc/self/exe");
}

static int start_find(struct start *s, const struct daemon_opts *o, struct diag *diag)
{
	_cleanup_(daemon_plan_done) struct daemon_plan plan = { 0 };
	int r = daemon_config_find(o, &s->config, diag);

	/* A mistake is reported now, while the user can read the message. */
	if (r >= 0)
		r = daemon_config_read(&s->config, &plan, diag);
	if (r >= 0)
		r = daemon_open_base(o, &s->base, diag);
	s->program = daemon_start_own_path();
	return r;
}

static int daemon_start_prepare(struct start *s, int log_fd, struct daemon **ret, struct diag *diag)
{
	const struct daemon_request rq = { .base = &s->base,
					   .program = s->program,
					   .log_fd = log_fd,
					   .config_paths = s->config.paths,
					   .n_config_paths = s->config.n,
					   .read_plan = daemon_config_read,
					   .arg = &s->config };

	return daemon_prepare(&rq, ret, diag);
}

static int run_here(const struct invocation *inv, struct start *s)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(daemon_freep) struct daemon *d = NULL;
	int r = daemon_start_prepare(s, fileno(inv->out), &d, &diag);

	if (r < 0)
		return daemon_fail(inv, r, &diag);
	daemon_run(d);
	return EXIT_OK;
}

/* Detaches from the terminal. */
static void daemon_start_leave(const struct daemon *d)
{
	_cleanup_(closep) int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	dup2(null, STDIN_FILENO);
	dup2(daemon_log_fd(d), STDOUT_FILENO);
	dup2(daemon_log_fd(d), STDERR_FILENO);
}

/* Runs in the child. @ready is written to when the daemon accepts requests. */
static int run_behind(const struct invocation *inv, struct start *s, int ready)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(daemon_freep) struct daemon *d = NULL;
	int r;

	setsid();
	r = daemon_start_prepare(s, -1, &d, &diag);
	if (r < 0) {
		close(ready);
		return daemon_fail(inv, r, &diag);
	}
	daemon_start_leave(d);
	(void)!write(ready, "", 1);
	close(ready);
	daemon_run(d);
	return EXIT_OK;
}

/* Waits until the child reports that it is ready, or ends after reporting an error. */
static int daemon_start_wait_for(pid_t pid, int ready)
{
	char byte;
	ssize_t n;
	int status;

	do
		n = read(ready, &byte, 1);
	while (n < 0 && errno == EINTR);
	close(ready);
	if (n == 1)
		return EXIT_OK;
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status)
								    : EXIT_FAILED;
}

static int run_forked(const struct invocation *inv, struct start *s)
{
	int ends[2];
	pid_t pid;

	fflush(inv->out);
	fflush(inv->err);
	if (pipe2(ends, O_CLOEXEC) < 0 || (pid = fork()) < 0)
		return command_failf(inv, "cannot start a process: %s", strerror(errno));
	if (pid == 0) {
		close(ends[0]);
		return run_behind(inv, s, ends[1]);
	}
	close(ends[1]);
	return daemon_start_wait_for(pid, ends[0]);
}

static int daemon_start_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(start_done) struct start s = { .base = DAEMON_BASE_NONE };
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r = daemon_check_words(inv);

	if (r)
		return r;
	r = start_find(&s, &o->common, &diag);
	if (r < 0)
		return daemon_fail(inv, r, &diag);
	return o->foreground ? run_here(inv, &s) : run_forked(inv, &s);
}

static const char *const usage[] = { "[<options>]", NULL };

const struct command cmd_daemon_start = {
	.name = "daemon start",
	.summary = "start the daemon and its sessions",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.run = daemon_start_run,
};
