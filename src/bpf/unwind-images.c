/* SPDX-License-Identifier: MIT */
#include "bpf/unwind-images.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "base/memory.h"
#include "elf/file.h"
#include "kernel/mapped-file.h"
#include "kernel/proc-maps.h"
#include "kernel/vdso.h"
#include "runtime/runtime.h"
#include "runtime/thread-key.h"

/*
 * Images with at most this number of chunks are loaded completely, as far as the tables are quick
 * to make.
 */
#define CHUNKS_AT_ONCE ((64u << 20) / FLAT_CHUNK_SIZE)

/*
 * The fractions of the tables that one image, and all images of one user other than root, may use.
 */
#define IMAGE_PART 4
#define OWNER_PART 2

/*
 * The first rows are FLAT_CANNOT, for chunks without rows of their own. There are two because rows
 * come in pairs.
 */
#define ROWS_RESERVED 2

/*
 * The identity and state of a file; its owner can choose everything except the device and the
 * ctime.
 */
struct unwind_file {
	uint64_t dev, ino, size, mtime, mtime_ns, ctime, ctime_ns;
};

struct unwind_owner {
	uint64_t chunks;
};

struct unwind_image {
	struct unwind_file file;
	size_t n_rows;
	struct cfi_rules *rules;
	struct flat_range code; /* mapped parts seen so far, as offsets in the file */
	uint32_t first_chunk, n_chunks;
	bool is_wanted;    /* a part of it was requested */
	uint32_t n_filled; /* chunks that unwind_images_fill() has processed */
	uint64_t bias;     /* what is added to link addresses of code to get offsets in the file */
	struct runtime_image *runtime; /* the language's runtime that it is, or NULL */
	struct runtime_libc libc;      /* n_slots is 0: it is no C library */
};

static void unwind_images_image_free(struct unwind_image *im)
{
	cfi_rules_free(im->rules);
	runtime_image_free(im->runtime);
	free(im);
}

static void owner_free(void *arg, uint64_t key, void *value)
{
	(void)arg, (void)key;
	free(value);
}

void unwind_images_done(struct unwind_images *u)
{
	for (size_t i = 0; i < u->n; i++)
		unwind_images_image_free(u->items[i]);
	free(u->items);
	u64_map_for_each(&u->by_owner, owner_free, NULL);
	u64_map_done(&u->by_owner);
	u64_map_done(&u->by_file);
	flat_rules_done(&u->rules);
	flat_rows_done(&u->buffer);
}

const struct runtime_image *unwind_image_runtime(const struct unwind_image *im, uint64_t *ret_bias)
{
	*ret_bias = im->bias;
	return im->runtime;
}

const struct runtime_libc *unwind_image_libc(const struct unwind_image *im)
{
	return im->libc.n_slots ? &im->libc : NULL;
}

void unwind_image_chunks(const struct unwind_image *im, uint32_t *ret_first, uint32_t *ret_n)
{
	*ret_first = im->first_chunk;
	*ret_n = im->n_chunks;
}

/* Returns the end of the code in @file; @size if there is no table of sections. */
static uint64_t end_of_code(struct elf_file *file, uint64_t size)
{
	struct elf_section s;
	uint64_t end = 0;

	for (size_t i = 1; elf_file_section(file, i, &s); i++)
		if (s.flags & SHF_EXECINSTR && s.type != SHT_NOBITS && s.offset < size &&
		    s.size <= size - s.offset && end < s.offset + s.size)
			end = s.offset + s.size;
	return end ? end : size;
}

/* Returns the difference between offsets and link addresses of the code of @file. */
static uint64_t code_bias(struct elf_file *file)
{
	struct elf_section s;

	for (size_t i = 1; elf_file_section(file, i, &s); i++)
		if (s.flags & SHF_EXECINSTR && s.type != SHT_NOBITS)
			return s.offset - s.addr;
	return 0;
}

static struct unwind_owner *unwind_images_owner_of(struct unwind_images *u, uint32_t uid)
{
	struct unwind_owner *o = u64_map_find(&u->by_owner, uid);

	if (!o) {
		o = xcalloc(1, sizeof(*o));
		u64_map_put(&u->by_owner, uid, o);
	}
	return o;
}

/*
 * True if @n more chunks are within the share of @uid. A file of an ordinary user must not displace
 * the files that all others need: it may be sparse, and larger than all code of the machine.
 */
static bool takes_its_share(struct unwind_images *u, uint32_t uid, uint64_t n)
{
	size_t most = u->maps.chunks_max;

	return n <= most / IMAGE_PART &&
	       (!uid || unwind_images_owner_of(u, uid)->chunks + n <= most / OWNER_PART);
}

/*
 * Adds an image, and takes ownership of @file. NULL, and 0 or -ENOSPC in *@ret_error: there is no
 * space for its chunks.
 */
