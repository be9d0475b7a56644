/* SPDX-License-Identifier: MIT */
#include "tools/test/process-work.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"

static uint64_t test_process_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void selftest_process_finish(struct selftest_process *c, enum selftest_outcome outcome,
				    char *reason)
{
	struct selftest_result *r = c->result;

	r->outcome = outcome;
	r->reason = reason;
	r->seconds = (double)(test_process_now_ns() - c->started_ns) / 1e9;
	r->pid = c->pid;
	r->finished = true;
}

static void selftest_process_release(struct selftest_process *c)
{
	closep(&c->fd);
	c->fd = -1;
	if (c->reason)
		munmap(c->reason, SELFTEST_REASON_MAX);
	selftest_scratch_remove(c->directory);
	free(c->directory);
	c->directory = c->reason = NULL;
}

/* Prepares memory in which a child can store its reason, even if it crashes afterwards. */
static int selftest_process_prepare(struct selftest_process *c)
{
	void *p;
	int r;

	c->started_ns = test_process_now_ns();
	c->fd = -1;
	c->reason = NULL;
	r = selftest_scratch_make(&c->directory);
	if (r < 0)
		return r;
	p = mmap(NULL, SELFTEST_REASON_MAX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		 0);
	if (p == MAP_FAILED)
		return -errno;
	c->reason = p;
	return 0;
}

/*
 * Sets the paths. Programs that a test starts by the name `perf` are the one that is being
 * verified; their caches of recorded programs are removed with the test.
 */
static void set_places(const struct selftest_options *o)
{
	_cleanup_(freep) char *cwd = getcwd(NULL, 0);
	_cleanup_(freep) char *path = NULL;
	_cleanup_(freep) char *cache = NULL;
	const char *rest = getenv("PATH");

	if (!cwd || mkdir("bin", 0700) < 0 || symlink(o->perf, "bin/perf") < 0)
		return;
	path = xasprintf("%s/bin:%s", cwd, rest ? rest : "/usr/bin:/bin");
	setenv("PATH", path, 1);
	cache = xasprintf("%s/cache", cwd);
	setenv("PERF_BUILDID_DIR", cache, 1);
}

/* Sets the environment so that the user's configuration, cache and pager have no influence. */
static void set_environment(const struct selftest_options *o)
{
	set_places(o);
	setenv("PERF_CONFIG", "/dev/null", 1);
	setenv("PERF_PAGER", "cat", 1);
	setenv("LC_ALL", "C", 1);
}

static enum selftest_outcome selftest_process_call(struct selftest_process *c,
						   const struct selftest_options *o, FILE *out)
{
	struct selftest_run t = { .out = out,
				  .perf = o->perf,
				  .objdump = o->objdump,
				  .dso = o->dso,
				  .reason = c->reason };
	enum selftest_outcome outcome = c->row->run(&t);

	fflush(out);
	return outcome;
}

static void selftest_process_redirect(int out)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
}

static void selftest_process_child(struct selftest_process *c, const struct selftest_options *o,
				   int out) __attribute__((noreturn));

static void selftest_process_child(struct selftest_process *c, const struct selftest_options *o,
				   int out)
{
	FILE *stream;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGINT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	selftest_process_redirect(out);
	close_range(STDERR_FILENO + 1, ~0U, 0);
	if (chdir(c->directory) < 0)
		_exit(SELFTEST_FAILED);
	set_environment(o);
	if (c->script) {
		execl(c->script, c->script, NULL);
		_exit(127);
	}
	stream = fdopen(STDOUT_FILENO, "w");
	if (!stream)
		_exit(SELFTEST_FAILED);
	setvbuf(stream, NULL, _IOLBF, 0);
	_exit(selftest_process_call(c, o, stream));
}

int selftest_process_start(struct selftest_process *c, const struct selftest_options *o)
{
	int fds[2], r = selftest_process_prepare(c);

	if (r >= 0 && pipe2(fds, O_CLOEXEC) < 0)
		r = -errno;
	if (r < 0)
		goto failed;
	c->pid = fork();
	if (!c->pid)
		selftest_process_child(c, o, fds[1]);
	r = c->pid < 0 ? -errno : 0;
	close(fds[1]);
	c->fd = fds[0];
	fcntl(c->fd, F_SETFL, O_NONBLOCK);
	if (r >= 0)
		return 0;
failed:
	selftest_process_finish(c, SELFTEST_FAILED,
				xasprintf("it cannot be started: %s", strerror(-r)));
	selftest_process_release(c);
	return r;
}

void selftest_process_read(struct selftest_process *c)
{
	char buffer[16384];
	ssize_t n;

	while (c->fd >= 0 && (n = read(c->fd, buffer, sizeof(buffer))) > 0) {
		size_t room = SELFTEST_OUTPUT_MAX - c->result->output.length;

		text_add_bytes(&c->result->output, buffer, (size_t)n < room ? (size_t)n : room);
	}
}

