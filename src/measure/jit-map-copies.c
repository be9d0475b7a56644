/* SPDX-License-Identifier: MIT */
#include "measure/jit-map-copies.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/output-file.h"
#include "kernel/kept-files.h"

#define CHUNK_BYTES 65536

void jit_map_copies_done(struct jit_map_copies *c)
{
	free(c->items);
	*c = (struct jit_map_copies){ 0 };
}

/* Copies the first @size bytes, or fewer if the file has become shorter. */
static int jit_map_copy_bytes(int from, struct output_file *to, uint64_t size, uint64_t *ret)
{
	_cleanup_(freep) char *chunk = xmalloc(CHUNK_BYTES);
	uint64_t at = 0;

	while (at < size) {
		size_t most = size - at < CHUNK_BYTES ? (size_t)(size - at) : CHUNK_BYTES;
		ssize_t n = pread(from, chunk, most, (off_t)at);
		int r = n < 0 ? -errno : output_file_write(to, chunk, (size_t)n);

		if (r < 0 && r != -EINTR)
			return r;
		if (!n)
			break;
		at += n > 0 ? (uint64_t)n : 0;
	}
	*ret = at;
	return 0;
}

/* Returns the mode of the copy: users who could not read the map cannot read the copy either. */
static mode_t jit_map_copy_mode(const struct stat *st)
{
	return 0600 | (st->st_mode & 0044);
}

int jit_map_copy(int from, const char *path, uint64_t bytes_max, uint64_t *ret)
{
	_cleanup_(output_file_done) struct output_file to = OUTPUT_FILE_NONE;
	_cleanup_(diag_done) struct diag ignored = { 0 };
	uint64_t size;
	struct stat st;
	int r;

	if (fstat(from, &st) < 0)
		return -errno;
	if ((uint64_t)st.st_size > bytes_max)
		return -EFBIG;
	r = output_file_begin(&to, path, 0, jit_map_copy_mode(&st), &ignored);
	if (r >= 0)
		r = jit_map_copy_bytes(from, &to, (uint64_t)st.st_size, &size);
	if (r >= 0)
		r = output_file_commit_own(&to, false);
	if (r < 0)
		return r;
	*ret = size;
	return 0;
}

static struct jit_map_copy *jit_map_copies_get(struct jit_map_copies *c, int pid)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->items[i].pid == pid)
			return &c->items[i];

	struct jit_map_copy *copy = ARRAY_ADD(c);

	*copy = (struct jit_map_copy){ .pid = pid };
	return copy;
}

static uint64_t jit_map_copies_bytes(const struct jit_map_copies *c)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < c->n; i++)
		sum += c->items[i].size;
	return sum;
}

void jit_map_copies_add(struct jit_map_copies *c, struct kept_files *kept, int pid)
{
	_cleanup_(freep) char *path = xasprintf("/tmp/perf-%d.map", pid);
	int from = kept_files_find_jit_map(kept, pid);
	struct jit_map_copy *copy;
	uint64_t others;

	if (from < 0)
		return;
	copy = jit_map_copies_get(c, pid);
	others = jit_map_copies_bytes(c) - copy->size;
	copy->error = jit_map_copy(from, path, JIT_MAP_COPIES_BYTES - others, &copy->size);
}

static void jit_map_copies_tell_copied(const struct jit_map_copies *c, struct notes *notes)
{
	int pid = 0;
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		if (!c->items[i].error) {
			pid = c->items[i].pid;
			n++;
		}
	if (n == 1)
		notes_add(notes, NOTE_STATUS,
			  "[ perf record: Copied the map of JIT code of a container's process to "
			  "/tmp/perf-%d.map ]",
			  pid);
	else if (n)
		notes_add(notes, NOTE_STATUS,
			  "[ perf record: Copied the maps of JIT code of %zu processes in "
			  "containers to /tmp/perf-PID.map ]",
			  n);
}

static const char *jit_map_copy_reason(const struct jit_map_copy *c)
{
	if (c->error == -EEXIST)
		return "a file of another user, or no regular file, has that name";
	if (c->error == -EFBIG)
		return "only 128 MB are copied for a recording";
	return strerror(-c->error);
}

static void jit_map_copies_tell_failed(const struct jit_map_copies *c, struct notes *notes)
{
	const struct jit_map_copy *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		if (c->items[i].error) {
			first = n++ ? first : &c->items[i];
		}
	if (!n)
		return;
	notes_add(notes, NOTE_WARNING,
		  "JIT code of %zu process%s in containers will have no names once they have "
		  "ended: the map could not be copied to '/tmp/perf-%d.map': %s",
		  n, n == 1 ? "" : "es", first->pid, jit_map_copy_reason(first));
}

void jit_map_copies_tell(const struct jit_map_copies *c, struct kept_files *kept, struct notes *n)
{
	size_t let_go = kept ? kept_files_jit_maps_let_go(kept) : 0;

	jit_map_copies_tell_copied(c, n);
	jit_map_copies_tell_failed(c, n);
	if (let_go)
		notes_add(
			n, NOTE_WARNING,
			"the maps of JIT code of %zu processes in containers were let go, as only "
			"some are held open: their code may have no names",
			let_go);
}
