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

#include "base/progress.h"

/* The time that a server may take until it announces the size of its answer. */
#define PATIENCE_SECONDS 10

typedef int find_fn(debuginfod_client *c, const unsigned char *id, int length, char **path);

struct debuginfod {
	void *library;
	debuginfod_client *client;
	find_fn *find_debug_file, *find_program;
	void (*end)(debuginfod_client *c);
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
	debuginfod_client *(*make)(void) = dlsym(d->library, "debuginfod_begin");
	void (*set_progress)(debuginfod_client *, debuginfod_progressfn_t) =
		dlsym(d->library, "debuginfod_set_progressfn");
	void (*set_data)(debuginfod_client *, void *) = dlsym(d->library,
							      "debuginfod_set_user_data");

	d->find_debug_file = dlsym(d->library, "debuginfod_find_debuginfo");
	d->find_program = dlsym(d->library, "debuginfod_find_executable");
	d->end = dlsym(d->library, "debuginfod_end");
	if (!make || !set_progress || !set_data || !d->find_debug_file || !d->find_program ||
	    !d->end)
		return false;
	d->client = make();
	if (!d->client)
		return false;
	set_data(d->client, d);
	set_progress(d->client, check_progress);
	return true;
}

struct debuginfod *debuginfod_new(struct progress *progress)
{
	const char *urls = getenv(DEBUGINFOD_URLS_ENV_VAR);

	if (!urls || !*urls)
		return NULL;

	_cleanup_(debuginfod_freep) struct debuginfod *d = xcalloc(1, sizeof(*d));

	d->progress = progress;
	d->library = dlopen(DEBUGINFOD_SONAME, RTLD_LAZY | RTLD_GLOBAL);
	return d->library && symbol_debuginfod_begin(d) ? TAKE(d) : NULL;
}

void debuginfod_free(struct debuginfod *d)
{
	if (!d)
		return;
	if (d->client)
		d->end(d->client);
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
	return debuginfod_find(d, d->find_debug_file, id);
}

char *debuginfod_program(struct debuginfod *d, const struct build_id *id)
{
	return debuginfod_find(d, d->find_program, id);
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
