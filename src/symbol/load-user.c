/* SPDX-License-Identifier: MIT */
/*
 * Programs and libraries: the file that ran (for its layout) and the file with the most symbols,
 * which may be another: a separate debug file. Both are found by build-id if it is known, so that a
 * file that was replaced since gives no wrong names.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "elf/debug-link.h"
#include "elf/elf-symbols.h"
#include "symbol/buildid-cache.h"
#include "symbol/elf-load.h"
#include "symbol/image.h"
#include "symbol/process-files.h"

struct search {
	struct image *image;
	const struct symbolizer_options *options;
	const char *root; /* symfs, or "" */
	char *path;       /* of the image: below symfs, or in a container */
	struct build_id id;
	bool only_code;                     /* symbols are not wanted */
	struct elf_file *runtime, *symbols; /* may be the same */
	enum image_origin runtime_origin, symbols_origin;
	int error; /* of the image's own path */
};

static void search_done(struct search *s)
{
	if (s->symbols != s->runtime)
		elf_file_free(s->symbols);
	elf_file_free(s->runtime);
	free(s->path);
}

/* Keeps @f if it is of use. */
static void consider(struct search *s, struct elf_file *f, enum image_origin origin)
{
	bool wanted = false;

	if (!s->symbols && !s->only_code && elf_has_symtab(f)) {
		s->symbols = f;
		s->symbols_origin = origin;
		wanted = true;
	}
	if (!s->runtime && elf_file_has_code(f)) {
		s->runtime = f;
		s->runtime_origin = origin;
		wanted = true;
	}
	if (!wanted)
		elf_file_free(f);
}

static bool is_complete(const struct search *s)
{
	return s->runtime && (s->symbols || s->only_code);
}

/* Is @f what was recorded? Where either has no build-id, nobody can tell: -ENODATA. */
static int check_id(const struct search *s, struct elf_file *f)
{
	struct build_id id;

	if (!s->id.size || elf_file_build_id(f, &id) < 0)
		return -ENODATA;
	return build_id_equal(&id, &s->id) ? 0 : -ESTALE;
}

/* Opens @path and keeps it if it is the build that was recorded. */
static int try_file(struct search *s, enum image_origin origin, const char *path)
{
	struct elf_file *f;
	int r = elf_file_open(path, &f);

	if (r < 0)
		return r;
	if (check_id(s, f) == -ESTALE) {
		elf_file_free(f);
		return -ESTALE;
	}
	consider(s, f, origin);
	return 0;
}

static void try_format(struct search *s, enum image_origin origin, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void try_format(struct search *s, enum image_origin origin, const char *format, ...)
{
	va_list ap;

	if (is_complete(s))
		return;
	va_start(ap, format);

	_cleanup_(freep) char *path = xvasprintf(format, ap);

	va_end(ap);
	try_file(s, origin, path);
}

/* The directory part of the image's path, as the count of its characters. */
static int directory_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (int)(slash - path) : 0;
}

/* A debug file of that name may be of another build: the checksum tells where no id does. */
static void try_linked(struct search *s, const char *directory, int length, const char *below,
		       const struct debug_link *link)
{
	_cleanup_(freep) char *path = xasprintf("%.*s/%s%s", length, directory, below, link->name);
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;

	if (is_complete(s) || elf_file_open(path, &f) < 0)
		return;

	int r = check_id(s, f);

	if (r == 0 || (r == -ENODATA && debug_link_is_of(path, link->crc)))
		consider(s, TAKE(f), ORIGIN_DEBUG_LINK);
}

static void try_debuglink(struct search *s)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	struct debug_link link;

	s->error = elf_file_open(s->path, &f);
	if (s->error < 0)
		return;
	/* Without an id in the profile it is whatever lies there now. */
	if (!s->id.size)
		elf_file_build_id(f, &s->id);
	if (elf_debug_link(f, &link) < 0)
		return;

	int name = directory_length(s->image->name);
	_cleanup_(freep) char *installed = xasprintf("%s/usr/lib/debug%.*s", s->root, name,
						     s->image->name);

	try_linked(s, s->path, directory_length(s->path), "", &link);
	try_linked(s, s->path, directory_length(s->path), ".debug/", &link);
	try_linked(s, installed, (int)strlen(installed), "", &link);
}

static void try_cache(struct search *s, enum image_origin origin, const char *file)
{
	if (!s->options->buildid_dir || !s->id.size || is_complete(s))
		return;

	_cleanup_(freep) char *path = buildid_cache_find(s->options->buildid_dir, &s->id, file);

	if (path)
		try_file(s, origin, path);
}

