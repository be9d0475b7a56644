/* SPDX-License-Identifier: MIT */
#include "tools/daemon/session-work.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "tools/daemon/base-work.h"
#include "tools/daemon/files-work.h"

/* The parameters for starting a `perf record` that cannot outlive the daemon. */

struct daemon_spawn {
	const char *program; /* the path of this program */
	int folder;          /* the working directory */
	int output;          /* the file for its output */
	char *const *words;  /* the words after "record --control=fifo:control,ack" */
	size_t n_words;
};

#define CANNOT_RUN 127

/* Unblocks the signals that the daemon reads from a descriptor. */
static void reset_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
}

/* Runs in the child. Returns only if something failed. */
static void daemon_spawn_become_record(const struct daemon_spawn *how, char *const *argv,
				       pid_t parent)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	reset_signals();
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0 || fchdir(how->folder) < 0 || null < 0)
		return;
	/* The parent may have ended before the kernel knew the signal to send. */
	if (getppid() != parent)
		return;
	if (dup2(null, STDIN_FILENO) < 0 || dup2(how->output, STDOUT_FILENO) < 0 ||
	    dup2(how->output, STDERR_FILENO) < 0)
		return;
	execv(how->program, argv);
	/* The program was replaced by another version in the meantime, or removed. */
	if (errno == ENOENT)
		execv("/proc/self/exe", argv);
}

/*
 * Starts the program. Returns its pid, or a negative errno. If the program could not be run, its
 * status is 127.
 */
static pid_t daemon_spawn(const struct daemon_spawn *how)
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

#define MS_PER_S 1000

/*
 * The number of failed attempts after which a session of an earlier daemon is no longer waited for.
 */
#define OLD_ATTEMPTS 4

struct daemon_session *daemon_session_new(struct daemon_session_plan *plan, int64_t now_ms)
{
	struct daemon_session *s = xcalloc(1, sizeof(*s));

	*s = (struct daemon_session){ .plan = *plan,
				      .state = DAEMON_WAITING,
				      .folder = -1,
				      .control = -1,
				      .ack = -1,
				      .next_ms = now_ms };
	*plan = (struct daemon_session_plan){ 0 };
	return s;
}

static void close_pipes(struct daemon_session *s)
{
	closep(&s->control);
	closep(&s->ack);
	s->control = s->ack = -1;
	s->is_pinged = false;
}

struct daemon_session *daemon_session_free(struct daemon_session *s)
{
	struct daemon_plan owner = { .n = 1 };

	if (!s)
		return NULL;
	close_pipes(s);
	closep(&s->folder);
	owner.items = xmalloc(sizeof(owner.items[0]));
	owner.items[0] = s->plan;
	daemon_plan_done(&owner);
	free(s);
	return NULL;
}

static int daemon_session_cannot(const struct daemon_session *s, const char *what,
				 struct diag *diag)
{
	int r = -errno;

	return diag_set(diag, r, "session '%s': cannot %s: %s", s->plan.name, what, strerror(-r));
}

static int open_session_folder(struct daemon_session *s, const struct daemon_base *base,
			       struct diag *diag)
{
	_cleanup_(freep) char *name = xasprintf("session-%s", s->plan.name);
	struct stat st;

