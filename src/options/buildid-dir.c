/* SPDX-License-Identifier: MIT */
#include "options/buildid-dir.h"

#include <stdlib.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/config.h"
#include "symbol/buildid/cache.h"

char *command_buildid_dir(const struct invocation *inv)
{
	const char *dir = inv->settings->buildid_dir;

	if (!dir)
		dir = getenv("PERF_BUILDID_DIR");
	if (!dir)
		dir = config_get(inv->config, "buildid.dir");
	return buildid_cache_dir(dir);
}
