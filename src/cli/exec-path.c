/* SPDX-License-Identifier: MIT */
#include "cli/exec-path.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/program-first.h"
#include <config.h>

/* Returns @folder if it has scripts, else frees it and returns NULL. */
static char *with_scripts(char *folder)
{
	_cleanup_(freep) char *scripts = xasprintf("%s/scripts/python", folder);

	if (access(scripts, X_OK) == 0)
		return folder;
	free(folder);
	return NULL;
}

/* Cuts the last part off @path. False: there is none. */
static bool cut_last(char *path)
{
	char *slash = path ? strrchr(path, '/') : NULL;

	if (slash)
		*slash = '\0';
	return slash;
}

char *installed_path(const char *planned)
{
	_cleanup_(freep) char *folder = program_path();
	size_t prefix = strlen(PERF_PREFIX);
	bool below_prefix = strncmp(planned, PERF_PREFIX, prefix) == 0;

	/* The program is PREFIX/bin/perf. */
	if (!below_prefix || !cut_last(folder) || !cut_last(folder))
		return xstrdup(planned);
	return xasprintf("%s%s", folder, planned + prefix);
}

static char *beside_program(void)
{
	_cleanup_(freep) char *folder = program_path();

	return cut_last(folder) ? with_scripts(TAKE(folder)) : NULL;
}

char *exec_path_find(const char *option)
{
	const char *variable = getenv("PERF_EXEC_PATH");
	char *found;

	if (option && *option)
		return xstrdup(option);
	if (variable && *variable)
		return xstrdup(variable);
	found = beside_program();
	found = found ? found : with_scripts(installed_path(PERF_LIBEXECDIR));
	return found ? found : xstrdup(PERF_LIBEXECDIR);
}

char *command_exec_path(const struct invocation *inv)
{
	char *path = exec_path_find(inv->settings->exec_path);

	setenv("PERF_EXEC_PATH", path, 1);
	return path;
}
