/* SPDX-License-Identifier: MIT */
#include "measure/rotating-record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/digits.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "capture/signals.h"

#define CURRENT    "perf.data"
#define CANNOT_RUN 127

/* The file in a recording's folder with the pid of the process that writes there. */
#define PID_FILE         "record.pid"
#define COMMAND_LINE_MAX (1 << 20)
#define END_TRIES        500 /* of 20 ms each */

struct rotating_record {
	char *folder;
	struct signals signals;
	pid_t child; /* 0: it has ended */
	int status;
	bool asked;
};

/*
 * Returns the signal that record gets when we are killed. SIGTERM lets it end and write what the
 * kernel has gathered, and the next recording sends that. But a workload that record runs would die
 * with it; then SIGKILL ends record on the spot, with a file that is readable at every moment.
 */
static int death_signal(char *const *argv)
{
	for (; *argv; argv++)
		if (!strcmp(*argv, "--"))
			return SIGKILL;
	return SIGTERM;
}

static void rotating_record_become(const struct rotating_record *c, char *const *argv, pid_t parent)
{
	signals_restore(&c->signals);
	if (prctl(PR_SET_PDEATHSIG, death_signal(argv)) < 0 || getppid() != parent)
		return;
	execv("/proc/self/exe", argv);
}

static void keep_pid(const struct rotating_record *c)
{
	_cleanup_(freep) char *path = xasprintf("%s/" PID_FILE, c->folder);
	char digits[DIGITS_MAX + 1];
	int n = snprintf(digits, sizeof(digits), "%d\n", (int)c->child);

	output_file_replace(path, digits, (size_t)n, 0600);
}

static int rotating_record_spawn(struct rotating_record *c, const struct rotating_request *rq,
				 struct diag *diag)
{
	_cleanup_(freep) char *output = xasprintf("%s/" CURRENT, c->folder);
	_cleanup_(freep) char *rotate = xasprintf("--switch-output=%" PRId64 "s", rq->every);
	const char *first[] = { "perf", "record", "-q",  "-k", "CLOCK_MONOTONIC",
				rotate, "-o",     output };
	_cleanup_(freep) const char **argv = NULL;
	size_t n_words = 0, n = ARRAY_SIZE(first);
	pid_t parent = getpid();

	while (rq->words[n_words])
		n_words++;
	argv = xcalloc(n + n_words + 1, sizeof(argv[0]));
	memcpy(argv, first, sizeof(first));
	for (size_t i = 0; i < n_words; i++)
		argv[n + i] = rq->words[i];
	c->child = fork();
	if (c->child == 0) {
		rotating_record_become(c, (char *const *)argv, parent);
		_exit(CANNOT_RUN);
	}
	if (c->child < 0) {
		c->child = 0;
		return diag_set(diag, -errno, "cannot start perf record: %s", strerror(errno));
	}
	keep_pid(c);
	return 0;
}

/* Returns the command line of @pid, or "" if there is none. The caller frees it. */
static char *rotating_record_command_line(long pid)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%ld/cmdline", pid);
	char *line = NULL;
	size_t n;

	if (file_read(AT_FDCWD, path, COMMAND_LINE_MAX, &line, &n) < 0)
		return xstrdup("");
	for (size_t i = 0; i + 1 < n; i++)
		line[i] = line[i] ? line[i] : ' ';
	return line;
}

/* Ends a recording of ours that outlived its push, so that only the new one writes here. */
static void end_old_record(const char *folder)
{
	_cleanup_(freep) char *path = xasprintf("%s/" PID_FILE, folder), *text = NULL;
	const struct timespec pause = { .tv_nsec = 20000000 };
	size_t n;
	long pid = file_read(AT_FDCWD, path, DIGITS_MAX, &text, &n) < 0 ? 0
									: strtol(text, NULL, 10);

	for (int i = 0; pid > 0 && i < END_TRIES; i++) {
		_cleanup_(freep) char *line = rotating_record_command_line(pid);

		if (!strstr(line, folder))
			return;
		if (!i)
			kill((pid_t)pid, SIGTERM);
		nanosleep(&pause, NULL);
	}
}

/*
 * Renames the file that was being written when the last recording died, because it will not get
 * more complete. The new name is one that no other recording has; unsent recordings from before may
 * still be there.
 */
static int keep_left(const char *folder, struct diag *diag)
{
	_cleanup_(freep) char *left = xasprintf("%s/" CURRENT, folder);

	for (unsigned i = 0;; i++) {
		_cleanup_(freep) char *complete = xasprintf("%s.%u", left, i);

		int r = file_rename_new(AT_FDCWD, left, complete);

		if (r == 0 || r == -ENOENT)
			return 0;
		if (r != -EEXIST)
			return diag_set(diag, r, "cannot keep '%s': %s", left, strerror(-r));
	}
}

int rotating_start(const struct rotating_request *rq, struct rotating_record **ret,
		   struct diag *diag)
{
	struct rotating_record *c = xcalloc(1, sizeof(*c));
	int r;

	end_old_record(rq->folder);
	r = keep_left(rq->folder, diag);
	c->folder = xstrdup(rq->folder);
	c->signals = (struct signals)SIGNALS_NONE;
	if (r >= 0) {
		r = signals_open(&c->signals);
		if (r < 0)
			diag_set(diag, r, "cannot wait for signals: %s", strerror(-r));
	}
	if (r >= 0)
		r = rotating_record_spawn(c, rq, diag);
	if (r < 0) {
		rotating_free(c);
		return r;
	}
	*ret = c;
	return 0;
}

void rotating_free(struct rotating_record *c)
{
	if (!c)
		return;
	if (c->child) {
		kill(c->child, SIGTERM);
		waitpid(c->child, &c->status, 0);
	}
	if (c->signals.fd >= 0)
		signals_close(&c->signals);
	free(c->folder);
	free(c);
}

static int rotating_record_is_complete(const struct dirent *e)
{
	return !strncmp(e->d_name, CURRENT ".", strlen(CURRENT "."));
}

char *rotating_next(struct rotating_record *c)
{
	struct dirent **entries;
	int n = scandir(c->folder, &entries, rotating_record_is_complete, alphasort);
	char *path = NULL;

	if (n < 0)
		return NULL;
	if (n)
		path = xasprintf("%s/%s", c->folder, entries[0]->d_name);
	for (int i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
	return path;
}

static void rotating_record_take_signals(struct rotating_record *c)
{
	bool sent;
	int signal;

	while ((signal = signals_take(&c->signals, &sent))) {
		if (signal == SIGCHLD)
			continue;
		c->asked = true;
		/* Ctrl-C in a terminal has reached the child too. */
		if (c->child && sent)
			kill(c->child, SIGTERM);
	}
}

static bool rotating_record_is_running(struct rotating_record *c)
{
	if (c->child && waitpid(c->child, &c->status, WNOHANG) == c->child)
		c->child = 0;
	return c->child != 0;
}

bool rotating_wait(struct rotating_record *c, int ms)
{
	struct pollfd fd = { .fd = c->signals.fd, .events = POLLIN };

	/* rotating_is_asked() may have consumed the signal that reports the child's end. */
	if (rotating_record_is_running(c))
		poll(&fd, 1, ms);
	rotating_record_take_signals(c);
	return rotating_record_is_running(c);
}

bool rotating_is_asked(struct rotating_record *c)
{
	rotating_record_take_signals(c);
	return c->asked;
}

int rotating_status(const struct rotating_record *c, bool *ret_asked)
{
	*ret_asked = c->asked;
	return WIFEXITED(c->status) ? WEXITSTATUS(c->status) : 128 + WTERMSIG(c->status);
}
