/* SPDX-License-Identifier: MIT */
/*
 * Loads programs and libraries. Two files are searched: the one that ran, for its layout, and the
 * one with the most symbols, or with DWARF, which may be a separate debug file. Both are checked by
 * build-id if it is known, so that a file that was replaced since gives no wrong names.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sealed-file.h"
#include "dwarf/file.h"
#include "elf/debug-link.h"
#include "elf/symbols.h"
#include "kernel/process-files.h"
#include "symbol/buildid/cache.h"
#include "symbol/elf-load.h"
#include "symbol/image.h"
#include "symbol/kept-symbols.h"

/* The kind of file that is searched besides the file that ran. */
enum search_for {
	SEARCH_SYMBOLS,
	SEARCH_DWARF,
	SEARCH_NOTHING,
};

struct load_user_search {
	struct image *image;
	const struct symbolizer_options *options;
	const char *root; /* symfs, or "" */
	char *path;       /* the image's path, below symfs or in a container; NULL: none */
	struct build_id id;
	enum search_for wanted;
	struct elf_file *runtime, *rest; /* may be the same file */
	enum image_origin runtime_origin, rest_origin;
	char *rest_path;
	int error; /* the error of opening the image's own path */
};

static void load_user_search_done(struct load_user_search *s)
{
	if (s->rest != s->runtime)
		elf_file_free(s->rest);
	elf_file_free(s->runtime);
	free(s->path);
	free(s->rest_path);
}

static bool has_rest(const struct load_user_search *s, struct elf_file *f)
{
	switch (s->wanted) {
	case SEARCH_SYMBOLS:
		return elf_has_symtab(f);
	case SEARCH_DWARF:
		return elf_has_dwarf(f);
	default:
		return false;
	}
}

/* Keeps @f, whose path is @path, if it is needed. */
static void load_user_consider(struct load_user_search *s, struct elf_file *f,
			       enum image_origin origin, const char *path)
{
	bool wanted = false;

	if (!s->rest && has_rest(s, f)) {
		s->rest = f;
		s->rest_origin = origin;
		s->rest_path = xstrdup(path);
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

static bool load_user_is_complete(const struct load_user_search *s)
{
	return s->runtime && (s->rest || s->wanted == SEARCH_NOTHING);
}

/*
 * Opens a file. DWARF files are mapped, because little of them is read; most of other files is
 * read.
 */
static int load_user_open_file(const struct load_user_search *s, const char *path,
			       struct elf_file **ret)
{
	return s->wanted == SEARCH_DWARF ? elf_file_open_mapped(path, ret)
					 : elf_file_open(path, ret);
}

/* Checks that @f is the recorded file. -ENODATA: the file or the recording has no build-id. */
static int check_id(const struct load_user_search *s, struct elf_file *f)
{
	struct build_id id;

	if (!s->id.size || elf_file_build_id(f, &id) < 0)
		return -ENODATA;
	return build_id_equal(&id, &s->id) ? 0 : -ESTALE;
}

/* Opens @path and keeps it if it is the build that was recorded. */
static int try_file(struct load_user_search *s, enum image_origin origin, const char *path)
{
	struct elf_file *f;
	int r = load_user_open_file(s, path, &f);

	if (r < 0)
		return r;
	if (check_id(s, f) == -ESTALE) {
		elf_file_free(f);
		return -ESTALE;
	}
	load_user_consider(s, f, origin, path);
	return 0;
}

static void try_format(struct load_user_search *s, enum image_origin origin, const char *format,
		       ...) __attribute__((format(printf, 3, 4)));

static void try_format(struct load_user_search *s, enum image_origin origin, const char *format,
		       ...)
{
	va_list ap;

	if (load_user_is_complete(s))
		return;
	va_start(ap, format);

	_cleanup_(freep) char *path = xvasprintf(format, ap);

	va_end(ap);
	try_file(s, origin, path);
}

/* Returns the length of the directory part of the image's path, in characters. */
static int directory_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (int)(slash - path) : 0;
}

/*
 * Tries the linked debug file. A file of that name may be of another build: without build-ids the
 * checksum decides.
 */
static void try_linked(struct load_user_search *s, const char *directory, int length,
		       const char *below, const struct debug_link *link)
{
	_cleanup_(freep) char *path = xasprintf("%.*s/%s%s", length, directory, below, link->name);
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;

	if (load_user_is_complete(s) || load_user_open_file(s, path, &f) < 0)
		return;

	int r = check_id(s, f);

	if (r == 0 || (r == -ENODATA && debug_link_is_of(path, link->crc)))
		load_user_consider(s, TAKE(f), ORIGIN_DEBUG_LINK, path);
}

static void try_debuglink(struct load_user_search *s)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	struct debug_link link;