static struct unwind_image *unwind_image_add(struct unwind_images *u, uint64_t key, uint32_t uid,
					     struct elf_file *file, uint64_t size, int *ret_error)
{
	uint64_t n = (end_of_code(file, size) + FLAT_CHUNK_SIZE - 1) / FLAT_CHUNK_SIZE;
	struct unwind_image *im;

	if (!takes_its_share(u, uid, n) || n > u->maps.chunks_max - u->n_chunks) {
		*ret_error = takes_its_share(u, uid, n) ? -ENOSPC : 0;
		elf_file_free(file);
		return NULL;
	}
	unwind_images_owner_of(u, uid)->chunks += n;
	im = xcalloc(1, sizeof(*im));
	im->bias = code_bias(file);
	runtime_libc_read(file, &im->libc);
	im->rules = cfi_rules_new(file);
	im->runtime = runtime_image_new(file, im->rules);
	im->first_chunk = (uint32_t)u->n_chunks;
	im->n_chunks = (uint32_t)n;
	u->n_chunks += n;
	*ARRAY_ADD(u) = im;
	u64_map_put(&u->by_file, key, im);
	return im;
}

/* Finds the vdso, which has no file; our own serves for all processes. */
static struct unwind_image *find_vdso(struct unwind_images *u, int *ret_error)
{
	const uint64_t key = UINT64_MAX;
	struct unwind_image *im = u64_map_find(&u->by_file, key);
	struct elf_file *file;
	const void *bytes;
	size_t size;

	if (im || vdso_get(&bytes, &size) < 0 || elf_file_open_memory(bytes, size, &file) < 0)
		return im;
	return unwind_image_add(u, key, 0, file, size, ret_error);
}

/* Returns the identity of a file; a file that was written to since is a different one. */
static struct unwind_file unwind_images_file_of(const struct stat *st)
{
	return (struct unwind_file){
		.dev = (uint64_t)st->st_dev,
		.ino = (uint64_t)st->st_ino,
		.size = (uint64_t)st->st_size,
		.mtime = (uint64_t)st->st_mtim.tv_sec,
		.mtime_ns = (uint64_t)st->st_mtim.tv_nsec,
		.ctime = (uint64_t)st->st_ctim.tv_sec,
		.ctime_ns = (uint64_t)st->st_ctim.tv_nsec,
	};
}

static struct unwind_image *unwind_images_find_file(struct unwind_images *u, int fd, int *ret_error)
{
	_cleanup_(freep) char *path = xasprintf("/proc/self/fd/%d", fd);
	struct unwind_file id;
	struct unwind_image *im;
	struct elf_file *file;
	struct stat st;
	uint64_t key;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return NULL;
	id = unwind_images_file_of(&st);
	key = hash_bytes(hash_seed(), &id, sizeof(id));
	im = u64_map_find(&u->by_file, key);
	/*
	 * Two files with one hash cannot be made on purpose; rules of another file are never used.
	 */
	if (im)
		return memcmp(&im->file, &id, sizeof(id)) ? NULL : im;
	if (elf_file_open_mapped(path, &file) < 0)
		return NULL;
	im = unwind_image_add(u, key, st.st_uid, file, (uint64_t)st.st_size, ret_error);
	if (im)
		im->file = id;
	return im;
}

static struct unwind_image *bpf_unwind_images_find(struct unwind_images *u, int pid,
						   const struct proc_map *m, int *ret_error)
{
	_cleanup_(freep) char *name = xstrndup(m->name, m->name_length);
	const struct mapping mapping = {
		.pid = pid,
		.path = name,
		.start = m->start,
		.end = m->end,
		.file = { .maj = m->maj, .min = m->min, .ino = m->ino },
	};
	_cleanup_(closep) int fd = -1;

	*ret_error = 0;
	if (!strcmp(name, "[vdso]"))
		return find_vdso(u, ret_error);
	if (!m->ino || name[0] != '/')
		return NULL;
	fd = mapped_file_open(&mapping, NULL);
	return fd < 0 ? NULL : unwind_images_find_file(u, fd, ret_error);
}

struct unwind_image *unwind_images_find(struct unwind_images *u, int pid, const struct proc_map *m,
					int *ret_error)
{
	struct unwind_image *im = bpf_unwind_images_find(u, pid, m, ret_error);
	uint64_t end = m->pgoff + (m->end - m->start);

	if (!im)
		return NULL;
	if (im->code.start > m->pgoff || !im->code.end)
		im->code.start = m->pgoff;
	if (im->code.end < end)
		im->code.end = end;
	return im;
}

static struct unwind_image *image_of_chunk(const struct unwind_images *u, uint32_t chunk)
{
	size_t from = 0, to = u->n;

	while (from + 1 < to) {
		size_t middle = (from + to) / 2;

		if (u->items[middle]->first_chunk <= chunk)
			from = middle;
		else
			to = middle;
	}
	return from < u->n && chunk - u->items[from]->first_chunk < u->items[from]->n_chunks
		       ? u->items[from]
		       : NULL;
}

