/* SPDX-License-Identifier: MIT */
#include "options/tracing-dir.h"

#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "cli/command.h"

char *command_tracing_dir(const struct invocation *inv)
{
	const char *dir = inv->settings->debugfs_dir;
	_cleanup_(freep) char *below = dir ? xasprintf("%s/tracing", dir) : NULL;

	if (!dir || access(below, F_OK) != 0)
		return dir ? xstrdup(dir) : NULL;
	return TAKE(below);
}
