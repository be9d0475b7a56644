/* SPDX-License-Identifier: MIT */
#include "tools/bench/programs/run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/thread.h"

double bench_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

pid_t bench_fork(void)
{
	pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		return -errno;
	if (pid)
		return pid;
	/*
	 * If the parent ended before the kernel knew the signal to send, another process is the
	 * parent already.
	 */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		_exit(1);
	return 0;
}

int bench_wait(pid_t pid, struct diag *diag)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return diag_set(diag, -errno, "cannot wait for a process: %s",
					strerror(errno));
	if (WIFSIGNALED(status))
		return diag_set(diag, -EIO, "a process of the benchmark was ended by signal %d",
				WTERMSIG(status));
	if (WEXITSTATUS(status))
		return diag_set(diag, -EIO, "a process of the benchmark failed: %s",
				strerror(WEXITSTATUS(status)));
	return 0;
}

void bench_reap(const pid_t *pids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (pids[i] > 0)
			kill(pids[i], SIGKILL);
	for (size_t i = 0; i < n; i++)
		while (pids[i] > 0 && waitpid(pids[i], NULL, 0) < 0 && errno == EINTR)
			;
}

/* Large enough for the CPU masks of any machine. */
#define CPUS_MAX 65536

/* The stack size of threads, whatever `ulimit -s` says. */
#define STACK_BYTES ((size_t)1 << 20)

size_t bench_cpus(int **ret)
{
	size_t size = CPU_ALLOC_SIZE(CPUS_MAX), n = 0;
	cpu_set_t *set = xcalloc(1, size);
	int *cpus;

	if (sched_getaffinity(0, size, set) < 0)
		CPU_SET_S(0, size, set);
	cpus = xcalloc((size_t)CPU_COUNT_S(size, set) + 1, sizeof(*cpus));
	for (int i = 0; i < CPUS_MAX; i++)
		if (CPU_ISSET_S(i, size, set))
			cpus[n++] = i;
	free(set);
	*ret = cpus;
	return n;
}

unsigned bench_n_cpus(void)
{
	int *cpus;
	size_t n = bench_cpus(&cpus);

	free(cpus);
	return (unsigned)n;
}

volatile sig_atomic_t bench_interrupted;

static void bench_run_on_interrupt(int signal)
{
	(void)signal;
	bench_interrupted = 1;
}

int bench_interrupts_begin(struct sigaction *ret_before)
{
	struct sigaction action = { .sa_handler = bench_run_on_interrupt };

	bench_interrupted = 0;
	sigemptyset(&action.sa_mask);
	return sigaction(SIGINT, &action, ret_before) < 0 ? -errno : 0;
}

void bench_interrupts_end(const struct sigaction *before)
{
	sigaction(SIGINT, before, NULL);
}

void bench_gate_init(struct bench_gate *g, size_t n)
{
	*g = (struct bench_gate){ .missing = n };
	pthread_mutex_init(&g->lock, NULL);
	pthread_cond_init(&g->came, NULL);
	pthread_cond_init(&g->open, NULL);
}

void bench_gate_done(struct bench_gate *g)
{
	pthread_mutex_destroy(&g->lock);
	pthread_cond_destroy(&g->came);
	pthread_cond_destroy(&g->open);
}

bool bench_gate_pass(struct bench_gate *g)
{
	bool called_off;

	pthread_mutex_lock(&g->lock);
	if (g->missing && !--g->missing)
		pthread_cond_signal(&g->came);
	while (!g->is_open)
		pthread_cond_wait(&g->open, &g->lock);
	called_off = g->is_called_off;
	pthread_mutex_unlock(&g->lock);
	return !called_off;
}

void bench_gate_open(struct bench_gate *g)
{
	pthread_mutex_lock(&g->lock);
	while (g->missing)
		pthread_cond_wait(&g->came, &g->lock);
	g->is_open = true;
	pthread_cond_broadcast(&g->open);
	pthread_mutex_unlock(&g->lock);
}

