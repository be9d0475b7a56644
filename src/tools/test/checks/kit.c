/* SPDX-License-Identifier: MIT */
#include "tools/test/checks/kit.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "kernel/explain.h"
#include "kernel/perf-event.h"
#include "kernel/pmu.h"
#include "kernel/tracefs.h"

/* The maximum size of a program's output that is kept. */
#define OUTPUT_MAX (8u << 20)

extern char **environ;

static void kit_read_all(int fd, struct text *out)
{
	char buffer[16384];
	ssize_t n;

	while ((n = read(fd, buffer, sizeof(buffer))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0 && out->length < OUTPUT_MAX)
			text_add_bytes(out, buffer, (size_t)n);
}

static int kit_spawn(struct selftest_run *t, const char *program, const char *const *words, int out,
		     pid_t *ret)
{
	posix_spawn_file_actions_t actions;
	int r;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fileno(t->out), STDERR_FILENO);
	r = posix_spawnp(ret, program, &actions, NULL, (char *const *)words, environ);
	posix_spawn_file_actions_destroy(&actions);
	return -r;
}

static int kit_wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run_program(struct selftest_run *t, struct text *ret_out, const char *program,
		       const char *const *words)
{
	_cleanup_(text_done) struct text own = TEXT_EMPTY;
	struct text *out = ret_out ? ret_out : &own;
	int fds[2], r;
	pid_t pid;

	for (const char *const *w = words; *w; w++)
		fprintf(t->out, "%s%s", w == words ? "$ " : " ", *w);
	fputc('\n', t->out);
	fflush(t->out);
	text_clear(out);
	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	r = kit_spawn(t, program, words, fds[1], &pid);
	close(fds[1]);
	if (r >= 0)
		kit_read_all(fds[0], out);
	close(fds[0]);
	if (r >= 0)
		r = kit_wait_for(pid);
	fputs(out->chars, t->out);
	if (r)
		fprintf(t->out, "[status %d]\n", r);
	return r;
}

int kit_run(struct selftest_run *t, struct text *ret_out, const char *const *words)
{
	return run_program(t, ret_out, words[0], words);
}

int kit_perf(struct selftest_run *t, struct text *ret_out, const char *const *words)
{
	const char *argv[64] = { "perf" };

	for (size_t i = 0; words[i] && i + 2 < ARRAY_SIZE(argv); i++)
		argv[i + 1] = words[i];
	return run_program(t, ret_out, t->perf, argv);
}

size_t kit_count(const struct text *text, const char *part)
{
	size_t n = 0;

	for (const char *s = text->chars; (s = strstr(s, part)); s += strlen(part))
		n++;
	return n;
}

/* Returns the number that ends before @at, which is in @text. -1: there is none. */
static double number_ending(const struct text *text, const char *at)
{
	const char *end, *s;

	for (end = at; end > text->chars && strchr(" \t%,", end[-1]);)
		end--;
	for (s = end; s > text->chars && strchr("0123456789.", s[-1]);)
		s--;
	return s == end ? -1 : strtod(s, NULL);
}

double kit_number_before(const struct text *text, const char *label)
{
	double number = -1;

	for (const char *at = text->chars; number < 0 && (at = strstr(at, label)); at++)
		number = number_ending(text, at);
	return number;
}

enum selftest_outcome kit_skip_diag(struct selftest_run *t, const struct diag *d)
{
	const char *message = d->message ? d->message : "not possible here";

	if (!d->hint)
		return selftest_skip(t, "%s", message);
	return selftest_skip(t, "%s; %.*s", message, (int)strcspn(d->hint, "\n"), d->hint);
}

/* True for errors that are due to the machine or the user, not to perf. */
static bool is_lack(int error)
{
	static const int lacks[] = { EACCES, EPERM,  ENOENT, EOPNOTSUPP, ENODEV, ENOSYS,
				     EMFILE, ENFILE, ENOSPC, ESRCH,      EBUSY };

	for (size_t i = 0; i < ARRAY_SIZE(lacks); i++)
		if (error == -lacks[i])
			return true;
	return false;
}

enum selftest_outcome kit_open(struct selftest_run *t, const struct attr *attr, const char *name,
			       pid_t pid, int cpu, int *ret_fd)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	int fd = perf_event_open(attr, pid, cpu, -1, 0);

	if (fd >= 0) {
		*ret_fd = fd;
		return SELFTEST_OK;
	}
	perf_event_explain(attr, name, fd, &d);
	if (is_lack(fd))
		return kit_skip_diag(t, &d);
	return selftest_fail(t, "%s", d.message ? d.message : strerror(-fd));
}

enum selftest_outcome kit_need_events(struct selftest_run *t)
{
	struct attr attr = { .type = PERF_TYPE_SOFTWARE,
			     .config = PERF_COUNT_SW_CPU_CLOCK,
			     .exclude_kernel = 1,
			     .exclude_hv = 1 };
	_cleanup_(closep) int fd = -1;

	return kit_open(t, &attr, "cpu-clock:u", 0, -1, &fd);
}

enum selftest_outcome kit_need_whole_machine(struct selftest_run *t)
{
	struct attr attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK };
	_cleanup_(closep) int fd = -1;

	NEED(kit_need_events(t));
	fd = perf_event_open(&attr, -1, 0, -1, 0);
	if (fd == -EACCES || fd == -EPERM)
		return selftest_skip(t,
				     "only own programs may be measured, as perf_event_paranoid is "
				     "%d; run as root, or 'sysctl kernel.perf_event_paranoid=-1'",
				     perf_event_paranoid());
	return fd >= 0 ? SELFTEST_OK : kit_open(t, &attr, "cpu-clock", -1, 0, &fd);
}

enum selftest_outcome kit_need_tracefs(struct selftest_run *t, struct tracefs **ret)
{
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;
	_cleanup_(diag_done) struct diag d = { 0 };
	uint64_t id;
	int r = tracefs_open(NULL, &tracefs, &d);

	if (r >= 0) {
		r = tracefs_event_id(tracefs, "sched", "sched_switch", &id);
		if (r == -EACCES)
			tracefs_explain_denied(tracefs, &d);
		else if (r < 0)
			diag_set(&d, r, "this kernel has no tracepoint sched:sched_switch");
	}
	if (r < 0)
		return kit_skip_diag(t, &d);
	*ret = TAKE(tracefs);
	return SELFTEST_OK;
}

enum selftest_outcome kit_need_root(struct selftest_run *t, const char *for_what)
{
	return geteuid() ? selftest_skip(t, "only root may %s; try 'sudo perf test'", for_what)
			 : SELFTEST_OK;
}

enum selftest_outcome kit_need_pmu(struct selftest_run *t)
{
	_cleanup_(pmu_list_freep) struct pmu_list *l = pmu_list_open(PMU_DEVICES);
	size_t at = 0;

	if (!pmu_list_next_core(l, &at))
		return selftest_skip(t, "no hardware counters: a virtual machine has them only if "
					"its host passes the PMU on");
	return SELFTEST_OK;
}

uint64_t kit_read_count(int fd)
{
	uint64_t count;

	return read(fd, &count, sizeof(count)) == sizeof(count) ? count : UINT64_MAX;
}

void kit_spin(unsigned ms)
{
	struct timespec from, now;
	volatile unsigned sink __attribute__((unused)) = 0;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	do {
		for (int i = 0; i < 10000; i++)
			sink += (unsigned)i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - from.tv_sec) * 1000 + (now.tv_nsec - from.tv_nsec) / 1000000 <
		 (long)ms);
}
