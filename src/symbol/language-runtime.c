/* SPDX-License-Identifier: MIT */
#include "symbol/language-runtime.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/input-file.h"
#include "base/memory.h"
#include "base/text.h"
#include "kernel/process-files.h"
#include "symbol/image.h"

/* Python has -X perf from this minor version on. */
#define PYTHON_MINOR 12

static const struct {
	const char *prefix;
	enum language_runtime runtime;
} names[] = {
	{ "python3", RUNTIME_PYTHON }, { "libpython3", RUNTIME_PYTHON }, { "node", RUNTIME_NODE },
	{ "nodejs", RUNTIME_NODE },    { "libjvm.so", RUNTIME_JAVA },
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

enum language_runtime language_runtime_of(const char *path, unsigned *ret_minor)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	*ret_minor = 0;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!language_runtime_is_called(name, names[i].prefix))
			continue;
		name += strlen(names[i].prefix);
		if (names[i].runtime == RUNTIME_PYTHON && *name == '.')
			*ret_minor = (unsigned)strtoul(name + 1, NULL, 10) % 1000;
		return names[i].runtime;
	}
	return RUNTIME_NONE;
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

void language_runtime_advise(enum language_runtime r, unsigned minor, struct text *out)
{
	switch (r) {
	case RUNTIME_PYTHON:
		if (minor && minor < PYTHON_MINOR)
			text_addf(
				out,
				"Python functions have no names: python3 -X perf gives them names "
				"from Python 3.%d on, and this is 3.%u",
				PYTHON_MINOR, minor);
		else
			text_addf(out,
				  "Python functions have no names: record with -g, and run "
				  "python3 -X perf (3.%d or newer)",
				  PYTHON_MINOR);
		break;
	case RUNTIME_NODE:
		text_add(out, "JavaScript functions have no names: run node --perf-basic-prof "
			      "--interpreted-frames-native-stack");
		break;
	case RUNTIME_JAVA:
		text_add(
			out,
			"Java methods have no names: while it runs, jcmd PID Compiler.perfmap (JDK "
			"17 or newer) writes them; java -XX:+PreserveFramePointer gives whole "
			"stacks, and -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit writes "
			"names when it ends");
		break;
	case RUNTIME_NONE:
	case RUNTIMES:
		break;
	}
}
