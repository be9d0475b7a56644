/* SPDX-License-Identifier: MIT */
#include "profile/profile-build-ids.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "datafile/reader.h"
#include "elf/build-id.h"
#include "wire/record.h"

void profile_build_ids_done(struct profile_build_ids *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->items[i].name);
	free(l->items);
}

static void profile_build_ids_add(struct profile_build_ids *l, const struct build_id *id,
				  const char *name)
{
	/*
	 * The search starts at the end, because the maps of one process name the same few files
	 * repeatedly.
	 */
	for (size_t i = l->n; i-- > 0;)
		if (build_id_equal(&l->items[i].id, id))
			return;
	if (!id->size)
		return;

	/* The kernel's map has the name of a symbol after its own: "[kernel.kallsyms]_text". */
	const char *end = *name == '[' ? strchr(name, ']') : NULL;

	*ARRAY_ADD(l) = (struct profile_build_id){ *id,
						   end ? xstrndup(name, (size_t)(end + 1 - name))
						       : xstrdup(name) };
}

static int read_records(struct datafile *df, struct profile_build_ids *l, struct diag *diag)
{
	struct raw_record raw;
	struct record rec;
	int r;

	while ((r = datafile_next(df, &raw, diag)) > 0) {
		datafile_release(df, raw.position);
		if (raw.header.type != PERF_RECORD_MMAP2 ||
		    record_decode(raw.bytes, raw.header.size, datafile_swapped(df), NULL, &rec) < 0)
			continue;
		if (rec.header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
			profile_build_ids_add(l, &rec.mmap.build_id, rec.mmap.filename);
	}
	return r;
}

int profile_build_ids_read(const char *path, bool force, struct profile_build_ids *ret,
			   struct diag *diag)
{
	_cleanup_(datafile_freep) struct datafile *df = NULL;
	_cleanup_(profile_build_ids_done) struct profile_build_ids l = { 0 };
	int r = datafile_open(path, force, &df, diag);

	if (r < 0)
		return r;

	const struct features *f = datafile_features(df);

	if (!f->build_ids.n) {
		r = read_records(df, &l, diag);
		if (r < 0)
			return r;
	}
	for (size_t i = 0; i < f->build_ids.n; i++)
		profile_build_ids_add(&l, &f->build_ids.items[i].build_id,
				      f->build_ids.items[i].filename);
	*ret = l;
	l = (struct profile_build_ids){ 0 };
	return 0;
}
