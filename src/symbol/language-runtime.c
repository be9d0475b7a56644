/* SPDX-License-Identifier: MIT */
#include "symbol/language-runtime.h"

#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/input-file.h"
#include "base/memory.h"
#include "base/text.h"
#include "kernel/process-files.h"
#include "runtime/runtime.h"
#include "symbol/image.h"

static const struct {
	const char *prefix;
	enum runtime_kind kind;
} names[] = {
	{ "python3", RUNTIME_KIND_PYTHON }, { "libpython3", RUNTIME_KIND_PYTHON },
	{ "node", RUNTIME_KIND_V8 },        { "nodejs", RUNTIME_KIND_V8 },
	{ "libjvm.so", RUNTIME_KIND_JAVA }, { "ruby", RUNTIME_KIND_RUBY },
	{ "libruby", RUNTIME_KIND_RUBY },   { "php", RUNTIME_KIND_PHP },
};

/*
 * True if the file is such a program: "python3.11" and "libpython3.11.so.1.0" are, "python3-config"
 * is not.
 */
static bool language_runtime_is_called(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	return !strncmp(name, prefix, n) && (!name[n] || name[n] == '.');
}

enum runtime_kind language_runtime_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (language_runtime_is_called(name, names[i].prefix))
			return names[i].kind;
	return RUNTIME_KIND_NONE;
}

/* True if the process, while it runs, has a map in its container. */
static bool has_map_inside(int32_t pid)
{
	_cleanup_(freep) char *inside = xasprintf("/tmp/perf-%d.map", process_inner_pid(pid));
	_cleanup_(freep) char *path = process_path(pid, inside);
	_cleanup_(closep) int found = path ? input_file_find(path, 0, NULL) : -1;

	return found >= 0 || (!path && access(inside, F_OK) == 0);
}

bool language_runtime_names(const struct image *im)
{
	_cleanup_(freep) char *map = xasprintf("/tmp/perf-%d.map", (int)im->pid);

	return access(map, F_OK) == 0 || has_map_inside(im->pid);
}

void language_runtime_advise(enum runtime_kind kind, struct text *out)
{
	text_addf(out,
		  "%s functions have no names: 'perf record --call-graph bpf' reads them from the "
		  "running program",
		  runtime_kind_language(kind));
}
