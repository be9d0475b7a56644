/* SPDX-License-Identifier: MIT */
#include "cli/manual.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include <config.h>

/* Returns the directory of the running program, or NULL. */
static char *own_directory(void)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n <= 0)
		return NULL;
	path[n] = '\0';
	*strrchr(path, '/') = '\0';
	return xstrdup(path);
}

/* Returns the path of the page @name, or NULL. */
static char *find_page(const char *name)
{
	static const char *const endings[] = { ".1", ".1.gz", ".7", ".7.gz" };
	_cleanup_(freep) char *own = own_directory();
	_cleanup_(freep) char *beside = xasprintf("%s/docs/man", own ? own : "");
	_cleanup_(freep) char *moved = xasprintf("%s/../share/man", own ? own : "");
	const char *const places[] = { moved, PERF_MANDIR };

	for (size_t j = 0; j < ARRAY_SIZE(endings); j++) {
		_cleanup_(freep) char *built = xasprintf("%s/%s%s", beside, name, endings[j]);

		if (access(built, R_OK) == 0)
			return TAKE(built);
		for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
			_cleanup_(freep) char *path = xasprintf("%s/man%c/%s%s", places[i],
								endings[j][1], name, endings[j]);

			if (access(path, R_OK) == 0)
				return TAKE(path);
		}
	}
	return NULL;
}

static int manual_open_page(const char *path)
{
	char *const argv[] = { "man", (char *)path, NULL };
	int status;
	pid_t pid;

	if (!file_is_program("man"))
		return -ENOPKG;

	int r = posix_spawnp(&pid, "man", NULL, NULL, argv, environ);

	if (r > 0)
		return -r;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return status == 0 ? 0 : -EIO;
}

int manual_show(const char *name)
{
	_cleanup_(freep) char *path = find_page(name);

	return path ? manual_open_page(path) : -ENOENT;
}