	s->error = elf_file_open(s->path, &f);
	if (s->error < 0)
		return;
	/* Without a recorded build-id, the current file is used. */
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

static void try_cache(struct load_user_search *s, enum image_origin origin, const char *file)
{
	if (!s->options->buildid_dir || !s->id.size || load_user_is_complete(s))
		return;

	_cleanup_(freep) char *path = buildid_cache_find(s->options->buildid_dir, &s->id, file);

	if (path)
		try_file(s, origin, path);
}

static void try_build_id(struct load_user_search *s)
{
	_cleanup_(freep) char *path = image_debug_path(s->image, &s->id);

	if (path && !load_user_is_complete(s))
		try_file(s, ORIGIN_BUILD_ID, path);
}

/* Tries processes: a file that was replaced can still be read through a process that runs it. */
static void try_running(struct load_user_search *s)
{
	const struct image *im = s->image;
	int pid = (int)im->pid;

	if (s->runtime || !s->id.size || pid <= 0 || s->options->symfs)
		return;
	try_format(s, ORIGIN_FILE, "/proc/%d/exe", pid);
	if (!s->runtime && im->map_end)
		try_format(s, ORIGIN_FILE, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid,
			   im->map_start, im->map_end);
	if (!s->runtime)
		try_format(s, ORIGIN_FILE, "/proc/%d/root%s", pid, im->name);
}

/* Tries the symbols in the file's own .gnu_debugdata. */
static void try_packed(struct load_user_search *s)
{
	struct elf_file *f;

	if (s->wanted == SEARCH_SYMBOLS && s->runtime && !load_user_is_complete(s) &&
	    elf_debug_data(s->runtime, &f) >= 0)
		load_user_consider(s, f, s->runtime_origin, s->path);
}

/* Tries the servers. This comes last, because it takes time. */
static void try_servers(struct load_user_search *s)
{
	if (load_user_is_complete(s) || !s->id.size)
		return;

	_cleanup_(freep) char *program = NULL, *debug = NULL;

	if (!s->runtime)
		program = image_fetch_program(s->image, &s->id);
	if (program)
		try_file(s, ORIGIN_CACHE, program);
	if (!s->rest && s->wanted != SEARCH_NOTHING)
		debug = image_fetch_debug_file(s->image, &s->id);
	if (debug)
		try_file(s, ORIGIN_CACHE_DEBUG, debug);
}

static void load_user_find_files(struct load_user_search *s)
{
	const char *name = s->image->name;
	int directory;

	/* Names without a path ("anon_inode:x") are not files. */
	if (!strchr(name, '/'))
		s->error = -ENOENT;
	if (s->error < 0)
		return;
	directory = directory_length(s->path);
	try_debuglink(s);
	try_cache(s, ORIGIN_CACHE, "elf");
	try_cache(s, ORIGIN_CACHE_DEBUG, "debug");
	if (*name == '/') {
		try_format(s, ORIGIN_DEBUG_TREE, "%s/usr/lib/debug%s.debug", s->root, name);
		try_format(s, ORIGIN_DEBUG_TREE_BARE, "%s/usr/lib/debug%s", s->root, name);
	}
	try_build_id(s);
	if (!load_user_is_complete(s) && s->error >= 0)
		s->error = try_file(s, ORIGIN_FILE, s->path);
	try_format(s, ORIGIN_DEBUG_BESIDE, "%.*s/.debug/%s", directory, s->path,
		   s->path + directory + 1);
	try_running(s);
	try_packed(s);
	try_servers(s);
}

static struct load_user_search search_begin(struct image *im, enum search_for wanted)
{
	const struct symbolizer_options *o = symbolizer_options(im->symbolizer);
	struct load_user_search s = {
		.image = im,
		.options = o,
		.root = o->symfs ? o->symfs : "",
		.id = im->build_id,
		.wanted = wanted,
	};

