/* SPDX-License-Identifier: MIT */
#include "tools/bench/programs/syscall.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "tools/bench/programs/result.h"

static int call_getppid(struct diag *diag)
{
	(void)diag;
	getppid();
	return 0;
}

static int call_getpgid(struct diag *diag)
{
	(void)diag;
	getpgid(0);
	return 0;
}

static int bench_syscall_reap(pid_t pid, struct diag *diag)
{
	if (pid < 0)
		return bench_explain(diag, -errno, "a process cannot be started");
	return bench_wait(pid, diag);
}

/* Forks. The child ends immediately, so nothing has to make sure that it does. */
static int call_fork(struct diag *diag)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	return bench_syscall_reap(pid, diag);
}

static int call_execve(struct diag *diag)
{
	static char path[] = "/bin/true";
	char *argv[] = { path, NULL }, *env[] = { NULL };
	pid_t pid = fork();

	if (!pid) {
		execve(path, argv, env);
		_exit(errno);
	}
	return bench_syscall_reap(pid, diag);
}

static int bench_syscall_run(const struct bench_syscall_params *p, const char *name,
			     int (*call)(struct diag *), struct bench_result *ret,
			     struct diag *diag)
{
	double begin = bench_now();
	int r = 0;

	if (!p->loops)
		return diag_set(diag, -EINVAL, "--loop must be at least 1");
	for (uint64_t i = 0; i < p->loops && r >= 0; i++)
		r = call(diag);
	if (r < 0)
		return r;
	ret->layout = BENCH_LAYOUT_OPS;
	ret->ops =
		(struct bench_ops){ .kind = BENCH_OPS_SYSCALL, .loops = p->loops, .syscall = name };
	bench_figures_of_ops(ret, bench_now() - begin, (double)p->loops);
	return 0;
}

int bench_syscall_basic(const void *params, unsigned repeat, struct bench_result *ret,
			struct diag *diag)
{
	(void)repeat;
	return bench_syscall_run(params, "getppid", call_getppid, ret, diag);
}

int bench_syscall_getpgid(const void *params, unsigned repeat, struct bench_result *ret,
			  struct diag *diag)
{
	(void)repeat;
	return bench_syscall_run(params, "getpgid", call_getpgid, ret, diag);
}

int bench_syscall_fork(const void *params, unsigned repeat, struct bench_result *ret,
		       struct diag *diag)
{
	(void)repeat;
	return bench_syscall_run(params, "fork", call_fork, ret, diag);
}

int bench_syscall_execve(const void *params, unsigned repeat, struct bench_result *ret,
			 struct diag *diag)
{
	(void)repeat;
	return bench_syscall_run(params, "execve", call_execve, ret, diag);
}
