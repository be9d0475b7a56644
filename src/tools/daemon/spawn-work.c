/* SPDX-License-Identifier: MIT */
#include "tools/daemon/spawn-work.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"

#define CANNOT_RUN 127

/* The signals that the daemon reads from a descriptor are delivered again. */
static void reset_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
}

/* Of the child: returns only if something failed. */
static void daemon_spawn_become_record(const struct daemon_spawn *how, char *const *argv,
				       pid_t parent)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	reset_signals();
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0 || fchdir(how->folder) < 0 || null < 0)
		return;
	/* The parent may have ended before the kernel was told. */
	if (getppid() != parent)
		return;
	if (dup2(null, STDIN_FILENO) < 0 || dup2(how->output, STDOUT_FILENO) < 0 ||
	    dup2(how->output, STDERR_FILENO) < 0)
		return;
	execv(how->program, argv);
	/* The program was replaced by another version meanwhile, or removed. */
	if (errno == ENOENT)
		execv("/proc/self/exe", argv);
}

pid_t daemon_spawn(const struct daemon_spawn *how)
{
	_cleanup_(freep) const char **argv = xcalloc(how->n_words + 4, sizeof(argv[0]));
	pid_t parent = getpid(), pid;

	argv[0] = how->program;
	argv[1] = "record";
	argv[2] = "--control=fifo:control,ack";
	for (size_t i = 0; i < how->n_words; i++)
		argv[3 + i] = how->words[i];
	pid = fork();
	if (pid == 0) {
		daemon_spawn_become_record(how, (char *const *)argv, parent);
		_exit(CANNOT_RUN);
	}
	return pid < 0 ? -errno : pid;
}