	/* A file with the wrong inode may still have the right build-id. */
	s.error = image_file_path(im, &s.path);
	if (s.error < 0 && s.id.size) {
		s.path = xasprintf("%s%s", s.root, im->name);
		s.error = 0;
	}
	return s;
}

int image_open_user(struct image *im, struct elf_file **ret)
{
	_cleanup_(load_user_search_done) struct load_user_search s = search_begin(im,
										  SEARCH_NOTHING);

	load_user_find_files(&s);
	if (!s.runtime)
		return s.error < 0 ? s.error : -ENODATA;
	*ret = TAKE(s.runtime);
	return 0;
}

/* If the file that ran is gone, its debug file has the layout too. */
int image_find_dwarf_user(struct image *im, struct dwarf_place *ret)
{
	/* Interpreted functions that are recorded now are in no file. */
	if (im->runtime)
		return -ENODATA;

	_cleanup_(load_user_search_done) struct load_user_search s = search_begin(im, SEARCH_DWARF);

	load_user_find_files(&s);
	if (!s.rest)
		return -ENODATA;
	*ret = (struct dwarf_place){
		.dwarf = s.rest,
		.code = s.runtime == s.rest ? NULL : s.runtime,
		.path = TAKE(s.rest_path),
		.by_offset = true,
	};
	s.runtime = s.rest = NULL;
	return 0;
}

static bool load_user_is_deleted(const char *name)
{
	static const char mark[] = " (deleted)";
	size_t n = strlen(name), end = strlen(mark);

	return n > end && !strcmp(name + n - end, mark);
}

static enum image_missing why_nothing(const struct image *im, int error)
{
	if (error == -ESTALE && !im->build_id.size)
		return IMAGE_REPLACED;
	if (error != -ENOENT)
		return image_missing_from(error);
	if (im->mount_ns)
		return IMAGE_ELSEWHERE;
	return load_user_is_deleted(im->name) ? IMAGE_DELETED : IMAGE_NO_FILE;
}

/*
 * Returns the identity of both files, and of the rules by which names compete; 0: they are not
 * files.
 */
static uint64_t load_user_identity_of(const struct load_user_search *s, struct elf_file *symbols,
				      struct elf_file *runtime)
{
	uint64_t a = elf_file_identity(symbols), b = elf_file_identity(runtime);

	if (!a || !b)
		return 0;
	return sealed_identity(sealed_identity(a, b), image_pretty(s->image) != NULL);
}

/*
 * Loads the symbols of both files: those that were kept, or else reads them and keeps them for the
 * next time.
 */
static int load_symbols(struct load_user_search *s, struct symbol_table *t)
{
	struct elf_file *runtime = s->runtime ? s->runtime : s->rest;
	struct elf_file *symbols = s->rest ? s->rest : runtime;
	uint64_t identity = load_user_identity_of(s, symbols, runtime);
	_cleanup_(freep) char *kept =
		identity ? buildid_cache_kept_path(symbolizer_kept_dir(s->image->symbolizer),
						   &s->id, BUILDID_KEPT_SYMBOLS)
			 : NULL;

	if (kept && kept_symbols_open(kept, identity, t) >= 0)
		return 0;

	int r = elf_load_by_offset(symbols, runtime, t);

	if (r >= 0 && kept)
		(void)kept_symbols_write(kept, identity, t);
	return r;
}

void image_load_user(struct image *im)
{
	_cleanup_(load_user_search_done) struct load_user_search s = search_begin(im,
										  SEARCH_SYMBOLS);

	load_user_find_files(&s);
	if (!s.runtime && !s.rest) {
		im->missing = why_nothing(im, s.error < 0 ? s.error : -ENODATA);
		return;
	}
	if (!im->build_id.size)
		im->build_id = s.id;

	im->only_public = !s.rest;
	im->origin = s.rest ? s.rest_origin : s.runtime_origin;
	im->missing = image_missing_from(load_symbols(&s, &im->own));
	im->symbols = &im->own;
}
