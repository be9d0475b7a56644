/* SPDX-License-Identifier: MIT */
#include "capture/signals.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/thread.h"

/*
 * A signal that has not been taken after this long, while the process used less CPU time than this,
 * will not be taken at all.
 */
#define STUCK_MS     3000
#define STUCK_LOOKS  30
#define STUCK_CPU_NS (30 * 1000 * 1000)

static bool is_ignored(int number)
{
	struct sigaction now;

	return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static sigset_t signals_wanted(void)
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

/* --- the thread that watches the signals ----------------------------------------------------- */

struct signals_watch {
	pthread_t thread;
	int fd;      /* descriptor from which signals are read */
	int news_fd; /* readable: one of the other members has changed */
	atomic_bool stop;
	atomic_int ending; /* the signal for which the process is about to end, or 0 */
};

/*
 * Returns a signal that asks for an end, has arrived, and was not taken or still has no effect; 0:
 * none.
 */
static int signals_pending(const struct signals_watch *w)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	sigset_t set;

	if (atomic_load(&w->ending))
		return atomic_load(&w->ending);
	if (sigpending(&set) < 0)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (sigismember(&set, ends[i]) == 1)
			return ends[i];
	return 0;
}

/*
 * Returns the signal that has waited for long while the process did nothing, or 0: a busy process
 * will take it.
 */
static int signals_stuck(struct signals_watch *w)
{
	struct pollfd news = { .fd = w->news_fd, .events = POLLIN };
	uint64_t begin = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	int number = 0;

	for (int i = 0; i < STUCK_LOOKS; i++) {
		number = signals_pending(w);
		if (!number || poll(&news, 1, STUCK_MS / STUCK_LOOKS) != 0)
			return 0;
	}
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begin < STUCK_CPU_NS ? number : 0;
}

/*
 * Gives a signal its default effect, which is to end the process. It may have been taken already.
 */
static void signals_let_through(int number)
{
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t set;

	sigaction(number, &usual, NULL);
	kill(getpid(), number);
	sigemptyset(&set);
	sigaddset(&set, number);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void *signals_watch_over(void *arg)
{
	struct signals_watch *w = arg;
	struct pollfd fds[] = { { .fd = w->fd, .events = POLLIN },
				{ .fd = w->news_fd, .events = POLLIN } };
	eventfd_t news;
	int number;

	while (!atomic_load(&w->stop)) {
		/* A process that is about to end is watched until it has. */
		if (poll(fds, ARRAY_SIZE(fds), atomic_load(&w->ending) ? 0 : -1) < 0 &&
		    errno != EINTR)
			break;
		if (fds[1].revents && eventfd_read(w->news_fd, &news) < 0)
			break;
		number = signals_stuck(w);
		if (number)
			signals_let_through(number);
		/*
		 * Other signals, or one that is about to be taken, make the thread come here again.
		 */
		poll(&fds[1], 1, STUCK_MS / STUCK_LOOKS);
	}
	return NULL;
}

/* Wakes the thread. True if it receives the wakeup. */
static bool signals_watch_tell(struct signals_watch *w)
{
	return eventfd_write(w->news_fd, 1) >= 0;
}

static void signals_watch_free(struct signals_watch *w)
{
	if (!w)
		return;
	atomic_store(&w->stop, true);
	if (signals_watch_tell(w))
		pthread_join(w->thread, NULL);
	closep(&w->news_fd);
	free(w);
}

/*
 * Starts the thread. Without descriptors or threads nothing watches, but signals are taken all the
 * same.
 */
static struct signals_watch *signals_watch_new(int fd)
{
	struct signals_watch *w = xcalloc(1, sizeof(*w));

	w->fd = fd;
	w->news_fd = eventfd(0, EFD_CLOEXEC);
	if (w->news_fd >= 0 && thread_start(&w->thread, signals_watch_over, w) >= 0)
		return w;
	closep(&w->news_fd);
	free(w);
	return NULL;
}

/* ---------------------------------------------------------------------------------------------- */

static int open_set(sigset_t set, struct signals *ret)
{
	/*
	 * If SIGCHLD were ignored, the kernel would reap children itself, and their status would be
	 * lost.
	 */
	const struct sigaction child = { .sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP };
	int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);

	if (fd < 0)
		return -errno;
	/*
	 * A signal that is not blocked does not appear on @fd, so the end of a child would not be
	 * noticed.
	 */
	if (sigprocmask(SIG_BLOCK, &set, &ret->before) < 0) {
		int r = -errno;

		close(fd);
		return r;
	}
	ret->fd = fd;
	sigaction(SIGCHLD, &child, &ret->child_before);
	ret->watch = signals_watch_new(fd);
	return 0;
}

int signals_open(struct signals *ret)
{
	return open_set(signals_wanted(), ret);
}

int signals_open_for_terminal(struct signals *ret)
{
	sigset_t set = signals_wanted();

	if (!is_ignored(SIGQUIT))
		sigaddset(&set, SIGQUIT);
	return open_set(set, ret);
}

int signals_open_for_recording(struct signals *ret)
{
	sigset_t set = signals_wanted();

	sigaddset(&set, SIGUSR2);
	sigaddset(&set, SIGPIPE);
	return open_set(set, ret);
}

void signals_restore(const struct signals *s)
{
	sigaction(SIGCHLD, &s->child_before, NULL);
	sigprocmask(SIG_SETMASK, &s->before, NULL);
}

/*
 * Drops a pending SIGPIPE: write() has already failed with EPIPE, and the signal would only kill
 * us.
 */
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
	signals_watch_free(s->watch);
	s->watch = NULL;
	drop_pipe_signal();
	signals_restore(s);
	closep(&s->fd);
	s->fd = -1;
}

void signals_ending(struct signals *s, int number)
{
	if (!s->watch || !number)
		return;
	atomic_store(&s->watch->ending, number);
	signals_watch_tell(s->watch);
}

void signals_not_ending(struct signals *s)
{
	if (s->watch)
		atomic_store(&s->watch->ending, 0);
}

int signals_take(struct signals *s, bool *ret_sent)
{
	struct signalfd_siginfo info;

	if (read(s->fd, &info, sizeof(info)) != sizeof(info))
		return 0;
	*ret_sent = (int)info.ssi_code <= 0; /* SI_USER, SI_TKILL, SI_QUEUE; not SI_KERNEL */
	return (int)info.ssi_signo;
}
