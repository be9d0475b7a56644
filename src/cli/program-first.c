/* SPDX-License-Identifier: MIT */
#include "cli/program-first.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"

char *program_path(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	return n > 0 ? xstrndup(path, (size_t)n) : NULL;
}

static int make_link(struct program_first *p, const char *program, struct diag *diag)
{
	const char *tmp = getenv("TMPDIR");
	_cleanup_(freep) char *folder = xasprintf("%s/perf-script-XXXXXX",
						  tmp && *tmp ? tmp : "/tmp");
	_cleanup_(freep) char *link = NULL;

	if (!mkdtemp(folder))
		return diag_set(diag, -errno, "cannot make a folder like '%s': %s", folder,
				strerror(errno));
	link = xasprintf("%s/perf", folder);
	p->made = TAKE(folder);
	if (symlink(program, link) < 0)
		return diag_set(diag, -errno, "cannot make the link '%s': %s", link,
				strerror(errno));
	return 0;
}

static void program_first_prepend(const char *folder, size_t n)
{
	const char *before = getenv("PATH");
	_cleanup_(freep) char *path = xasprintf("%.*s:%s", (int)n, folder,
						before && *before ? before
								  : "/usr/local/bin:/usr/bin:/bin");

	setenv("PATH", path, 1);
}

int program_first_in_path(struct program_first *p, struct diag *diag)
{
	_cleanup_(freep) char *program = program_path();
	const char *name = program ? strrchr(program, '/') : NULL;
	int r;

	if (!name)
		return 0;
	if (!strcmp(name, "/perf")) {
		program_first_prepend(program, (size_t)(name - program));
		return 0;
	}
	r = make_link(p, program, diag);
	if (r >= 0)
		program_first_prepend(p->made, strlen(p->made));
	return r;
}

void program_first_done(struct program_first *p)
{
	if (!p->made)
		return;

	_cleanup_(freep) char *link = xasprintf("%s/perf", p->made);

	unlink(link);
	rmdir(p->made);
	free(p->made);
	p->made = NULL;
}
