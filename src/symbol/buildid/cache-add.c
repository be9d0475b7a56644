/* SPDX-License-Identifier: MIT */
/* Puts images into the build-id cache. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/input-file.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "elf/build-id.h"
#include "elf/file.h"
#include "kernel/kallsyms-text.h"
#include "kernel/kernel-notes.h"
#include "kernel/vdso.h"
#include "symbol/buildid/cache.h"
#include "symbol/buildid/sdt-probes.h"

static int copy_bytes(int from, int to)
{
	for (;;) {
		ssize_t n = sendfile(to, from, NULL, 1 << 30);

		if (n == 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
	}
}

static int cache_add_copy(const char *from, const char *to)
{
	_cleanup_(output_file_done) struct output_file o = OUTPUT_FILE_NONE;
	_cleanup_(diag_done) struct diag ignored = { 0 };
	_cleanup_(closep) int source = input_file_open(from);
	struct stat st;
	int r;

	if (source < 0)
		return source;
	if (fstat(source, &st) < 0)
		return -errno;
	r = output_file_begin(&o, to, 0, st.st_mode & 0777, &ignored);
	if (r >= 0)
		r = copy_bytes(source, o.fd);
	return r < 0 ? r : output_file_commit(&o, false);
}

/*
 * Makes a hard link, which costs nothing. Across file systems, and for files of other users, it
 * makes a copy.
 */
static int link_or_copy(const char *from, const char *to)
{
	_cleanup_(file_place_done) struct file_place p = FILE_PLACE_NONE;
	_cleanup_(diag_done) struct diag ignored = { 0 };
	int r = file_place_find(to, 0, &p, &ignored);

	if (r < 0)
		return r;
	if (linkat(AT_FDCWD, from, p.folder, p.name, 0) == 0 || errno == EEXIST)
		return 0;
	return cache_add_copy(from, to);
}

static bool is_build(const char *path, const struct build_id *id)
{
	struct build_id found;

	return elf_build_id_read(path, &found) >= 0 && build_id_equal(&found, id);
}

/* Adds the debug file that the distribution installed beside the program, if it did. */
static void add_debug_file(const char *entry, const struct build_id *id)
{
	char text[BUILD_ID_TEXT_MAX];

	build_id_format(id, text);
	if (id->size < 2)
		return;

	_cleanup_(freep) char *debug = xasprintf("/usr/lib/debug/.build-id/%.2s/%s.debug", text,
						 text + 2);
	_cleanup_(freep) char *to = xasprintf("%s/debug", entry);

	if (is_build(debug, id)) {
		char *real = realpath(debug, NULL);

		link_or_copy(real ? real : debug, to);
		free(real);
	}
}

static int add_elf(const char *entry, const char *path, const struct build_id *id)
{
	_cleanup_(freep) char *to = xasprintf("%s/elf", entry);

	if (!is_build(path, id))
		return access(path, R_OK) < 0 ? -errno : -ESTALE;

	int r = file_make_directories(entry);

	if (r >= 0)
		r = link_or_copy(path, to);
	if (r >= 0)
		add_debug_file(entry, id);
	return r;
}

/*
 * True if the list has addresses. With kptr_restrict all addresses are 0. A single one may be 0:
 * x86_64's per-CPU data begins there.
 */
static bool cache_add_has_addresses(const char *list, size_t size)
{
	struct kallsyms_line l;

	for (const char *at = list, *end = list + size; kallsyms_next(&at, end, &l);)
		if (l.addr && kallsyms_type_counts(l.type))
			return true;
	return false;
}

static int cache_add_kernel(const char *entry, const char *path, const struct build_id *id)
{
	_cleanup_(freep) char *list = NULL, *to = xasprintf("%s/kallsyms", entry);
	struct build_id running;
	size_t size;
	int r = build_id_of_kernel(&running);

	(void)path;
	if (r < 0 || !build_id_equal(&running, id))
		return r < 0 ? r : -ESTALE;
	r = file_read(AT_FDCWD, "/proc/kallsyms", KALLSYMS_SIZE_MAX, &list, &size);
	if (r < 0)
		return r;
	/* A list without addresses is of no use. */
	if (!cache_add_has_addresses(list, size))
		return -EPERM;
	r = file_make_directories(entry);
	return r < 0 ? r : output_file_replace(to, list, size, 0644);
}

static int add_vdso(const char *entry, const char *path, const struct build_id *id)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(freep) char *to = xasprintf("%s/vdso", entry);
	struct build_id own;
	const void *bytes;
	size_t size;
	int r = vdso_get(&bytes, &size);

	(void)path;
	if (r >= 0)
		r = elf_file_open_memory(bytes, size, &f);
	if (r >= 0)
		r = elf_file_build_id(f, &own);
	if (r < 0 || !build_id_equal(&own, id))
		return r < 0 ? r : -ESTALE;
	r = file_make_directories(entry);
	return r < 0 ? r : output_file_replace(to, bytes, size, 0644);
}

