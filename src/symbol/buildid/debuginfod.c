/* SPDX-License-Identifier: MIT */
#include "symbol/buildid/debuginfod.h"

#include <config.h>
#include <stdlib.h>

#include "base/memory.h"

#if HAVE_DEBUGINFOD
#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "base/library.h"
#include "base/progress.h"

/* The time that a server may take until it announces the size of its answer. */
#define PATIENCE_SECONDS 10

/* The functions of the library that are called; all have the types of its header. */
struct debuginfod_functions {
	__typeof__(debuginfod_begin) *begin;
	__typeof__(debuginfod_set_progressfn) *set_progress;
	__typeof__(debuginfod_set_user_data) *set_data;
	__typeof__(debuginfod_find_debuginfo) *find_debug_file;
	__typeof__(debuginfod_find_executable) *find_program;
	__typeof__(debuginfod_end) *end;
};

static const struct library_function functions[] = {
	{ "debuginfod_begin", offsetof(struct debuginfod_functions, begin) },
	{ "debuginfod_set_progressfn", offsetof(struct debuginfod_functions, set_progress) },
	{ "debuginfod_set_user_data", offsetof(struct debuginfod_functions, set_data) },
	{ "debuginfod_find_debuginfo", offsetof(struct debuginfod_functions, find_debug_file) },
	{ "debuginfod_find_executable", offsetof(struct debuginfod_functions, find_program) },
	{ "debuginfod_end", offsetof(struct debuginfod_functions, end) },
};

typedef __typeof__(debuginfod_find_debuginfo) find_fn;

struct debuginfod {
	struct debuginfod_functions call;
	debuginfod_client *client;
	struct progress *progress; /* or NULL */
	time_t since;
	bool has_given_up;
};

static time_t debuginfod_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* Reports progress. The library calls this while it waits, and stops if it returns non-zero. */
static int check_progress(debuginfod_client *c, long done, long total)
{
	/*
	 * The callback gets no argument but the client. The library was opened with RTLD_GLOBAL, so
	 * dlsym() finds the function.
	 */
	void *(*user_data)(debuginfod_client *) = dlsym(RTLD_DEFAULT, "debuginfod_get_user_data");
	struct debuginfod *d = user_data ? user_data(c) : NULL;

	if (d && total > 0)
		progress_update(d->progress, "Downloading debug files", (uint64_t)done,
				(uint64_t)total);
	if (!d || total > 0)
		return 0;
	d->has_given_up |= debuginfod_seconds() - d->since >= PATIENCE_SECONDS;
	return d->has_given_up;
}

static bool symbol_debuginfod_begin(struct debuginfod *d)
{
	void *library = dlopen(DEBUGINFOD_SONAME, RTLD_LAZY | RTLD_GLOBAL);

	if (library_find(library, functions, ARRAY_SIZE(functions), &d->call))
		return false;
	d->client = d->call.begin();
	if (!d->client)
		return false;
	d->call.set_data(d->client, d);
	d->call.set_progress(d->client, check_progress);
	return true;
}

struct debuginfod *debuginfod_new(struct progress *progress)
{
	const char *urls = getenv(DEBUGINFOD_URLS_ENV_VAR);

	if (!urls || !*urls)
		return NULL;

	_cleanup_(debuginfod_freep) struct debuginfod *d = xcalloc(1, sizeof(*d));

	d->progress = progress;
	return symbol_debuginfod_begin(d) ? TAKE(d) : NULL;
}

void debuginfod_free(struct debuginfod *d)
{
	if (!d)
		return;
	if (d->client)
		d->call.end(d->client);
	/* The library stays loaded: it has started TLS libraries that cannot be unloaded. */
	free(d);
}

bool debuginfod_has_given_up(const struct debuginfod *d)
{
	return d->has_given_up;
}

static char *debuginfod_find(struct debuginfod *d, find_fn *fn, const struct build_id *id)
{
	char *path = NULL;

	if (d->has_given_up || !id->size)
		return NULL;
	d->since = debuginfod_seconds();

	int fd = fn(d->client, id->bytes, (int)id->size, &path);

	progress_finish(d->progress);
	if (fd < 0)
		return NULL;
	close(fd);
	return path;
}

char *debuginfod_debug_file(struct debuginfod *d, const struct build_id *id)
{
	return debuginfod_find(d, d->call.find_debug_file, id);
}

char *debuginfod_program(struct debuginfod *d, const struct build_id *id)
{
	return debuginfod_find(d, d->call.find_program, id);
}
#else
struct debuginfod *debuginfod_new(struct progress *progress)
{
	(void)progress;
	return NULL;
}

/*
 * These functions are never called, because debuginfod_new() returns NULL; they exist for the
 * linker.
 */
bool debuginfod_has_given_up(const struct debuginfod *d)
{
	(void)d;
	return true;
}

void debuginfod_free(struct debuginfod *d)
{
	(void)d;
}

char *debuginfod_debug_file(struct debuginfod *d, const struct build_id *id)
{
	(void)d, (void)id;
	return NULL;
}

char *debuginfod_program(struct debuginfod *d, const struct build_id *id)
{
	(void)d, (void)id;
	return NULL;
}
#endif
