/* SPDX-License-Identifier: MIT */
/*
 * Measures a process whose calls of gettid() are answered by another one: seccomp_unotify(2). A
 * filter cannot be removed, so the process that answers is separate too.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "tools/bench/programs/result.h"
#include "tools/bench/programs/sched.h"

/* Linux 6.6: waker and woken thread share a CPU. Older headers have neither constant. */
#define IOCTL_SET_FLAGS _IOW('!', 4, uint64_t)
#define SYNC_WAKE_UP    1UL

/* The value of the answers, by which the caller knows that it was answered. */
#define MAGIC 0x7fffffff

/* The results of the process that answers. */
struct outcome {
	int error;
	enum {
		STEP_FILTER,
		STEP_FORK,
		STEP_SYNC,
		STEP_ANSWER
	} step;
	double seconds;
};

static int install_filter(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_gettid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = ARRAY_SIZE(filter), .filter = filter };
	long fd;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
		     &program);
	return fd < 0 ? -errno : (int)fd;
}

static int answer_one(int fd)
{
	struct seccomp_notif request = { 0 };
	struct seccomp_notif_resp response = { .val = MAGIC };

	while (ioctl(fd, SECCOMP_IOCTL_NOTIF_RECV, &request) < 0)
		if (errno != EINTR)
			return -errno;
	response.id = request.id;
	return ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &response) < 0 ? -errno : 0;
}

static void bench_sched_seccomp_notify_answer(const struct bench_seccomp_params *p,
					      struct outcome *o)
{
	double begin;
	pid_t pid;
	int fd = install_filter();

	o->error = fd;
	if (fd < 0)
		return;
	o->step = STEP_FORK;
	pid = bench_fork();
	if (!pid)
		while (syscall(SYS_gettid) == MAGIC)
			;
	if (!pid)
		_exit(1);
	o->error = pid < 0 ? pid : 0;
	if (pid > 0 && p->sync && ioctl(fd, IOCTL_SET_FLAGS, SYNC_WAKE_UP) < 0) {
		o->error = -errno;
		o->step = STEP_SYNC;
	}
	begin = bench_now();
	for (uint64_t i = 0; i < p->loops && !o->error; i++) {
		o->step = STEP_ANSWER;
		o->error = answer_one(fd);
	}
	o->seconds = bench_now() - begin;
	bench_reap(&pid, 1);
}

static int bench_sched_seccomp_notify_explain(const struct outcome *o, struct diag *diag)
{
	switch (o->step) {
	case STEP_FILTER:
		diag_set(diag, o->error, "a seccomp filter cannot be installed: %s",
			 strerror(-o->error));
		diag_hint(diag, o->error == -EBUSY
					? "Another one has a listener already, as in a container."
					: "The kernel needs CONFIG_SECCOMP_FILTER; a container "
					  "may forbid seccomp(2).");
		return o->error;
	case STEP_FORK:
		return bench_explain(diag, o->error, "a process cannot be started");
	case STEP_SYNC:
		return diag_set(diag, o->error, "--sync-mode needs Linux 6.6 or later");
	case STEP_ANSWER:
		break;
	}
	return diag_set(diag, o->error, "a call cannot be answered: %s", strerror(-o->error));
}

static int run_apart(const struct bench_seccomp_params *p, struct outcome *o, struct diag *diag)
{
	int fds[2];
	ssize_t n;
	pid_t pid;

	if (pipe(fds) < 0)
		return bench_explain(diag, -errno, "no pipe");
	pid = bench_fork();
	if (!pid) {
		bench_sched_seccomp_notify_answer(p, o);
		_exit(write(fds[1], o, sizeof(*o)) == (ssize_t)sizeof(*o) ? 0 : 1);
	}
	close(fds[1]);
	if (pid > 0) {
		do
			n = read(fds[0], o, sizeof(*o));
		while (n < 0 && errno == EINTR);
		close(fds[0]);
		return bench_wait(pid, diag);
	}
	close(fds[0]);
	return bench_explain(diag, pid, "a process cannot be started");
}

int bench_sched_seccomp_notify(const void *params, unsigned repeat, struct bench_result *ret,
			       struct diag *diag)
{
	const struct bench_seccomp_params *p = params;
	struct outcome o = { 0 };
	int r;

	(void)repeat;
	if (!p->loops)
		return diag_set(diag, -EINVAL, "--loop must be at least 1");
	r = run_apart(p, &o, diag);
	if (r >= 0 && o.error)
		r = bench_sched_seccomp_notify_explain(&o, diag);
	if (r < 0)
		return r;
	ret->layout = BENCH_LAYOUT_OPS;
	ret->ops = (struct bench_ops){ .kind = BENCH_OPS_SECCOMP, .loops = p->loops };
	bench_figures_of_ops(ret, o.seconds, (double)p->loops);
	return 0;
}