char *selftest_last_line(const struct text *output)
{
	struct text t = TEXT_EMPTY;
	size_t end = output->length, start;

	while (end && strchr(" \n\r\t", output->chars[end - 1]))
		end--;
	for (start = end; start && output->chars[start - 1] != '\n';)
		start--;
	if (end - start > SELFTEST_REASON_MAX)
		end = start + SELFTEST_REASON_MAX;
	text_add_bytes(&t, output->chars + start, end - start);
	return text_take(&t);
}

static char *selftest_process_failure(const struct selftest_process *c,
				      const struct selftest_options *o, int status)
{
	_cleanup_(freep) char *last = selftest_last_line(&c->result->output);

	if (c->timed_out)
		return xasprintf("it did not end within %u seconds",
				 c->script ? o->script_limit_seconds : o->limit_seconds);
	if (WIFSIGNALED(status))
		return xasprintf("it was ended by signal %d (%s)", WTERMSIG(status),
				 strsignal(WTERMSIG(status)));
	if (*c->reason)
		return xstrdup(c->reason);
	return xasprintf("it ended with status %d%s%s", WEXITSTATUS(status), *last ? ": " : "",
			 last);
}

static void selftest_process_judge(struct selftest_process *c, const struct selftest_options *o,
				   int status)
{
	c->reason[SELFTEST_REASON_MAX - 1] = '\0';
	if (!c->timed_out && WIFEXITED(status) && WEXITSTATUS(status) == SELFTEST_OK)
		selftest_process_finish(c, SELFTEST_OK, xstrdup(""));
	else if (!c->timed_out && WIFEXITED(status) && WEXITSTATUS(status) == SELFTEST_SKIP)
		selftest_process_finish(c, SELFTEST_SKIP,
					*c->reason ? xstrdup(c->reason)
						   : selftest_last_line(&c->result->output));
	else
		selftest_process_finish(c, SELFTEST_FAILED, selftest_process_failure(c, o, status));
}

bool selftest_process_ended(struct selftest_process *c, const struct selftest_options *o)
{
	uint64_t limit = c->script ? o->script_limit_seconds : o->limit_seconds;
	int status = 0;

	if (test_process_now_ns() - c->started_ns > limit * 1000000000) {
		c->timed_out = true;
		kill(-c->pid, SIGKILL);
		kill(c->pid, SIGKILL);
	}
	if (waitpid(c->pid, &status, c->timed_out ? 0 : WNOHANG) == 0)
		return false;
	kill(-c->pid, SIGKILL);
	selftest_process_read(c);
	selftest_process_judge(c, o, status);
	selftest_process_release(c);
	return true;
}

void selftest_process_kill(struct selftest_process *c)
{
	kill(-c->pid, SIGKILL);
	kill(c->pid, SIGKILL);
	waitpid(c->pid, NULL, 0);
	selftest_process_release(c);
}

/*
 * Runs the function. Its output goes through a file, because nobody would empty a pipe meanwhile.
 */
static void call_here(struct selftest_process *c, const struct selftest_options *o)
{
	_cleanup_(closep) int back = open(".", O_PATH | O_CLOEXEC);
	_cleanup_(closep) int file = memfd_create("output", MFD_CLOEXEC);
	FILE *out = fdopen(dup(file), "w");
	enum selftest_outcome outcome = SELFTEST_FAILED;

	if (out && back >= 0 && chdir(c->directory) == 0) {
		set_environment(o);
		outcome = selftest_process_call(c, o, out);
	}
	fclosep(&out);
	c->fd = dup(file);
	lseek(c->fd, 0, SEEK_SET);
	selftest_process_read(c);
	selftest_process_finish(c, outcome, xstrdup(c->reason));
	if (back < 0 || fchdir(back) < 0)
		selftest_process_finish(c, SELFTEST_FAILED, xstrdup("the directory is gone"));
}

void selftest_process_run_here(struct selftest_process *c, const struct selftest_options *o)
{
	static const struct timespec tick = { .tv_nsec = 5000000 };
	int r;

	if (c->script) {
		if (selftest_process_start(c, o) < 0)
			return;
		while (!selftest_process_ended(c, o)) {
			selftest_process_read(c);
			nanosleep(&tick, NULL);
		}
		return;
	}
	r = selftest_process_prepare(c);
	if (r < 0)
		selftest_process_finish(c, SELFTEST_FAILED,
					xasprintf("it cannot be started: %s", strerror(-r)));
	else
		call_here(c, o);
	selftest_process_release(c);
}

#define OPEN_DIRECTORIES 16

int selftest_scratch_make(char **ret)
{
	const char *below = getenv("TMPDIR");
	_cleanup_(freep) char *path = NULL;

	path = xasprintf("%s/perf-test-XXXXXX", below && *below == '/' ? below : "/tmp");
	if (!mkdtemp(path))
		return -errno;
	*ret = TAKE(path);
	return 0;
}

static int selftest_scratch_remove_entry(const char *path, const struct stat *st, int kind,
					 struct FTW *at)
{
	(void)st, (void)kind, (void)at;
	remove(path);
	return 0;
}

void selftest_scratch_remove(const char *path)
{
	if (path)
		nftw(path, selftest_scratch_remove_entry, OPEN_DIRECTORIES,
		     FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