/* Publishes a table; it is valid for the program once its last word is set. */
static void unwind_images_publish(struct unwind_table *to, uint32_t first, size_t n)
{
	const struct unwind_table t = { first, (uint16_t)n, UNWIND_LOADED };
	uint64_t word;

	memcpy(&word, &t, sizeof(word));
	__atomic_store_n((uint64_t *)(void *)to, word, __ATOMIC_RELEASE);
}

/* Passes rules that are new to the kernel. */
static void tell_rules(struct unwind_images *u)
{
	size_t n = u->rules.n - u->n_told;

	if (n)
		memcpy(u->maps.rules + u->n_told, u->rules.items + u->n_told,
		       n * sizeof(u->rules.items[0]));
	u->n_told = u->rules.n;
}

static void unwind_chunk_refuse(struct unwind_images *u, uint32_t chunk, enum flat_table t)
{
	unwind_images_publish(&u->maps.chunks[chunk].tables[t], 0, 1);
}

static int bpf_unwind_images_load(struct unwind_images *u, struct unwind_image *im, uint32_t chunk,
				  enum flat_table t)
{
	struct unwind_table *to = &u->maps.chunks[chunk].tables[t];
	size_t first = u->n_rows ? u->n_rows : ROWS_RESERVED;

	if (to->state == UNWIND_LOADED)
		return 0;
	if (im->n_rows > u->maps.rows_max / OWNER_PART) {
		unwind_chunk_refuse(u, chunk, t);
		return 0;
	}
	flat_chunk_compile(im->rules, t, chunk - im->first_chunk, &im->code, &u->rules, &u->buffer);
	if (first > u->maps.rows_max || u->buffer.n > u->maps.rows_max - first)
		return -ENOSPC;
	memcpy(u->maps.rows + first, u->buffer.items, u->buffer.n * sizeof(u->buffer.items[0]));
	u->n_rows = first + u->buffer.n;
	im->n_rows += u->buffer.n;
	tell_rules(u);
	unwind_images_publish(to, (uint32_t)first, u->buffer.n);
	return 0;
}

/*
 * True if a table is quick to make. Tables made from instructions take long, so only those that are
 * requested are made.
 */
static bool is_quick(const struct unwind_image *im, enum flat_table t)
{
	const struct arch *a = cfi_rules_arch(im->rules);

	return t == FLAT_CALLERS || !a || !a->convention || !a->convention->code;
}

void unwind_images_want(struct unwind_images *u, uint32_t chunk)
{
	struct unwind_image *im = image_of_chunk(u, chunk);

	if (im && !im->is_wanted && im->n_chunks <= CHUNKS_AT_ONCE)
		u->n_wanted++;
	if (im)
		im->is_wanted = true;
}

int unwind_images_load(struct unwind_images *u, uint32_t chunk, enum flat_table t)
{
	struct unwind_image *im = image_of_chunk(u, chunk);

	if (!im || t >= FLAT_TABLES)
		return 0;
	unwind_images_want(u, chunk);
	return bpf_unwind_images_load(u, im, chunk, t);
}

void unwind_images_refuse(struct unwind_images *u, uint32_t chunk, enum flat_table t)
{
	if (image_of_chunk(u, chunk) && t < FLAT_TABLES &&
	    u->maps.chunks[chunk].tables[t].state != UNWIND_LOADED)
		unwind_chunk_refuse(u, chunk, t);
}

/* Loads the quick tables of the next chunk of @im that has code. */
static int bpf_unwind_images_fill(struct unwind_images *u, struct unwind_image *im)
{
	uint32_t nth = im->n_filled++;
	uint64_t start = (uint64_t)nth * FLAT_CHUNK_SIZE;
	int r = 0;

	if (im->n_filled == im->n_chunks)
		u->n_wanted--;
	if (start >= im->code.end || start + FLAT_CHUNK_SIZE <= im->code.start)
		return 0;
	for (int k = 0; k < FLAT_TABLES && r >= 0; k++)
		if (is_quick(im, (enum flat_table)k))
			r = bpf_unwind_images_load(u, im, im->first_chunk + nth,
						   (enum flat_table)k);
	return r;
}

int unwind_images_fill(struct unwind_images *u)
{
	for (size_t i = 0; i < u->n && u->n_wanted; i++) {
		struct unwind_image *im = u->items[i];

		if (im->is_wanted && im->n_chunks <= CHUNKS_AT_ONCE &&
		    im->n_filled < im->n_chunks) {
			int r = bpf_unwind_images_fill(u, im);

			return r < 0 ? r : 1;
		}
	}
	return 0;
}

void unwind_images_empty(struct unwind_images *u)
{
	const struct unwind_memory_maps maps = u->maps;

	memset(maps.chunks, 0, u->n_chunks * sizeof(maps.chunks[0]));
	unwind_images_done(u);
	*u = (struct unwind_images){ .maps = maps };
}
