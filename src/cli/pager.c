/* SPDX-License-Identifier: MIT */
#include "cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/config.h"

/* Returns the pager if the command's own variable does not name a program. */
static const char *usual_program(const struct config *config)
{
	const char *wanted[] = { getenv("PERF_PAGER"), config_get(config, "core.pager"),
				 getenv("PAGER") };

	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		if (wanted[i])
			return wanted[i];
	return file_is_program("less") ? "less" : "cat";
}

const char *pager_choose(const struct config *config, const char *command, bool paged, int paginate)
{
	_cleanup_(freep) char *key = xasprintf("pager.%s", command);
	const char *own = config_get(config, key);
	const char *program = usual_program(config);
	bool on;

	if (own && config_parse_bool(own, &on) >= 0)
		paged = on;
	else if (own) {
		paged = true;
		program = own;
	}
	if (paginate ? paginate < 0 : !paged)
		return NULL;
	return *program && strcmp(program, "cat") ? program : NULL;
}

static void become_pager(const char *program, const int pipe_fds[2])
{
	dup2(pipe_fds[0], STDIN_FILENO);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	/*
	 * Quit if it fits one screen, pass colours, chop long lines, leave the text on the screen.
	 */
	setenv("LESS", "FRSX", 0);
	setenv("LV", "-c", 0);
	execl("/bin/sh", "sh", "-c", program, (char *)NULL);
	_exit(127);
}

/*
 * The state for the signal handlers. Ctrl-C reaches the pager too, which keeps running; a shell
 * prompt must not interfere with it. So the output ends, and we wait for the pager before the
 * signal ends us.
 */
static volatile sig_atomic_t pager_pid, pager_fd, null_fd;

static void wait_then_die(int signal)
{
	/*
	 * The descriptor's number stays in use, because another thread may be writing, or opening a
	 * file, at this moment.
	 */
	dup2(null_fd, pager_fd);
	/* If another process sends the signal, no user is there to end the pager. */
	if (signal == SIGTERM)
		kill(pager_pid, SIGTERM);
	while (waitpid(pager_pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	raise(signal); /* SA_RESETHAND: takes effect on return */
}

/* Installs a handler, unless our parent wants the signal ignored (nohup). */
static void pager_on_signal(int signal, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESETHAND }, old;

	if (sigaction(signal, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(signal, &action, NULL);
}

static void pager_on_interrupt(void (*handler)(int))
{
	pager_on_signal(SIGINT, handler);
	pager_on_signal(SIGTERM, handler);
}

int pager_start(const char *program, struct pager *ret)
{
	int fds[2];

	null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (null_fd < 0)
		return -errno;
	if (pipe2(fds, O_CLOEXEC) < 0) {
		close(null_fd);
		return -errno;
	}

	pid_t pid = fork();
	FILE *out = pid > 0 ? fdopen(fds[1], "w") : NULL;

	if (pid == 0)
		become_pager(program, fds);
	close(fds[0]);
	if (!out) {
		close(fds[1]);
		close(null_fd);
		return -ENOMEM;
	}
	pager_pid = pid;
	pager_fd = fds[1];
	pager_on_interrupt(wait_then_die);
	*ret = (struct pager){ pid, out };
	return 0;
}

void pager_finish(struct pager *p)
{
	fclose(p->out);
	while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	pager_on_interrupt(SIG_DFL);
	close(null_fd);
}
