/* SPDX-License-Identifier: MIT */
#include "tools/archive/tar-work.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/output-file.h"
#include "base/progress.h"

/* The interval at which tar's progress is read. */
#define PAUSE_NS 20000000

extern char **environ;

/* The ways in which an archive is compressed. */
static const struct archive_format {
	const char *program, *option, *suffix;
} formats[] = {
	{ "bzip2", "--bzip2", ".tar.bz2" },
	{ "zstd", "--zstd", ".tar.zst" },
	{ "gzip", "--gzip", ".tar.gz" },
};

/*
 * Starts tar with its standard input from a pipe, whose other end is *@ret_in, and with the output
 * @out.
 */
static int start_tar(char *const *argv, int out, pid_t *ret_pid, int *ret_in)
{
	posix_spawn_file_actions_t actions;
	int in[2];

	if (pipe(in) < 0)
		return -errno;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawn_file_actions_addclose(&actions, in[0]);
	posix_spawn_file_actions_addclose(&actions, in[1]);

	int r = posix_spawnp(ret_pid, argv[0], &actions, NULL, argv, environ);

	posix_spawn_file_actions_destroy(&actions);
	close(in[0]);
	if (r) {
		close(in[1]);
		return -r;
	}
	*ret_in = in[1];
	return 0;
}

/* Sends the names, each with a NUL, because they may contain all other bytes. */
static void send_names(int fd, const struct name_list *files)
{
	FILE *to = fdopen(fd, "w");

	if (!to) {
		close(fd);
		return;
	}
	for (size_t i = 0; files && i < files->n; i++)
		fwrite(files->items[i], 1, strlen(files->items[i]) + 1, to);
	fclose(to);
}

/* Returns the bytes of regular files among @files of @dir. */
static uint64_t archive_tar_bytes_of(const char *dir, const struct name_list *files)
{
	_cleanup_(closep) int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	uint64_t sum = 0;
	struct stat st;

	for (size_t i = 0; fd >= 0 && i < files->n; i++)
		if (fstatat(fd, files->items[i], &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(st.st_mode))
			sum += (uint64_t)st.st_size;
	return sum;
}

/* Returns how many bytes the process has read. */
static uint64_t bytes_read(pid_t pid)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/io", (int)pid);
	_cleanup_(fclosep) FILE *f = fopen(path, "re");
	uint64_t n = 0;

	return f && fscanf(f, "rchar: %" SCNu64, &n) == 1 ? n : 0;
}

/* Waits for the end of tar, and reports in the meantime how much of @total it has read. */
static int await_tar(pid_t pid, struct progress *progress, uint64_t total, int *ret_status)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	pid_t ended;

	while ((ended = waitpid(pid, ret_status, progress ? WNOHANG : 0)) <= 0) {
		if (ended < 0 && errno != EINTR)
			return -errno;
		progress_update(progress, "Packing", bytes_read(pid), total);
		if (progress)
			nanosleep(&pause, NULL);
	}
	progress_finish(progress);
	return 0;
}

/* The task for tar. */
struct tar_task {
	char *const *argv;
	int out;
	const struct name_list *files; /* sent to its standard input; or NULL */
	struct progress *progress;     /* or NULL */
	uint64_t bytes;                /* the size of the files */
};

/* Runs tar, and reports its task if it failed. Its own messages come before. */
static int run_tar(const struct tar_task *t, struct diag *diag)
{
	pid_t pid;
	int in = -1, status, r = start_tar(t->argv, t->out, &pid, &in);

	if (r < 0)
		return diag_set(diag, r, "cannot run tar: %s", strerror(-r));

	/* If tar ends early, its status says more than our broken pipe. */
	void (*before)(int) = signal(SIGPIPE, SIG_IGN);

	send_names(in, t->files);
	signal(SIGPIPE, before);
	r = await_tar(pid, t->progress, t->bytes, &status);
	if (r < 0)
		return diag_set(diag, r, "lost sight of tar: %s", strerror(-r));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	return diag_set(diag, -EIO, "tar failed");
}

static const struct archive_format *archive_tar_find_format(void)
{
	size_t i = 0;

	while (i + 1 < ARRAY_SIZE(formats) && !file_is_program(formats[i].program))
		i++;
	return &formats[i];
}

int archive_pack(const char *base, const char *dir, const struct name_list *files,
		 struct progress *progress, char **ret_path, struct diag *diag)
{
	const struct archive_format *format = archive_tar_find_format();
	_cleanup_(freep) char *path = xasprintf("%s%s", base, format->suffix);
	_cleanup_(output_file_done) struct output_file o = OUTPUT_FILE_NONE;
	char *argv[] = {
		"tar",           "--create",    "--file",    "-",      (char *)format->option,
		"--force-local", "--directory", (char *)dir, "--null", "--verbatim-files-from",
		"--files-from",  "-",           NULL
	};
	int r = output_file_begin(&o, path, FILE_PLACE_FOLLOW, 0666, diag);

	if (r >= 0)
		r = run_tar(&(struct tar_task){ .argv = argv,
						.out = o.fd,
						.files = files,
						.progress = progress,
						.bytes = progress ? archive_tar_bytes_of(dir, files)
								  : 0 },
			    diag);
	if (r < 0)
		return r;
	r = output_file_commit(&o, false);
	if (r < 0)
		return diag_set(diag, r, "cannot write '%s': %s", path, strerror(-r));
	*ret_path = TAKE(path);
	return 0;
}

int archive_unpack(const char *archive, const char *dir, struct diag *diag)
{
	char *argv[] = { "tar",
			 "--extract",
			 "--file",
			 (char *)archive,
			 "--force-local",
			 "--no-same-owner",
			 "--no-same-permissions",
			 "--directory",
			 (char *)dir,
			 NULL };

	if (access(archive, R_OK) < 0)
		return diag_set(diag, -errno, "cannot read '%s': %s", archive, strerror(errno));
	return run_tar(&(struct tar_task){ .argv = argv, .out = STDOUT_FILENO }, diag);
}
