/* SPDX-License-Identifier: MIT */
/*
 * Events, features, tracing data and build-ids of a stream, which come as records, because a stream
 * has no sections.
 */
#include <string.h>

#include "base/cursor.h"
#include "base/memory.h"
#include "datafile/datafile.h"

static void learn_event(struct datafile *df, const struct record_attr *a)
{
	struct file_event *e = datafile_event_add(df);

	e->attr = a->attr;
	e->ids = array_reserve(NULL, &e->ids_room, a->ids.n, sizeof(uint64_t));
	for (e->n_ids = 0; e->n_ids < a->ids.n; e->n_ids++)
		e->ids[e->n_ids] = words_get(&a->ids, e->n_ids);
}

static void learn_feature(struct datafile *df, uint64_t id, const void *payload, size_t size)
{
	struct cursor c = cursor_over(payload, size, df->header.swap);

	if (id >= FEATURE_MAX)
		return;
	df->facts.feature_bits[id / 64] |= UINT64_C(1) << (id % 64);
	if (features_decode(&df->features, (unsigned)id, c) < 0)
		damage_add(&df->damage, "its feature %s is damaged and left out",
			   feature_name((unsigned)id));
}

static void stream_learn_build_id(struct datafile *df, const struct record *r)
{
	struct build_id_entry *e = ARRAY_ADD(&df->features.build_ids);

	e->misc = r->header.misc;
	e->pid = r->build_id.pid;
	e->build_id = r->build_id.build_id;
	e->filename = xstrdup(r->build_id.filename);
	e->file = r->build_id.file;
	features_mark(&df->features, FEATURE_BUILD_ID);
}

void stream_learn(struct datafile *df, const struct raw_record *rec)
{
	struct record r;

	if (rec->position < df->learned || rec->header.type < PERF_RECORD_USER_FIRST)
		return;
	df->learned = rec->position + 1;
	switch (rec->header.type) {
	case PERF_RECORD_HEADER_ATTR:
	case PERF_RECORD_HEADER_FEATURE:
	case PERF_RECORD_HEADER_TRACING_DATA:
	case PERF_RECORD_HEADER_BUILD_ID:
		break;
	default:
		return;
	}
	if (record_decode(rec->bytes, rec->header.size, df->header.swap, NULL, &r) < 0)
		damage_add(&df->damage, "%s at 0x%llx is damaged",
			   record_type_name(rec->header.type), (unsigned long long)rec->offset);
	else if (rec->header.type == PERF_RECORD_HEADER_ATTR)
		learn_event(df, &r.attr);
	else if (rec->header.type == PERF_RECORD_HEADER_BUILD_ID)
		stream_learn_build_id(df, &r);
	else if (rec->header.type == PERF_RECORD_HEADER_FEATURE && r.feature.size)
		learn_feature(df, r.feature.id, r.feature.payload, r.feature.size);
	else if (rec->payload)
		learn_feature(df, FEATURE_TRACING_DATA, rec->payload, rec->payload_size);
}
