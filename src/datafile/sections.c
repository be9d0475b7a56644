/* SPDX-License-Identifier: MIT */
/*
 * The sections of a file: events with their ids, and the place of the data.
 *
 * A damaged header is replaced by usual values: ids, attrs and data follow one another after it, an
 * attr contains its own size, and the EVENT_DESC feature has all events a second time.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/cursor.h"
#include "base/memory.h"
#include "datafile/datafile.h"
#include "datafile/feature-table.h"
#include "wire/attr-codec.h"

#define ENTRY_SIZE_MIN  (ATTR_SIZE_MIN + ATTR_IDS_SIZE)
#define ENTRY_SIZE_MAX  4096 /* far larger than in any version */
#define EVENT_NAME_SIZE 64

static struct input *input_of(struct datafile *df)
{
	return &df->parts.items[0].input;
}

static bool section_fits(const struct datafile *df, struct file_section s)
{
	uint64_t size = df->parts.items[0].input.size;

	return s.offset <= size && s.size <= size - s.offset;
}

static bool entry_size_is_sane(uint64_t size)
{
	return size >= ENTRY_SIZE_MIN && size <= ENTRY_SIZE_MAX && size % 8 == 0;
}

/* Returns the size of an entry according to its attr; 0: the attr's size is invalid. */
static uint64_t entry_size_by_attr(struct datafile *df)
{
	_cleanup_(bytes_done) struct bytes room = { 0 };
	const uint8_t *p = input_at(input_of(df), df->header.attrs.offset, ATTR_SIZE_MIN, &room);
	struct cursor c = cursor_over(p, p ? ATTR_SIZE_MIN : 0, df->header.swap);
	uint64_t size;

	cursor_u32(&c);
	size = cursor_u32(&c);
	size = (size ? size : ATTR_SIZE_MIN) + ATTR_IDS_SIZE;
	return !c.bad && entry_size_is_sane(size) && df->header.attrs.size % size == 0 ? size : 0;
}

/* Makes the header's data on the attrs usable; false if that is impossible. */
static bool attrs_locate(struct datafile *df)
{
	struct file_header *h = &df->header;

	if (!section_fits(df, h->attrs) && h->attrs.size < h->data.offset &&
	    section_fits(df, h->data)) {
		damage_add(&df->damage, "the place of its events is damaged");
		h->attrs.offset = h->data.offset - h->attrs.size;
	}
	if (!section_fits(df, h->attrs) || h->attrs.size < ENTRY_SIZE_MIN)
		return false;
	if (entry_size_is_sane(h->attr_size) && h->attrs.size % h->attr_size == 0)
		return true;
	damage_add(&df->damage, "the size of its events is damaged");
	h->attr_size = entry_size_by_attr(df);
	return h->attr_size != 0;
}

/*
 * Reads the attr from @entry, which contains the attr and, at its end, the place of its ids.
 * attr.size and the size of the entry should agree; otherwise the entry's size is used.
 */
static void attr_take(struct datafile *df, const uint8_t *entry, size_t size, struct attr *ret)
{
	uint8_t copy[ENTRY_SIZE_MAX];
	uint32_t claimed = (uint32_t)size;
	bool unknown = false;

	if (attr_decode(entry, size, df->header.swap, ret, &unknown) < 0) {
		memcpy(copy, entry, size);
		claimed = df->header.swap ? __builtin_bswap32(claimed) : claimed;
		memcpy(copy + offsetof(struct attr, size), &claimed, sizeof(claimed));
		attr_decode(copy, size, df->header.swap, ret, &unknown);
		damage_add(&df->damage, "the size of an event is damaged");
	}
	if (unknown)
		damage_add(&df->damage, "an event has settings that this version does not know");
}

const uint8_t *section_claim(struct datafile *df, struct file_section where, struct bytes *room)
{
	if (!section_fits(df, where))
		return NULL;
	if (!budget_take(&df->claims, where.size)) {
		damage_add(&df->damage,
			   "its sections overlap, as together they are larger than the "
			   "file: some are left out");
		return NULL;
	}
	return input_at(input_of(df), where.offset, where.size, room);
}

static bool sections_ids_take(struct datafile *df, struct file_section where, struct file_event *e)
{
	_cleanup_(bytes_done) struct bytes room = { 0 };
	size_t n = where.size / sizeof(uint64_t);
	const uint8_t *p;
	struct cursor c;

	if (where.size % sizeof(uint64_t))
		return false;
	p = section_claim(df, where, &room);
	if (!p)
		return false;
	c = cursor_over(p, where.size, df->header.swap);
	e->ids = array_reserve(e->ids, &e->ids_room, n, sizeof(uint64_t));
	for (e->n_ids = 0; e->n_ids < n; e->n_ids++)
		e->ids[e->n_ids] = cursor_u64(&c);
	return true;
}

static void ids_copy(const uint64_t *ids, size_t n, struct file_event *e)
{
	e->ids = array_reserve(e->ids, &e->ids_room, n, sizeof(uint64_t));
	if (n)
		memcpy(e->ids, ids, n * sizeof(uint64_t));
	e->n_ids = n;
}

