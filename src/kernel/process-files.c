/* SPDX-License-Identifier: MIT */
#include "kernel/process-files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"

#define STATUS_SIZE_MAX (1 << 20)

uint64_t process_mount_ns(int pid)
{
	_cleanup_(freep) char *path = pid ? xasprintf("/proc/%d/ns/mnt", pid)
					  : xstrdup("/proc/self/ns/mnt");
	struct stat st;

	return stat(path, &st) < 0 ? 0 : st.st_ino;
}

char *process_path(int pid, const char *path)
{
	uint64_t theirs = pid > 0 && *path == '/' ? process_mount_ns(pid) : 0;

	if (!theirs || theirs == process_mount_ns(0))
		return NULL;
	return xasprintf("/proc/%d/root%s", pid, path);
}

/* A process that must not be inspected (setuid programs) belongs to root there. */
bool process_user(int pid, uid_t *ret)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d", pid);
	struct stat st;

	if (stat(path, &st) < 0)
		return false;
	*ret = st.st_uid;
	return true;
}

/* Reads the last number of "NStgid:\t14604\t7" in /proc/PID/status. */
int process_inner_pid(int pid)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/status", pid);
	_cleanup_(freep) char *status = NULL;

	if (file_read(AT_FDCWD, path, STATUS_SIZE_MAX, &status, NULL) < 0)
		return pid;

	char *line = strstr(status, "\nNStgid:");

	if (!line)
		return pid;
	line[1 + strcspn(line + 1, "\n")] = '\0';

	const char *tab = strrchr(line, '\t');

	return tab ? atoi(tab + 1) : pid;
}