static void try_build_id(struct search *s)
{
	char id[BUILD_ID_TEXT_MAX];

	if (s->id.size > 1)
		try_format(s, ORIGIN_BUILD_ID, "%s/usr/lib/debug/.build-id/%.2s/%s.debug", s->root,
			   build_id_format(&s->id, id), id + 2);
}

/* What was replaced on the disk runs on, and can be read as long as it does. */
static void try_running(struct search *s)
{
	if (!s->runtime && s->id.size && s->image->pid > 0 && !s->options->symfs)
		try_format(s, ORIGIN_FILE, "/proc/%d/exe", (int)s->image->pid);
}

/* Symbols that the file itself carries, packed. */
static void try_packed(struct search *s)
{
	struct elf_file *f;

	if (s->runtime && !is_complete(s) && elf_debug_data(s->runtime, &f) >= 0)
		consider(s, f, s->runtime_origin);
}

/* The last resort: it takes time. */
static void try_servers(struct search *s)
{
	if (is_complete(s) || !s->id.size)
		return;

	_cleanup_(freep) char *program = NULL, *debug = NULL;

	if (!s->runtime)
		program = image_fetch_program(s->image, &s->id);
	if (program)
		try_file(s, ORIGIN_CACHE, program);
	if (!s->symbols && !s->only_code)
		debug = image_fetch_debug_file(s->image, &s->id);
	if (debug)
		try_file(s, ORIGIN_CACHE_DEBUG, debug);
}

static void find_files(struct search *s)
{
	const char *name = s->image->name;
	int directory = directory_length(s->path);

	/* Names without a path ("anon_inode:x") are no files. */
	if (!strchr(name, '/')) {
		s->error = -ENOENT;
		return;
	}
	try_debuglink(s);
	try_cache(s, ORIGIN_CACHE, "elf");
	try_cache(s, ORIGIN_CACHE_DEBUG, "debug");
	if (*name == '/') {
		try_format(s, ORIGIN_DEBUG_TREE, "%s/usr/lib/debug%s.debug", s->root, name);
		try_format(s, ORIGIN_DEBUG_TREE_BARE, "%s/usr/lib/debug%s", s->root, name);
	}
	try_build_id(s);
	if (!is_complete(s) && s->error >= 0)
		s->error = try_file(s, ORIGIN_FILE, s->path);
	try_format(s, ORIGIN_DEBUG_BESIDE, "%.*s/.debug/%s", directory, s->path,
		   s->path + directory + 1);
	try_running(s);
	try_packed(s);
	try_servers(s);
}

static struct search search_begin(struct image *im)
{
	const struct symbolizer_options *o = symbolizer_options(im->symbolizer);
	const char *root = o->symfs ? o->symfs : "";
	char *inner = o->symfs ? NULL : process_path(im->pid, im->name);

	return (struct search){
		.image = im,
		.options = o,
		.root = root,
		.path = inner ? inner : xasprintf("%s%s", root, im->name),
		.id = im->build_id,
	};
}

int image_open_user(struct image *im, struct elf_file **ret)
{
	_cleanup_(search_done) struct search s = search_begin(im);

	s.only_code = true;
	find_files(&s);
	if (!s.runtime)
		return s.error < 0 ? s.error : -ENODATA;
	*ret = TAKE(s.runtime);
	return 0;
}

static bool is_deleted(const char *name)
{
	static const char mark[] = " (deleted)";
	size_t n = strlen(name), end = strlen(mark);

	return n > end && !strcmp(name + n - end, mark);
}

static enum image_missing why_nothing(const struct image *im, int error)
{
	if (error != -ENOENT)
		return image_missing_from(error);
	if (im->mount_ns)
		return IMAGE_ELSEWHERE;
	return is_deleted(im->name) ? IMAGE_DELETED : IMAGE_NO_FILE;
}

void image_load_user(struct image *im)
{
	_cleanup_(search_done) struct search s = search_begin(im);

	find_files(&s);
	if (!s.runtime && !s.symbols) {
		im->missing = why_nothing(im, s.error < 0 ? s.error : -ENODATA);
		return;
	}
	if (!im->build_id.size)
		im->build_id = s.id;

	struct elf_file *runtime = s.runtime ? s.runtime : s.symbols;

	im->only_public = !s.symbols;
	im->origin = s.symbols ? s.symbols_origin : s.runtime_origin;
	im->missing = image_missing_from(
		elf_load_by_offset(s.symbols ? s.symbols : runtime, runtime, &im->own));
	im->symbols = &im->own;
}