/* Returns event @i of the EVENT_DESC feature, or NULL. */
static const struct event_desc *desc_find(const struct datafile *df, size_t i)
{
	return i < df->features.event_descs.n ? &df->features.event_descs.items[i] : NULL;
}

static void entry_read(struct datafile *df, size_t i, const uint8_t *entry)
{
	size_t size = df->header.attr_size - ATTR_IDS_SIZE;
	struct cursor c = cursor_over(entry + size, ATTR_IDS_SIZE, df->header.swap);
	struct file_section where = { .offset = cursor_u64(&c), .size = cursor_u64(&c) };
	struct file_event *e = datafile_event_add(df);
	const struct event_desc *desc = desc_find(df, i);

	attr_take(df, entry, size, &e->attr);
	if (sections_ids_take(df, where, e))
		return;
	damage_add(&df->damage, "the ids of event %zu are damaged", i);
	if (desc)
		ids_copy(desc->ids, desc->n_ids, e);
}

static void events_read(struct datafile *df)
{
	_cleanup_(bytes_done) struct bytes room = { 0 };
	const struct file_section *attrs = &df->header.attrs;
	const uint8_t *p = NULL;

	/* `stat record -n` writes no attrs. */
	if (!attrs->size)
		return;
	if (attrs_locate(df))
		p = input_at(input_of(df), attrs->offset, attrs->size, &room);
	for (size_t i = 0; p && i < attrs->size / df->header.attr_size; i++)
		entry_read(df, i, p + i * df->header.attr_size);
	if (df->events.n)
		return;

	for (size_t i = 0; i < df->features.event_descs.n; i++) {
		const struct event_desc *desc = desc_find(df, i);
		struct file_event *e = datafile_event_add(df);

		e->attr = desc->attr;
		ids_copy(desc->ids, desc->n_ids, e);
	}
	if (df->events.n)
		damage_add(&df->damage, "its events are damaged: read from their description");
	else
		damage_add(&df->damage, "its events are damaged: samples cannot be understood");
}

/* Reads the names of version 1: { u64 config; char name[64]; }[]. */
static void event_types_read(struct datafile *df)
{
	_cleanup_(bytes_done) struct bytes room = { 0 };
	const struct file_section *types = &df->header.event_types;
	const uint8_t *p = section_claim(df, *types, &room);
	struct cursor c = cursor_over(p, p ? types->size : 0, df->header.swap);

	while (cursor_left(&c) >= sizeof(uint64_t) + EVENT_NAME_SIZE &&
	       datafile_allow_steps(df, df->events.n)) {
		uint64_t config = cursor_u64(&c);
		const char *name = (const char *)cursor_bytes(&c, EVENT_NAME_SIZE);

		for (size_t i = 0; i < df->events.n; i++) {
			struct file_event *e = df->events.items[i];

			if (e->attr.config == config && !e->name)
				e->name = xstrndup(name, EVENT_NAME_SIZE);
		}
	}
}

/* Returns the earliest place at which the data can begin: after header and attrs. */
static uint64_t sections_end(const struct datafile *df)
{
	const struct file_header *h = &df->header;
	uint64_t end = FILE_HEADER_SIZE;

	if (section_fits(df, h->attrs) && h->attrs.offset + h->attrs.size > end)
		end = h->attrs.offset + h->attrs.size;
	return end;
}

/*
 * Finds the data. `perf inject` of 6.1 from a pipe into a file gives a start of the data at the
 * attrs, which have overwritten the first records.
 */
static void data_locate(struct datafile *df)
{
	struct file_section *data = &df->header.data;
	uint64_t file_size = input_of(df)->size, least = sections_end(df);
	uint64_t end = data->offset + data->size;

	df->is_cut = data->offset > file_size || data->size > file_size - data->offset;
	if (data->offset < least || data->offset > file_size) {
		damage_add(&df->damage,
			   "the place of its data is damaged: it is read from 0x%" PRIx64, least);
		data->offset = least;
		data->size = end > least && end <= file_size ? end - least : 0;
	}
	if (data->size > file_size - data->offset) {
		damage_add(&df->damage,
			   "%" PRIu64
			   " bytes of its data are missing: the file was cut or is damaged",
			   data->size - (file_size - data->offset));
		data->size = 0;
	}
}

/*
 * Finds the end of the data. Without a size the recorder did not finish, or the file was cut off:
 * then everything that follows is data. Our files contain the amount at the last checkpoint; what
 * was written later counts, too.
 */
static void data_end(struct datafile *df)
{
	struct file_section *data = &df->header.data;
	bool at_checkpoint = df->header.features[0] >> FEATURE_CHECKPOINT & 1;

	if (data->size && !at_checkpoint)
		return;
	if (!df->is_cut)
		damage_add(&df->damage,
			   "the recording was not finished: what had been written is shown");
	data->size = input_of(df)->size - data->offset;
}

void sections_read(struct datafile *df)
{
	struct part *p = &df->parts.items[0];

	if (df->header.damaged)
		damage_add(&df->damage, "its first bytes are damaged");
	data_locate(df);
	feature_table_read(df);
	data_end(df);
	events_read(df);
	if (df->header.version == 1)
		event_types_read(df);
	p->start = df->header.data.offset;
	input_seek(&p->input, p->start, p->start + df->header.data.size);
}
