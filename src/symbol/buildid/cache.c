/* SPDX-License-Identifier: MIT */
#include "symbol/buildid/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/output-file.h"

/* Folders of the cache that are not named after images. */
#define LINKS ".build-id"
#define KEPT  ".kept"

char *buildid_cache_dir(const char *configured)
{
	const char *home = getenv("HOME");

	if (configured)
		return strcmp(configured, "/dev/null") ? xstrdup(configured) : NULL;
	return home && *home ? xasprintf("%s/.debug", home) : NULL;
}

char *buildid_cache_entry(const char *dir, const char *name, const struct build_id *id)
{
	char text[BUILD_ID_TEXT_MAX];

	return xasprintf("%s%s%s/%s", dir, *name == '/' ? "" : "/", name,
			 build_id_format(id, text));
}

/* Returns the path of the link DIR/.build-id/ab/cdef... */
static char *link_path(const char *dir, const struct build_id *id)
{
	char text[BUILD_ID_TEXT_MAX];

	build_id_format(id, text);
	return xasprintf("%s/" LINKS "/%.2s/%s", dir, text, text + (*text ? 2 : 0));
}

static const char *const kept_names[] = {
	[BUILDID_KEPT_SYMBOLS] = "symbols",
	[BUILDID_KEPT_FRAMES] = "frames",
	[BUILDID_KEPT_CODE] = "code",
	[BUILDID_KEPT_TYPES] = "types",
};

char *buildid_cache_kept_path(const char *dir, const struct build_id *id, enum buildid_kept what)
{
	char text[BUILD_ID_TEXT_MAX];

	if (!dir || id->size < 2)
		return NULL;
	build_id_format(id, text);
	return xasprintf("%s/" KEPT "/%.2s/%s.%s", dir, text, text + 2, kept_names[what]);
}

static void remove_kept(const char *dir, const struct build_id *id)
{
	for (size_t i = 0; i < ARRAY_SIZE(kept_names); i++) {
		_cleanup_(freep) char *path = buildid_cache_kept_path(dir, id,
								      (enum buildid_kept)i);

		if (path)
			output_file_remove(path);
	}
}

char *buildid_cache_find(const char *dir, const struct build_id *id, const char *file)
{
	if (!dir || !id->size)
		return NULL;

	_cleanup_(freep) char *entry = link_path(dir, id);
	_cleanup_(freep) char *path = xasprintf("%s/%s", entry, file);

	return access(path, F_OK) == 0 ? TAKE(path) : NULL;
}

bool buildid_cache_contains(const char *dir, const struct build_id *id)
{
	static const char *const images[] = { "elf", "vdso", "kallsyms" };

	for (size_t i = 0; i < ARRAY_SIZE(images); i++) {
		_cleanup_(freep) char *path = buildid_cache_find(dir, id, images[i]);

		if (path)
			return true;
	}
	return false;
}

/*
 * Returns the target of the link of @id: "../../usr/bin/x/abcdef...", or NULL. The caller frees it.
 */
static char *link_target(const char *dir, const struct build_id *id)
{
	_cleanup_(freep) char *link = link_path(dir, id);
	char target[PATH_MAX];
	ssize_t n = readlink(link, target, sizeof(target));

	return n < 0 || n == sizeof(target) ? NULL : xstrndup(target, (size_t)n);
}

static bool cache_component_is(const char *at, size_t n, const char *name)
{
	return strlen(name) == n && !memcmp(at, name, n);
}

bool buildid_cache_accepts(const char *name)
{
	const char *at = name + strspn(name, "/");

	if (cache_component_is(at, strcspn(at, "/"), LINKS) ||
	    cache_component_is(at, strcspn(at, "/"), KEPT))
		return false;
	for (size_t n; *at; at += n + (at[n] == '/')) {
		n = strcspn(at, "/");
		if (cache_component_is(at, n, ".") || cache_component_is(at, n, ".."))
			return false;
	}
	return true;
}

