/* SPDX-License-Identifier: MIT */
#include "capture/workload.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/signals.h"

static ssize_t workload_receive(int fd, void *bytes, size_t size)
{
	ssize_t n;

	do {
		n = read(fd, bytes, size);
	} while (n < 0 && errno == EINTR);
	return n;
}

/*
 * Runs the child. If the parent dies before it starts the child, read() returns 0 and the child
 * ends.
 */
static void workload_run_child(char *const *argv, const struct signals *signals, int out, int fd)
{
	char go;
	int error;

	/* The usual name distinguishes its work in the kernel before exec from that of perf. */
	prctl(PR_SET_NAME, "perf-exec");
	if (workload_receive(fd, &go, sizeof(go)) != sizeof(go))
		_exit(0);
	if (signals)
		signals_restore(signals);
	/* A shell makes its background jobs ignore SIGINT; the workload must not. */
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	if (out >= 0)
		dup2(out, STDOUT_FILENO);
	execvp(argv[0], argv);
	error = errno;
	send(fd, &error, sizeof(error), MSG_NOSIGNAL);
	_exit(127);
}

int workload_fork(char *const *argv, const struct signals *signals, struct workload *ret)
{
	return workload_fork_to(argv, signals, -1, ret);
}

int workload_fork_to(char *const *argv, const struct signals *signals, int out,
		     struct workload *ret)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;

	pid_t pid = fork();
	int r = pid < 0 ? -errno : 0;

	if (pid == 0) {
		close(ends[0]);
		workload_run_child(argv, signals, out, ends[1]);
	}
	close(ends[1]);
	if (r < 0)
		close(ends[0]);
	else
		*ret = (struct workload){ .pid = pid, .fd = ends[0] };
	return r;
}

static void workload_disconnect(struct workload *w)
{
	closep(&w->fd);
	w->fd = -1;
}

int workload_start(struct workload *w)
{
	int error = 0;
	ssize_t n;

	/*
	 * If the child was killed in the meantime (EPIPE), workload_reap() will report it.
	 * Otherwise both would wait for ever.
	 */
	if (send(w->fd, "", 1, MSG_NOSIGNAL) < 0 && errno != EPIPE) {
		error = errno;
		workload_done(w);
		return -error;
	}
	n = workload_receive(w->fd, &error, sizeof(error));
	workload_disconnect(w);
	if (n != sizeof(error))
		return 0;
	waitpid(w->pid, NULL, 0);
	w->pid = 0;
	return -error;
}

bool workload_is_started(const struct workload *w)
{
	return w->pid > 0 && w->fd < 0;
}

static bool is_along_path(const char *program, const char *path)
{
	for (;;) {
		size_t n = strcspn(path, ":");
		_cleanup_(freep) char *file = xasprintf("%.*s%s%s", (int)n, path, n ? "/" : "",
							program);

		if (access(file, F_OK) == 0)
			return true;
		if (!path[n])
			return false;
		path += n + 1;
	}
}

int workload_check(const char *program)
{
	const char *path = getenv("PATH");
	struct stat st;

	if (!strchr(program, '/'))
		return !path || is_along_path(program, path) ? 0 : -ENOENT;
	if (access(program, X_OK) < 0)
		return errno == ENOENT || errno == EACCES ? -errno : 0;
	return stat(program, &st) == 0 && S_ISDIR(st.st_mode) ? -EACCES : 0;
}

void workload_explain(const char *program, int error, struct diag *diag)
{
	_cleanup_(freep) char *said = xstrdup(diag->message);

	/* A directory of PATH to which we have no access is not the reason. */
	if (error == -EACCES && !strchr(program, '/') && workload_check(program) < 0)
		diag_set(diag, error, "%s: no program '%s' along PATH", said, program);
	else if (error == -ENOENT && !strchr(program, '/'))
		diag_set(diag, error, "%s: no program '%s' along PATH", said, program);
	else if (error == -ENOENT)
		diag_set(diag, error, "%s: '%s', or what runs it, is missing", said, program);
	else if (error == -EACCES)
		diag_set(diag, error, "%s: '%s' is not a program (chmod +x?)", said, program);
}

bool workload_has_ended(const struct workload *w)
{
	siginfo_t info = { 0 };

	return w->pid > 0 && waitid(P_PID, (id_t)w->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid;
}

int workload_reap(struct workload *w, bool wait, int *ret_status, struct rusage *ret_usage)
{
	struct rusage usage;
	int status;
	pid_t pid;

	do {
		pid = wait4(w->pid, &status, wait ? 0 : WNOHANG, &usage);
	} while (pid < 0 && errno == EINTR);
	if (pid <= 0)
		return pid < 0 ? -errno : 0;
	w->pid = 0;
	*ret_status = status;
	*ret_usage = usage;
	return 1;
}

int workload_status(int wait_status)
{
	return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/*
 * Passes on signals that have arrived, and returns the number of the last one that asks for an end;
 * else 0.
 */
static int pass_on_signals(const struct workload *w, struct signals *signals, int before)
{
	int last = before, number;
	bool sent;

	while ((number = signals_take(signals, &sent))) {
		if (number != SIGINT && number != SIGTERM && number != SIGHUP)
			continue;
		if (last)
			kill(w->pid, SIGKILL);
		else if (sent)
			kill(w->pid, number);
		last = number;
	}
	return last;
}

int workload_wait(struct workload *w, struct signals *signals, int *ret_status,
		  struct rusage *ret_usage)
{
	struct pollfd fd = { .fd = signals->fd, .events = POLLIN };
	int r = 0, signal = 0;

	/* Without a descriptor no signal is blocked. */
	if (fd.fd < 0)
		return workload_reap(w, true, ret_status, ret_usage);
	while ((r = workload_reap(w, false, ret_status, ret_usage)) == 0) {
		if (poll(&fd, 1, -1) < 0 && errno != EINTR)
			return -errno;
		signal = pass_on_signals(w, signals, signal);
	}
	if (signal)
		raise(signal);
	return r;
}

void workload_leave(struct workload *w)
{
	workload_disconnect(w);
	w->pid = 0;
}

void workload_done(struct workload *w)
{
	workload_disconnect(w);
	if (w->pid > 0) {
		kill(w->pid, SIGKILL);
		waitpid(w->pid, NULL, 0);
	}
	w->pid = 0;
}
