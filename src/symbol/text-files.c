/* SPDX-License-Identifier: MIT */
#include "symbol/text-files.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/input-file.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/u64-map.h"

/* A bound on memory: generated code has a few megabytes. */
#define FILE_SIZE_MAX (64u << 20)

struct text_file {
	char *text; /* NULL: it cannot be read */
	size_t size;
	size_t *starts; /* starts of the lines, and the end of the last */
	uint32_t n;
};

struct text_files {
	struct text_files_options options;
	pthread_mutex_t lock;
	struct intern names;
	struct u64_map by_name;
};

struct text_files *text_files_new(const struct text_files_options *o)
{
	struct text_files *s = xcalloc(1, sizeof(*s));

	s->options = *o;
	pthread_mutex_init(&s->lock, NULL);
	return s;
}

static void free_file(void *arg, uint64_t key, void *value)
{
	struct text_file *f = value;

	(void)arg, (void)key;
	free(f->text);
	free(f->starts);
	free(f);
}

void text_files_free(struct text_files *s)
{
	if (!s)
		return;
	u64_map_for_each(&s->by_name, free_file, NULL);
	u64_map_done(&s->by_name);
	intern_done(&s->names);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* Returns the path to read: "/build/a/b.c" becomes "PREFIX/b.c" if two directories are stripped. */
static char *text_files_place_of(const struct text_files_options *o, const char *path)
{
	const char *rest = path;

	if (!o->prefix || *path != '/')
		return xstrdup(path);
	for (size_t i = 0; i < o->strip && *rest; i++) {
		const char *next = strchr(rest + 1, '/');

		if (!next)
			break;
		rest = next;
	}
	return xasprintf("%s%s", o->prefix, rest);
}

/* Reads a file, whose name comes from the image and is untrusted. */
static int text_files_read_text(const char *path, struct text_file *f)
{
	_cleanup_(closep) int fd = input_file_open(path);

	if (fd < 0)
		return fd;
	return file_read_fd(fd, FILE_SIZE_MAX, &f->text, &f->size);
}

static void text_files_find_lines(struct text_file *f)
{
	struct {
		size_t *items, n, room;
	} starts = { 0 };

	for (size_t at = 0; at < f->size;) {
		const char *end = memchr(f->text + at, '\n', f->size - at);

		*ARRAY_ADD(&starts) = at;
		at = end ? (size_t)(end - f->text) + 1 : f->size;
	}
	f->n = (uint32_t)starts.n;
	*ARRAY_ADD(&starts) = f->size;
	f->starts = starts.items;
}

static struct text_file *text_files_load(const struct text_files *s, const char *path)
{
	struct text_file *f = xcalloc(1, sizeof(*f));
	_cleanup_(freep) char *place = text_files_place_of(&s->options, path);

	if (text_files_read_text(place, f) >= 0)
		text_files_find_lines(f);
	return f;
}

const struct text_file *text_files_find(struct text_files *s, const char *path)
{
	struct text_file *f;
	const char *name;

	pthread_mutex_lock(&s->lock);
	name = intern_text(&s->names, path);
	f = u64_map_find(&s->by_name, (uintptr_t)name);
	if (!f) {
		f = text_files_load(s, path);
		u64_map_put(&s->by_name, (uintptr_t)name, f);
	}
	pthread_mutex_unlock(&s->lock);
	return f->text ? f : NULL;
}

uint32_t text_file_lines(const struct text_file *f)
{
	return f->n;
}

const char *text_file_line(const struct text_file *f, uint32_t number, size_t *ret_length)
{
	const char *line;
	size_t n;

	*ret_length = 0;
	if (!number || number > f->n)
		return "";
	line = f->text + f->starts[number - 1];
	n = f->starts[number] - f->starts[number - 1];
	while (n && (line[n - 1] == '\n' || line[n - 1] == '\r'))
		n--;
	*ret_length = n;
	return line;
}
