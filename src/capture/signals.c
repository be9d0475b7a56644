/* SPDX-License-Identifier: MIT */
#include "capture/signals.h"

#include <errno.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"

static bool is_ignored(int number)
{
	struct sigaction now;

	return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static sigset_t wanted(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGCHLD);
	if (!is_ignored(SIGTERM))
		sigaddset(&set, SIGTERM);
	if (!is_ignored(SIGHUP))
		sigaddset(&set, SIGHUP);
	return set;
}

static int open_set(sigset_t set, struct signals *ret)
{
	/* While SIGCHLD is ignored the kernel reaps children itself, and their status is lost. */
	const struct sigaction child = { .sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP };
	int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);

	if (fd < 0)
		return -errno;
	ret->fd = fd;
	sigaction(SIGCHLD, &child, &ret->child_before);
	sigprocmask(SIG_BLOCK, &set, &ret->before);
	return 0;
}

int signals_open(struct signals *ret)
{
	return open_set(wanted(), ret);
}

int signals_open_for_recording(struct signals *ret)
{
	sigset_t set = wanted();

	sigaddset(&set, SIGUSR2);
	sigaddset(&set, SIGPIPE);
	return open_set(set, ret);
}

void signals_restore(const struct signals *s)
{
	sigaction(SIGCHLD, &s->child_before, NULL);
	sigprocmask(SIG_SETMASK, &s->before, NULL);
}

/* write() has already failed with EPIPE: the signal would only kill us. */
static void drop_pipe_signal(void)
{
	const struct timespec now = { 0 };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	sigtimedwait(&set, NULL, &now);
}

void signals_close(struct signals *s)
{
	if (s->fd < 0)
		return;
	drop_pipe_signal();
	signals_restore(s);
	closep(&s->fd);
	s->fd = -1;
}

int signals_take(struct signals *s, bool *ret_sent)
{
	struct signalfd_siginfo info;

	if (read(s->fd, &info, sizeof(info)) != sizeof(info))
		return 0;
	*ret_sent = (int)info.ssi_code <= 0; /* SI_USER, SI_TKILL, SI_QUEUE; not SI_KERNEL */
	return (int)info.ssi_signo;
}
