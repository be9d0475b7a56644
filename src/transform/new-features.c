/* SPDX-License-Identifier: MIT */
#include "transform/new-features.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "elf/build-id.h"
#include "transform/known-build-ids.h"
#include "transform/transform.h"

void new_features_done(struct new_features *n)
{
	for (size_t i = 0; i < n->own.build_ids.n; i++)
		free(n->own.build_ids.items[i].filename);
	free(n->own.build_ids.items);
	free(n->own.event_descs.items);
	free(n->own.auxtrace.index.items);
	*n = (struct new_features){ 0 };
}

void new_features_build_id(struct new_features *n, const struct build_id_entry *e)
{
	struct build_id_entry *copy;

	for (size_t i = 0; i < n->own.build_ids.n; i++) {
		const struct build_id_entry *known = &n->own.build_ids.items[i];

		if (build_id_equal(&known->build_id, &e->build_id) &&
		    !strcmp(known->filename, e->filename))
			return;
	}
	copy = ARRAY_ADD(&n->own.build_ids);
	*copy = *e;
	copy->filename = xstrdup(e->filename);
}

void new_features_auxtrace(struct new_features *n, uint64_t offset, uint64_t size)
{
	__typeof__(n->own.auxtrace.index.items) at = ARRAY_ADD(&n->own.auxtrace.index);

	at->file_offset = offset;
	at->size = size;
}

static void fill_build_ids(struct new_features *n, const struct features *old)
{
	for (size_t i = 0; i < old->build_ids.n; i++) {
		struct build_id_entry e = old->build_ids.items[i];
		const struct build_id *known = n->known ? known_build_ids_find(n->known, e.filename)
							: NULL;

		e.build_id = known ? *known : e.build_id;
		new_features_build_id(n, &e);
	}
}

static void fill_event_descs(struct new_features *n, const struct features *old,
			     const struct transform *first)
{
	n->own.event_descs.n = 0;
	for (size_t i = 0; i < old->event_descs.n; i++) {
		struct event_desc *desc = ARRAY_ADD(&n->own.event_descs);

		*desc = old->event_descs.items[i];
		transform_attr(first, &desc->attr);
	}
	n->all.event_descs = n->own.event_descs;
}

static void new_features_set(struct features *f, unsigned id, bool there)
{
	if (there)
		features_mark(f, id);
	else
		features_drop(f, id);
}

static void new_features_add_event(struct new_features *n, const struct session_event *e)
{
	*ARRAY_ADD(&n->own.event_descs) = (struct event_desc){
		.attr = e->attr, .name = e->name, .ids = (uint64_t *)e->ids, .n_ids = e->n_ids
	};
}

void new_features_decoded(struct new_features *n, const struct session *s)
{
	size_t total = session_event_count(s), recorded = 0;

	while (recorded < total && !session_event(s, recorded)->decoded)
		recorded++;
	if (recorded == total)
		return;
	/* One list names all events. */
	for (size_t i = n->own.event_descs.n; i < recorded; i++)
		new_features_add_event(n, session_event(s, i));
	for (size_t i = recorded; i < total; i++)
		if (session_event(s, i)->decoded)
			new_features_add_event(n, session_event(s, i));
	n->all.event_descs = n->own.event_descs;
	features_mark(&n->all, FEATURE_EVENT_DESC);
}

void new_features_fill(struct new_features *n, const struct features *old,
		       const struct transform *first)
{
	fill_build_ids(n, old);
	n->all = *old;
	fill_event_descs(n, old, first);
	n->all.build_ids = n->own.build_ids;
	n->all.auxtrace = n->own.auxtrace;
	new_features_set(&n->all, FEATURE_BUILD_ID, n->own.build_ids.n);
	new_features_set(&n->all, FEATURE_AUXTRACE, n->own.auxtrace.index.n);
	/* All records are plain and in one file. */
	features_drop(&n->all, FEATURE_COMPRESSED);
	features_drop(&n->all, FEATURE_DIR_FORMAT);
}