void bench_gate_call_off(struct bench_gate *g)
{
	pthread_mutex_lock(&g->lock);
	g->is_open = g->is_called_off = true;
	pthread_cond_broadcast(&g->open);
	pthread_mutex_unlock(&g->lock);
}

int bench_thread_start(pthread_t *ret, int cpu, void *(*fn)(void *), void *arg, struct diag *diag)
{
	size_t size = CPU_ALLOC_SIZE(CPUS_MAX);
	pthread_attr_t attr;
	int r;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	if (cpu >= 0) {
		cpu_set_t *set = xcalloc(1, size);

		CPU_SET_S((size_t)cpu, size, set);
		pthread_attr_setaffinity_np(&attr, size, set);
		free(set);
	}
	r = thread_start_with(ret, &attr, fn, arg);
	pthread_attr_destroy(&attr);
	return r < 0 ? bench_explain(diag, r, "a thread cannot be started") : 0;
}

static char *bench_run_read_number(const char *path)
{
	char *line = NULL;

	return file_read_line(AT_FDCWD, path, &line) < 0 ? xstrdup("?") : line;
}

/* Hints at the limits. fork() and clone() have three, and return EAGAIN for all of them. */
static void hint_processes(struct diag *diag)
{
	_cleanup_(freep) char *pids = bench_run_read_number("/proc/sys/kernel/pid_max");
	_cleanup_(freep) char *threads = bench_run_read_number("/proc/sys/kernel/threads-max");
	struct rlimit limit = { 0 };

	getrlimit(RLIMIT_NPROC, &limit);
	if (limit.rlim_cur != RLIM_INFINITY)
		diag_hint(diag, "One user may have %llu processes and threads: see 'ulimit -u'.",
			  (unsigned long long)limit.rlim_cur);
	diag_hint(diag,
		  "The system has room for %s threads (kernel.threads-max) with numbers up to %s "
		  "(kernel.pid_max), and a cgroup may have a limit (pids.max).",
		  threads, pids);
}

static void hint_files(struct diag *diag)
{
	struct rlimit limit = { 0 };

	getrlimit(RLIMIT_NOFILE, &limit);
	diag_hint(diag,
		  "A process may have %llu files open, and may raise that to %llu: 'ulimit "
		  "-n'. Fewer groups or threads need fewer.",
		  (unsigned long long)limit.rlim_cur, (unsigned long long)limit.rlim_max);
}

int bench_explain(struct diag *diag, int error, const char *what)
{
	diag_set(diag, error, "%s: %s", what, strerror(-error));
	if (error == -EAGAIN)
		hint_processes(diag);
	else if (error == -EMFILE)
		hint_files(diag);
	else if (error == -ENFILE)
		diag_hint(diag, "The system has no more room for open files: fs.file-max.");
	else if (error == -ENOMEM)
		diag_hint(diag, "Less memory, fewer groups or fewer threads may do.");
	else if (error == -EPERM || error == -EACCES || error == -ENOSYS)
		diag_hint(diag, "A container or a seccomp filter may forbid it.");
	return error;
}

int bench_lock_memory(struct diag *diag)
{
	struct rlimit limit = { 0 };

	if (mlockall(MCL_CURRENT | MCL_FUTURE) == 0)
		return 0;

	int error = -errno;

	getrlimit(RLIMIT_MEMLOCK, &limit);
	diag_set(diag, error, "cannot lock memory (-m): %s", strerror(-error));
	diag_hint(diag, "Without CAP_IPC_LOCK a process may lock %llu bytes: 'ulimit -l'.",
		  (unsigned long long)limit.rlim_cur);
	return error;
}

#define MEMINFO_MAX 65536

uint64_t bench_memory_available(void)
{
	_cleanup_(freep) char *text = NULL;
	const char *at;

	if (file_read(AT_FDCWD, "/proc/meminfo", MEMINFO_MAX, &text, NULL) < 0)
		return UINT64_MAX;
	at = strstr(text, "MemAvailable:");
	return at ? (uint64_t)strtoull(at + strlen("MemAvailable:"), NULL, 10) << 10 : UINT64_MAX;
}
