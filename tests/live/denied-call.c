// SPDX-License-Identifier: MIT
/*
 * usage: denied-call CALL COMMAND...
 *
 * Runs COMMAND with a filter that refuses the system call CALL (EPERM), as a sandbox does. 77: this
 * kernel has no filters; 78: this machine has no such call.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
	const char *name;
	int number;
} calls[] = {
	{ "bpf", SYS_bpf },
	{ "clone3", 435 },
	{ "epoll_create1", SYS_epoll_create1 },
	{ "epoll_ctl", SYS_epoll_ctl },
	{ "eventfd2", SYS_eventfd2 },
	{ "memfd_create", SYS_memfd_create },
	{ "perf_event_open", SYS_perf_event_open },
	{ "pidfd_open", 434 },
#ifdef SYS_poll
	{ "poll", SYS_poll },
#endif
	{ "ppoll", SYS_ppoll },
	{ "rt_sigprocmask", SYS_rt_sigprocmask },
	{ "sendto", SYS_sendto },
	{ "signalfd4", SYS_signalfd4 },
	{ "socketpair", SYS_socketpair },
	{ "timerfd_create", SYS_timerfd_create },
	{ "userfaultfd", SYS_userfaultfd },
};

static int number_of(const char *name)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(name, calls[i].name) == 0)
			return calls[i].number;
	return -1;
}

int main(int argc, char **argv)
{
	int number = argc > 2 ? number_of(argv[1]) : -1;
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	if (number < 0)
		return 78;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		return 77;
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
