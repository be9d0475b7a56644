/* SPDX-License-Identifier: MIT */
#include "cmd/exec-path.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cmd/program-first.h"
#include <config.h>

/* @folder if it has scripts, else NULL, in which case it is freed. */
static char *with_scripts(char *folder)
{
	_cleanup_(freep) char *scripts = xasprintf("%s/scripts/python", folder);

	if (access(scripts, X_OK) == 0)
		return folder;
	free(folder);
	return NULL;
}

/* Of "/opt/perf/bin" and an installation planned for /usr: "/opt/perf/libexec/perf-core". */
static char *relative_to(const char *program_folder)
{
	size_t prefix = strlen(PERF_PREFIX);

	if (strncmp(PERF_LIBEXECDIR, PERF_PREFIX, prefix) != 0)
		return NULL;
	return with_scripts(xasprintf("%s/..%s", program_folder, &PERF_LIBEXECDIR[prefix]));
}

static char *near_program(void)
{
	_cleanup_(freep) char *folder = program_path();
	char *slash = folder ? strrchr(folder, '/') : NULL;
	char *found;

	if (!slash)
		return NULL;
	*slash = '\0';
	found = with_scripts(xstrdup(folder));
	return found ? found : relative_to(folder);
}

char *exec_path_find(const char *option)
{
	const char *variable = getenv("PERF_EXEC_PATH");
	char *found;

	if (option && *option)
		return xstrdup(option);
	if (variable && *variable)
		return xstrdup(variable);
	found = near_program();
	return found ? found : xstrdup(PERF_LIBEXECDIR);
}

char *command_exec_path(const struct invocation *inv)
{
	char *path = exec_path_find(inv->settings->exec_path);

	setenv("PERF_EXEC_PATH", path, 1);
	return path;
}