	closep(&s->folder);
	s->folder = -1;
	if (mkdirat(base->folder, name, 0755) < 0 && errno != EEXIST)
		return daemon_session_cannot(s, "make its folder", diag);
	s->folder = openat(base->folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (s->folder < 0 || fstat(s->folder, &st) < 0)
		return daemon_session_cannot(s, "open its folder", diag);
	if ((st.st_uid != geteuid() && st.st_uid != 0) || (st.st_mode & S_IWOTH))
		return diag_set(diag, -EPERM,
				"session '%s': others may write to its folder '%s/%s'",
				s->plan.name, base->path, name);
	return 0;
}

/*
 * Makes a new pipe each time, because data that an earlier session left in the old one is not for
 * this session.
 */
static int make_pipe(int folder, const char *name)
{
	if (unlinkat(folder, name, 0) < 0 && errno != ENOENT)
		return -errno;
	if (mkfifoat(folder, name, 0600) < 0)
		return -errno;
	return openat(folder, name, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
}

static int make_pipes(struct daemon_session *s, struct diag *diag)
{
	close_pipes(s);
	s->control = make_pipe(s->folder, "control");
	s->ack = s->control < 0 ? -1 : make_pipe(s->folder, "ack");
	return s->ack < 0 ? daemon_session_cannot(s, "make its pipes", diag) : 0;
}

/*
 * Opens the output and locks it. The lock is inherited by `perf record`, so that the next daemon
 * notices a session that has not ended yet. A workload that stays in the background may hold it
 * forever, so the lock is respected for a few attempts only.
 */
static int open_session_output(struct daemon_session *s, struct diag *diag)
{
	_cleanup_(closep) int output = daemon_open_output(s->folder, "output");
	bool is_taken = output >= 0 && flock(output, LOCK_EX | LOCK_NB) < 0;
	int fd = output;

	if (output < 0) {
		errno = -output;
		return daemon_session_cannot(s, "open its output", diag);
	}
	if (is_taken && !s->started_ms && s->failures < OLD_ATTEMPTS)
		return diag_set(diag, -EBUSY,
				"session '%s': that of an earlier daemon has not ended yet",
				s->plan.name);
	output = -1;
	return fd;
}

static int daemon_session_spawn(struct daemon_session *s, const char *program, int output,
				struct diag *diag)
{
	struct daemon_spawn how = { .program = program,
				    .folder = s->folder,
				    .output = output,
				    .words = s->plan.words.items,
				    .n_words = s->plan.words.n };
	pid_t pid = daemon_spawn(&how);

	if (pid < 0) {
		errno = (int)-pid;
		return daemon_session_cannot(s, "start 'perf record'", diag);
	}
	s->pid = pid;
	return 0;
}

/* Starts it in its folder, once no other process works there. */
static int start_inside(struct daemon_session *s, const char *program, struct diag *diag)
{
	_cleanup_(closep) int output = open_session_output(s, diag);
	int r;

	if (output < 0)
		return output;
	daemon_trim_output(s->folder, "output");
	if (s->plan.keep_s || s->plan.max_bytes)
		daemon_files_keep_left(s->folder);
	r = make_pipes(s, diag);
	return r < 0 ? r : daemon_session_spawn(s, program, output, diag);
}

unsigned daemon_session_pause_s(unsigned failures)
{
	unsigned pause = DAEMON_PAUSE_FIRST_S;

	for (; failures > 1 && pause < DAEMON_PAUSE_LAST_S; failures--)
		pause *= 2;
	return pause < DAEMON_PAUSE_LAST_S ? pause : DAEMON_PAUSE_LAST_S;
}

static void wait_after_failure(struct daemon_session *s, int64_t now_ms)
{
	s->failures++;
	s->state = DAEMON_WAITING;
	s->next_ms = now_ms + (int64_t)daemon_session_pause_s(s->failures) * MS_PER_S;
}

int daemon_session_start(struct daemon_session *s, const struct daemon_base *base,
			 const char *program, int64_t now_ms, struct diag *diag)
{
	int r = open_session_folder(s, base, diag);

	if (r >= 0)
		r = start_inside(s, program, diag);
	if (r < 0) {
		close_pipes(s);
		wait_after_failure(s, now_ms);
		return r;
	}
	s->state = DAEMON_RUNNING;
	s->started_ms = now_ms;
	return 0;
}

void daemon_session_stop(struct daemon_session *s, bool is_going, int64_t now_ms)
{
	s->is_going = is_going;
	if (!s->pid) {
		s->state = DAEMON_WAITING;
		s->next_ms = now_ms;
		return;
	}
	/* A second request does not extend the time that began with the first. */
	if (s->state != DAEMON_STOPPING) {
		s->state = DAEMON_STOPPING;
		s->next_ms = now_ms + (int64_t)DAEMON_STOP_S * MS_PER_S;
		kill(s->pid, SIGTERM);
	}
}

void daemon_session_ended(struct daemon_session *s, int wait_status, bool is_full, int64_t now_ms)
{
	bool was_stopped = s->state == DAEMON_STOPPING;

	close_pipes(s);
	s->pid = 0;
	s->wait_status = wait_status;
	if (was_stopped) {
		s->failures = 0;
		s->state = DAEMON_WAITING;
		s->next_ms = now_ms;
		return;
	}
	if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0) {
		s->failures = 0;
		s->state = DAEMON_ENDED;
		return;
	}
	if (now_ms - s->started_ms >= (int64_t)DAEMON_PAUSE_LAST_S * MS_PER_S)
		s->failures = 0;
	wait_after_failure(s, now_ms);
	if (is_full) {
		s->state = DAEMON_NO_ROOM;
		s->next_ms = now_ms + (int64_t)DAEMON_ROOM_WAIT_S * MS_PER_S;
	}
}

int daemon_session_ping(struct daemon_session *s)
{
	static const char ping[] = "ping\n";

	if (s->state != DAEMON_RUNNING)
		return -EPIPE;
	/* The answer to the previous ping is enough. */
	if (s->is_pinged)
		return 0;
	if (write(s->control, ping, sizeof(ping) - 1) < 0)
		return -errno;
	s->is_pinged = true;
	return 0;
}

bool daemon_session_take_ack(struct daemon_session *s)
{
	char bytes[256];
	ssize_t n;
	bool found = false;

	while ((n = read(s->ack, bytes, sizeof(bytes))) > 0)
		found |= memmem(bytes, (size_t)n, "ack", 3) != NULL;
	if (found)
		s->is_pinged = false;
	return found;
}

static uint64_t daemon_session_seconds(int64_t ms)
{
	return ms > 0 ? (uint64_t)ms / MS_PER_S : 0;
}

void daemon_session_status(const struct daemon_session *s, int64_t now_ms,
			   struct daemon_session_status *ret)
{
	bool waits = s->state == DAEMON_WAITING || s->state == DAEMON_NO_ROOM;

	*ret = (struct daemon_session_status){
		.name = xstrdup(s->plan.name),
		.run = xstrdup(s->plan.run),
		.state = s->state,
		.pid = (uint64_t)s->pid,
		.up_s = s->pid ? daemon_session_seconds(now_ms - s->started_ms) : 0,
		.next_s = waits ? daemon_session_seconds(s->next_ms - now_ms + MS_PER_S - 1) : 0,
		.failures = s->failures,
		.exit_status = WIFEXITED(s->wait_status) ? (uint64_t)WEXITSTATUS(s->wait_status)
							 : 0,
		.exit_signal = WIFSIGNALED(s->wait_status) ? (uint64_t)WTERMSIG(s->wait_status) : 0,
		.files = s->files,
		.bytes = s->bytes,
		.keep_s = s->plan.keep_s,
		.max_bytes = s->plan.max_bytes,
	};
}