/* Makes .build-id/ab/cdef... -> ../../NAME/abcdef...; replaces a link that leads elsewhere. */
static int add_link(const char *dir, const char *name, const struct build_id *id)
{
	char text[BUILD_ID_TEXT_MAX];

	build_id_format(id, text);

	_cleanup_(freep) char *link = xasprintf("%s/.build-id/%.2s/%s", dir, text, text + 2);
	_cleanup_(freep) char *target = xasprintf("../..%s%s/%s", *name == '/' ? "" : "/", name,
						  text);
	_cleanup_(file_place_done) struct file_place p = FILE_PLACE_NONE;
	_cleanup_(diag_done) struct diag ignored = { 0 };
	int r = file_place_find(link, FILE_PLACE_MAKE_FOLDERS, &p, &ignored);

	if (r < 0)
		return r;
	unlinkat(p.folder, p.name, 0);
	return symlinkat(target, p.folder, p.name) < 0 ? -errno : 0;
}

/* Makes an entry: @image puts the file itself into the entry's directory. */
static int
cache_add_entry(const char *dir, const char *name, const char *path, const struct build_id *id,
		int (*image)(const char *entry, const char *path, const struct build_id *id))
{
	if (!dir || buildid_cache_contains(dir, id))
		return 0;
	if (!id->size || !buildid_cache_accepts(name))
		return -EINVAL;

	_cleanup_(freep) char *entry = buildid_cache_entry(dir, name, id);
	int r = image(entry, path, id);

	if (r < 0)
		return r;
	sdt_probes_store(entry, name, path);
	r = add_link(dir, name, id);
	return r < 0 ? r : 1;
}

/* Adds another path. The same file under another path has the same static probes, at that path. */
static void add_other_path(const char *dir, const char *name, const char *path,
			   const struct build_id *id)
{
	_cleanup_(freep) char *origin = buildid_cache_origin(dir, id);

	if (!origin || !strcmp(origin, name))
		return;

	_cleanup_(freep) char *entry = buildid_cache_entry(dir, origin, id);

	sdt_probes_store(entry, name, path);
}

int buildid_cache_add_from(const char *dir, const char *name, const char *path,
			   const struct build_id *id)
{
	int r = cache_add_entry(dir, name, path, id, add_elf);

	if (r == 0 && dir)
		add_other_path(dir, name, path, id);
	return r;
}

int buildid_cache_put(const char *dir, const char *name, const struct build_id *id,
		      const void *bytes, size_t size)
{
	_cleanup_(freep) char *entry = NULL, *to = NULL;
	int r;

	if (!dir || !id->size || !buildid_cache_accepts(name))
		return -EINVAL;
	entry = buildid_cache_entry(dir, name, id);
	to = xasprintf("%s/elf", entry);
	r = file_make_directories(entry);
	if (r >= 0)
		r = output_file_replace(to, bytes, size, 0644);
	return r < 0 ? r : add_link(dir, name, id);
}

int buildid_cache_add(const char *dir, const char *name, const struct build_id *id,
		      enum buildid_cache_kind kind)
{
	if (kind == BUILDID_CACHE_KERNEL)
		return cache_add_entry(dir, "[kernel.kallsyms]", NULL, id, cache_add_kernel);
	if (kind == BUILDID_CACHE_VDSO)
		return cache_add_entry(dir, name, NULL, id, add_vdso);

	_cleanup_(freep) char *real = realpath(name, NULL);

	return real ? buildid_cache_add_from(dir, real, real, id) : -errno;
}

/*
 * Takes over @file of the entry @from, if it is of the build @id. A list of symbols has no build-id
 * to check.
 */
static bool adopt_file(const char *from, const char *entry, const char *file,
		       const struct build_id *id)
{
	_cleanup_(freep) char *source = xasprintf("%s/%s", from, file);
	_cleanup_(freep) char *to = xasprintf("%s/%s", entry, file);

	if (access(source, R_OK) < 0 || (strcmp(file, "kallsyms") != 0 && !is_build(source, id)))
		return false;
	return file_make_directories(entry) >= 0 && link_or_copy(source, to) >= 0;
}

int buildid_cache_adopt(const char *dir, const char *from, const struct build_id *id)
{
	static const char *const files[] = { "elf", "vdso", "kallsyms", "debug" };
	_cleanup_(freep) char *name = buildid_cache_origin(from, id);
	bool has_any = false;

	if (!name)
		return -EBADMSG;
	if (buildid_cache_contains(dir, id))
		return 0;

	_cleanup_(freep) char *entry = buildid_cache_entry(dir, name, id);
	_cleanup_(freep) char *source = buildid_cache_entry(from, name, id);

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		has_any |= adopt_file(source, entry, files[i], id);
	if (!has_any)
		return -ENOENT;

	int r = add_link(dir, name, id);

	return r < 0 ? r : 1;
}
