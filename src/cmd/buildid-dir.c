/* SPDX-License-Identifier: MIT */
#include "cmd/buildid-dir.h"

#include <stdlib.h>

#include "base/memory.h"
#include "buildid/cache.h"
#include "cli/command.h"
#include "cli/config.h"
#include "job/reading.h"

char *command_buildid_dir(const struct invocation *inv)
{
	const char *dir = inv->settings->buildid_dir;

	if (!dir)
		dir = getenv("PERF_BUILDID_DIR");
	if (!dir)
		dir = config_get(inv->config, "buildid.dir");
	return buildid_cache_dir(dir);
}

char *command_symbols_dir(const struct invocation *inv, const struct symbol_request *rq)
{
	const char *root = reading_other_root(rq);

	return root ? xasprintf("%s/.debug", root) : command_buildid_dir(inv);
}
