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
#include "elf/elf-symbols.h"
#include "symbol/buildid-cache.h"
#include "symbol/elf-load.h"
#include "symbol/image.h"

struct search {
	struct image *image;
	const struct symbolizer_options *options;
	char *path; /* of the image, below symfs */
	struct build_id id;
	bool only_code;                     /* symbols are not wanted */
	struct elf_file *runtime, *symbols; /* may be the same */
	int error;                          /* of the image's own path */
};

static void search_done(struct search *s)
{
	if (s->symbols != s->runtime)
		elf_file_free(s->symbols);
	elf_file_free(s->runtime);
	free(s->path);
}

/* Keeps @f if it is of use. */
static void consider(struct search *s, struct elf_file *f)
{
	bool wanted = false;

	if (!s->symbols && !s->only_code && elf_has_symtab(f)) {
		s->symbols = f;
		wanted = true;
	}
	if (!s->runtime && elf_file_has_code(f)) {
		s->runtime = f;
		wanted = true;
	}
	if (!wanted)
		elf_file_free(f);
}

static bool is_complete(const struct search *s)
{
	return s->runtime && (s->symbols || s->only_code);
}

/* Opens @path and keeps it if it is the build that was recorded. */
static int try_file(struct search *s, const char *path)
{
	struct elf_file *f;
	struct build_id id;
	int r = elf_file_open(path, &f);

	if (r < 0)
		return r;
	if (s->id.size && elf_file_build_id(f, &id) >= 0 && !build_id_equal(&id, &s->id)) {
		elf_file_free(f);
		return -ESTALE;
	}
	consider(s, f);
	return 0;
}

static void try_format(struct search *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void try_format(struct search *s, const char *format, ...)
{
	va_list ap;

	if (is_complete(s))
		return;
	va_start(ap, format);

	_cleanup_(freep) char *path = xvasprintf(format, ap);

	va_end(ap);
	try_file(s, path);
}

/* The directory part of the image's path, as the count of its characters. */
static int directory_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (int)(slash - path) : 0;
}

static void try_debuglink(struct search *s)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;

	s->error = elf_file_open(s->path, &f);
	if (s->error < 0)
		return;

	const char *link = elf_file_debuglink(f);
	int directory = directory_length(s->path), name = directory_length(s->image->name);
	const char *root = s->options->symfs ? s->options->symfs : "";

	/* Without an id in the profile it is whatever lies there now. */
	if (!s->id.size)
		elf_file_build_id(f, &s->id);
	if (!link)
		return;
	try_format(s, "%.*s/%s", directory, s->path, link);
	try_format(s, "%.*s/.debug/%s", directory, s->path, link);
	try_format(s, "%s/usr/lib/debug%.*s/%s", root, name, s->image->name, link);
}

static void try_cache(struct search *s, const char *file)
{
	if (!s->options->buildid_dir || !s->id.size || is_complete(s))
		return;

	_cleanup_(freep) char *path = buildid_cache_find(s->options->buildid_dir, &s->id, file);

	if (path)
		try_file(s, path);
}

static void try_build_id(struct search *s)
{
	char id[BUILD_ID_TEXT_MAX];

	if (s->id.size > 1)
		try_format(s, "%s/usr/lib/debug/.build-id/%.2s/%s.debug",
			   s->options->symfs ? s->options->symfs : "", build_id_format(&s->id, id),
			   id + 2);
}

static void find_files(struct search *s)
{
	const char *root = s->options->symfs ? s->options->symfs : "", *name = s->image->name;
	int directory = directory_length(s->path);

	/* Names without a path ("anon_inode:x") are no files. */
	if (!strchr(name, '/')) {
		s->error = -ENOENT;
		return;
	}
	try_debuglink(s);
	try_cache(s, "elf");
	try_cache(s, "debug");
	if (*name == '/') {
		try_format(s, "%s/usr/lib/debug%s.debug", root, name);
		try_format(s, "%s/usr/lib/debug%s", root, name);
	}
	try_build_id(s);
	if (!is_complete(s) && s->error >= 0)
		s->error = try_file(s, s->path);
	try_format(s, "%.*s/.debug/%s", directory, s->path, s->path + directory + 1);
}

static struct search search_begin(struct image *im)
{
	const struct symbolizer_options *o = symbolizer_options(im->symbolizer);

	return (struct search){
		.image = im,
		.options = o,
		.path = xasprintf("%s%s", o->symfs ? o->symfs : "", im->name),
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

void image_load_user(struct image *im)
{
	_cleanup_(search_done) struct search s = search_begin(im);

	find_files(&s);
	if (!s.runtime && !s.symbols) {
		im->missing = image_missing_from(s.error < 0 ? s.error : -ENODATA);
		return;
	}
	if (!im->build_id.size)
		im->build_id = s.id;

	struct elf_file *runtime = s.runtime ? s.runtime : s.symbols;

	im->missing = image_missing_from(
		elf_load_by_offset(s.symbols ? s.symbols : runtime, runtime, &im->own));
	im->symbols = &im->own;
}