char *buildid_cache_origin(const char *dir, const struct build_id *id)
{
	static const char up[] = "../../";
	_cleanup_(freep) char *target = dir ? link_target(dir, id) : NULL;
	char *slash = target ? strrchr(target, '/') : NULL;

	if (!slash || strncmp(target, up, strlen(up)) != 0)
		return NULL;
	*slash = '\0';

	const char *name = target + strlen(up);

	/* The link is untrusted. */
	if (!buildid_cache_accepts(name))
		return NULL;
	return *name == '[' ? xstrdup(name) : xasprintf("/%s", name);
}

int buildid_cache_remove(const char *dir, const struct build_id *id)
{
	_cleanup_(freep) char *origin = buildid_cache_origin(dir, id);
	_cleanup_(name_list_done) struct name_list files = { 0 };

	if (!origin)
		return -ENOENT;

	/* The link is removed first, so that no other process finds half an entry. */
	_cleanup_(freep) char *link = link_path(dir, id);
	_cleanup_(freep) char *entry = buildid_cache_entry(dir, origin, id);
	_cleanup_(file_place_done) struct file_place p = FILE_PLACE_NONE;
	_cleanup_(diag_done) struct diag ignored = { 0 };
	int r = output_file_remove(link);

	if (r < 0)
		return r;
	remove_kept(dir, id);
	if (file_place_find(entry, 0, &p, &ignored) < 0)
		return 0;

	_cleanup_(closep) int fd = openat(p.folder, p.name,
					  O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || name_list_read(fd, ".", false, &files) < 0)
		return 0;
	for (size_t i = 0; i < files.n; i++)
		unlinkat(fd, files.items[i], 0);
	return unlinkat(p.folder, p.name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

/* Calls @fn for the ids that begin with the two digits @prefix. */
static int for_each_below(const char *dir, const char *prefix,
			  int (*fn)(const struct build_id *id, void *arg), void *arg)
{
	_cleanup_(name_list_done) struct name_list rests = { 0 };
	_cleanup_(freep) char *path = xasprintf("%s/" LINKS "/%s", dir, prefix);
	int r = 0;

	if (name_list_read(AT_FDCWD, path, false, &rests) < 0)
		return 0;
	name_list_sort(&rests);
	for (size_t i = 0; i < rests.n && r == 0; i++) {
		_cleanup_(freep) char *text = xasprintf("%s%s", prefix, rests.items[i]);
		struct build_id id;

		if (build_id_parse(text, &id) == 0 && buildid_cache_contains(dir, &id))
			r = fn(&id, arg);
	}
	return r;
}

int buildid_cache_for_each(const char *dir, int (*fn)(const struct build_id *id, void *arg),
			   void *arg)
{
	_cleanup_(name_list_done) struct name_list prefixes = { 0 };

	if (!dir)
		return 0;

	_cleanup_(freep) char *root = xasprintf("%s/" LINKS, dir);
	int r = name_list_read(AT_FDCWD, root, true, &prefixes);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	name_list_sort(&prefixes);
	for (size_t i = 0; i < prefixes.n && r == 0; i++)
		if (strlen(prefixes.items[i]) == 2)
			r = for_each_below(dir, prefixes.items[i], fn, arg);
	return r;
}

int buildid_cache_for_each_of(const char *dir, const char *name,
			      int (*fn)(const struct build_id *id, void *arg), void *arg)
{
	_cleanup_(name_list_done) struct name_list ids = { 0 };

	if (!dir)
		return 0;

	_cleanup_(freep) char *path = xasprintf("%s%s%s", dir, *name == '/' ? "" : "/", name);
	int r = name_list_read(AT_FDCWD, path, true, &ids);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	name_list_sort(&ids);
	for (size_t i = 0; i < ids.n && r == 0; i++) {
		struct build_id id;

		if (build_id_parse(ids.items[i], &id) == 0)
			r = fn(&id, arg);
	}
	return r;
}
