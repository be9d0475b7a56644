/* SPDX-License-Identifier: MIT */
#include "base/sealed-file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/guarded-map.h"
#include "base/memory.h"
#include "base/output-file.h"

/* In another byte order it is another number. */
#define MAGIC UINT64_C(0x646c736672706c31)

/* The symbols or lines of any program take less. */
#define SIZE_LIMIT (UINT64_C(512) << 20)

#define MONTH_S (30 * 24 * 3600)

struct sealed_file_header {
	uint64_t magic, kind, identity;
	uint64_t size; /* size of the data after the header */
	uint64_t checksum;
};

_Static_assert(sizeof(struct sealed_file_header) == SEALED_HEADER_SIZE,
	       "sealed-file.h has its size");

static uint64_t sealed_file_mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

uint64_t sealed_identity(uint64_t so_far, uint64_t next)
{
	uint64_t h = sealed_file_mix(sealed_file_mix(so_far, next), UINT64_C(0x5bd1e995));

	return h ? h : 1;
}

/* Computes four sums side by side, because each waits for its multiplication. */
static uint64_t sealed_file_checksum(const uint8_t *bytes, size_t n)
{
	uint64_t lanes[4] = { 1, 2, 3, 4 }, words[4], h = n;
	size_t rest = n % sizeof(words);

	for (const uint8_t *end = bytes + (n - rest); bytes < end; bytes += sizeof(words)) {
		memcpy(words, bytes, sizeof(words));
		for (size_t i = 0; i < 4; i++)
			lanes[i] = sealed_file_mix(lanes[i], words[i]);
	}
	memset(words, 0, sizeof(words));
	if (rest)
		memcpy(words, bytes, rest);
	for (size_t i = 0; i < 4; i++)
		h = sealed_file_mix(h, sealed_file_mix(lanes[i], words[i]));
	return h;
}

void sealed_file_seal(void *header, uint64_t kind, uint64_t identity, size_t size)
{
	struct sealed_file_header h = { MAGIC, kind, identity, size, 0 };

	h.checksum = sealed_file_checksum((const uint8_t *)header + sizeof(h), size);
	memcpy(header, &h, sizeof(h));
}

void sealed_file_done(struct sealed_file *f)
{
	guarded_map_free(f->map);
	*f = (struct sealed_file){ 0 };
}

static int sealed_file_check(const struct sealed_file_header *h, uint64_t size, uint64_t kind,
			     uint64_t identity)
{
	if (h->magic != MAGIC || h->kind != kind || h->size != size - sizeof(*h))
		return -EBADMSG;
	if (h->identity != identity)
		return -ESTALE;
	return sealed_file_checksum((const uint8_t *)(h + 1), h->size) == h->checksum ? 0
										      : -EBADMSG;
}

/*
 * Checks the owner: a file of another user may contain anything, and may change while it is in use.
 */
static int sealed_file_check_owner(const struct stat *st)
{
	if (!S_ISREG(st->st_mode) || (uint64_t)st->st_size < sizeof(struct sealed_file_header) ||
	    (uint64_t)st->st_size > SIZE_LIMIT)
		return -EBADMSG;
	return st->st_uid == geteuid() || st->st_uid == 0 ? 0 : -EPERM;
}

int sealed_file_open(const char *path, uint64_t kind, uint64_t identity, struct sealed_file *ret)
{
	_cleanup_(closep) int fd = open(path,
					O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	_cleanup_(guarded_map_freep) struct guarded_map *map = NULL;
	struct stat st;
	int r;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	r = sealed_file_check_owner(&st);
	if (r >= 0)
		r = guarded_map_new(fd, (uint64_t)st.st_size, &map);
	if (r < 0)
		return r;

	const struct sealed_file_header *h = (const void *)guarded_map_bytes(map);

	r = sealed_file_check(h, (uint64_t)st.st_size, kind, identity);
	if (r < 0)
		return r;
	/* Most of the bytes that were checksummed are never read. */
	guarded_map_drop(map, 0, (uint64_t)st.st_size);
	*ret = (struct sealed_file){ .bytes = h + 1, .size = h->size };
	ret->map = TAKE(map);
	return 0;
}

/* True if @name in @dir begins like our files and is older than a month. */
static bool is_forgotten(DIR *dir, const char *name)
{
	_cleanup_(closep) int fd =
		openat(dirfd(dir), name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	uint64_t magic = 0;
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_mtim.tv_sec < time(NULL) - MONTH_S &&
	       read(fd, &magic, sizeof(magic)) == sizeof(magic) && magic == MAGIC;
}

static void sealed_file_forget_old(const char *folder)
{
	_cleanup_(closedirp) DIR *dir = opendir(folder);
	const struct dirent *d;

	while (dir && (d = readdir(dir)))
		if (d->d_type == DT_REG && is_forgotten(dir, d->d_name))
			unlinkat(dirfd(dir), d->d_name, 0);
}

int sealed_file_write(const char *path, uint64_t kind, uint64_t identity, const void *bytes,
		      size_t size)
{
	_cleanup_(freep) char *folder = xstrdup(path);
	_cleanup_(freep) char *whole = NULL;
	int r;

	if (size > SIZE_LIMIT - sizeof(struct sealed_file_header))
		return -EFBIG;
	r = file_make_directories(dirname(folder));
	if (r < 0 && r != -EEXIST)
		return r;
	sealed_file_forget_old(folder);
	whole = xmalloc(sizeof(struct sealed_file_header) + size);
	if (size)
		memcpy(whole + sizeof(struct sealed_file_header), bytes, size);
	sealed_file_seal(whole, kind, identity, size);
	return output_file_replace(path, whole, sizeof(struct sealed_file_header) + size, 0644);
}
