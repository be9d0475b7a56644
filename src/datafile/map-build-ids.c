/* SPDX-License-Identifier: MIT */
#include "datafile/map-build-ids.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "datafile/reader.h"

static bool has_namesakes(const struct features *f)
{
	for (size_t i = 0; i < f->build_ids.n; i++)
		if (f->build_ids.items[i].file.ino)
			return true;
	return false;
}

static const struct build_id_entry *map_build_ids_entry_of(const struct features *f,
							   const struct record_mmap *m)
{
	const struct file_id file = { m->maj, m->min, m->ino, m->ino_generation };

	for (size_t i = 0; i < f->build_ids.n && m->ino; i++) {
		const struct build_id_entry *e = &f->build_ids.items[i];

		if (e->file.ino && !file_id_differs(&e->file, &file) &&
		    !strcmp(e->filename, m->filename))
			return e;
	}
	return NULL;
}

/* Records are in our byte order, because we have just written them. */
static int map_build_ids_change(int fd, const struct raw_record *raw, const struct build_id *id)
{
	const struct record_header h = { raw->header.type,
					 raw->header.misc | PERF_RECORD_MISC_MMAP_BUILD_ID,
					 raw->header.size };
	const size_t at = RECORD_HEADER_SIZE + 2 * sizeof(uint32_t) + 3 * sizeof(uint64_t);
	uint8_t place[4 + BUILD_ID_SIZE_MAX] = { id->size };

	int r;

	memcpy(place + 4, id->bytes, sizeof(id->bytes));
	r = file_write_at(fd, place, sizeof(place), (off_t)(raw->offset + at));
	return r < 0 ? r : file_write_at(fd, &h, sizeof(h), (off_t)raw->offset);
}

static int map_build_ids_change_all(struct datafile *df, int fd, const struct features *f,
				    struct diag *diag)
{
	const struct build_id_entry *e;
	struct raw_record raw;
	struct record rec;
	int r, n = 0;

	while ((r = datafile_next(df, &raw, diag)) > 0) {
		datafile_release(df, raw.position);
		if (raw.header.type != PERF_RECORD_MMAP2 || raw.part || raw.decompressed ||
		    record_decode(raw.bytes, raw.header.size, false, NULL, &rec) < 0 ||
		    (rec.header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID))
			continue;
		e = map_build_ids_entry_of(f, &rec.mmap);
		r = e ? map_build_ids_change(fd, &raw, &e->build_id) : 0;
		if (r < 0)
			return diag_set(diag, r, "cannot write build-ids: %s", strerror(-r));
		n += e != NULL;
	}
	return r < 0 ? r : n;
}

int map_build_ids_write(const char *path, const struct features *f, struct diag *diag)
{
	_cleanup_(datafile_freep) struct datafile *df = NULL;
	_cleanup_(closep) int fd = -1;
	int r;

	if (!has_namesakes(f))
		return 0;
	r = datafile_open(path, true, &df, diag);
	if (r < 0)
		return r;
	fd = open(path, O_WRONLY | O_CLOEXEC);
	/* The records of a directory are in its parts. */
	if (fd < 0 && errno == EISDIR)
		return 0;
	if (fd < 0)
		return diag_set(diag, -errno, "cannot open '%s': %s", path, strerror(errno));
	return map_build_ids_change_all(df, fd, f, diag);
}
