/* SPDX-License-Identifier: MIT */
#include "datafile/feature-table.h"

#include <inttypes.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/cursor.h"
#include "datafile/datafile.h"

/*
 * perf reserves a slot for each feature that it tried, so at most this many slots after the used
 * ones may be empty.
 */
#define SPARE_SLOTS 64

static void feature_read(struct datafile *df, unsigned id, struct file_section where)
{
	_cleanup_(bytes_done) struct bytes room = { 0 };
	const uint8_t *payload = section_claim(df, where, &room);
	const char *name = feature_name(id);

	if (payload && features_decode(&df->features, id,
				       cursor_over(payload, where.size, df->header.swap)) == 0)
		return;
	if (name)
		damage_add(&df->damage, "its feature %s at 0x%" PRIx64 " is damaged and left out",
			   name, where.offset);
	else
		damage_add(&df->damage, "its feature %u at 0x%" PRIx64 " is damaged and left out",
			   id, where.offset);
}

static unsigned bit_count(const uint64_t *bits)
{
	unsigned n = 0;

	for (unsigned i = 0; i < FEATURE_MAX / 64; i++)
		n += (unsigned)__builtin_popcountll(bits[i]);
	return n;
}

static struct file_section feature_table_slot_take(struct cursor *c)
{
	struct file_section s;

	s.offset = cursor_u64(c);
	s.size = cursor_u64(c);
	return s;
}

/*
 * True if the @n slots at @at could be a table: the payloads follow it without gaps, up to the end
 * of the file; payloads before it were written early, in the same order.
 */
static bool is_table(const uint8_t *slots, unsigned n, uint64_t at, uint64_t file_size, bool swap)
{
	struct cursor c = cursor_over(slots, n * FEATURE_SLOT_SIZE, swap);
	uint64_t table_end = at + n * FEATURE_SLOT_SIZE, next = 0, early = 0;

	for (unsigned i = 0; i < n; i++) {
		struct file_section s = feature_table_slot_take(&c);

		if (s.offset > file_size || s.size > file_size - s.offset || !s.offset)
			return false;
		if (s.offset < at) {
			if (s.offset < early)
				return false;
			early = s.offset + s.size;
			continue;
		}
		if (!next && (s.offset < table_end ||
			      s.offset > table_end + SPARE_SLOTS * FEATURE_SLOT_SIZE))
			return false;
		if (next && s.offset != next)
			return false;
		next = s.offset + s.size;
	}
	return next == file_size;
}

/*
 * True if the payloads of the @n slots at @at are in the file, and not inside the data or the
 * table.
 */
static bool slots_fit(const struct datafile *df, const uint8_t *slots, unsigned n, uint64_t at)
{
	struct cursor c = cursor_over(slots, n * FEATURE_SLOT_SIZE, df->header.swap);
	uint64_t file_size = df->parts.items[0].input.size;

	for (unsigned i = 0; i < n; i++) {
		struct file_section s = feature_table_slot_take(&c);

		if (s.offset > file_size || s.size > file_size - s.offset ||
		    (s.offset >= df->header.data.offset && s.offset < at + n * FEATURE_SLOT_SIZE))
			return false;
	}
	return true;
}

/*
 * Far more than features take. A large file that was cut off has none, and should not be read
 * completely to search for them.
 */
#define SEARCH_MAX (UINT64_C(256) << 20)

/* Returns the alignment of records: they end at a multiple of 8, except compressed ones. */
static uint64_t search_step(const struct file_header *h)
{
	return h->features[0] >> FEATURE_COMPRESSED & 1 ? 1 : RECORD_HEADER_SIZE;
}

/*
 * Returns the start of the search, which has the alignment of a table relative to the data's
 * beginning.
 */
static uint64_t search_start(const struct file_header *h, uint64_t file_size)
{
	uint64_t from = h->data.offset;

	return file_size - from > SEARCH_MAX ? from + ((file_size - SEARCH_MAX - from) & ~7ull)
					     : from;
}

/* Searches for the table, which a damaged size of the data hides. 0: there is none. */
static uint64_t table_find(struct datafile *df, unsigned n)
{
	_cleanup_(bytes_done) struct bytes room = { 0 };
	struct input *in = &df->parts.items[0].input;
	uint64_t from = df->header.data.offset, table = (uint64_t)n * FEATURE_SLOT_SIZE;
	uint64_t step = search_step(&df->header);
	const uint8_t *bytes;

	if (from >= in->size || in->size - from < table)
		return 0;
	from = search_start(&df->header, in->size);
	bytes = input_at(in, from, in->size - from, &room);
	for (uint64_t i = 0; bytes && i <= in->size - from - table; i += step)
		if (is_table(bytes + i, n, from + i, in->size, df->header.swap))
			return from + i;
	return 0;
}

/*
 * Returns the slots; NULL if they are neither at the place in the header nor elsewhere. Corrects
 * the data's size.
 */
static const uint8_t *feature_table_get(struct datafile *df, unsigned n, struct bytes *room)
{
	struct input *in = &df->parts.items[0].input;
	struct file_section *data = &df->header.data;
	uint64_t size = (uint64_t)n * FEATURE_SLOT_SIZE, at = data->offset + data->size;
	const uint8_t *slots = NULL;

	if (data->size && at >= data->offset)
		slots = input_at(in, at, size, room);
	if (slots && slots_fit(df, slots, n, at))
		return slots;
	at = table_find(df, n);
	if (!at || at == data->offset + data->size)
		return slots;
	damage_add(&df->damage, "the size of its data is damaged: it is 0x%" PRIx64,
		   at - data->offset);
	data->size = at - data->offset;
	df->facts.data_size = data->size;
	df->facts.feature_offset = at;
	return input_at(in, at, size, room);
}

/*
 * True for our own files during recording: the table is there, whatever the size of the data was at
 * the time.
 */
static bool is_checkpoint(const struct file_header *h)
{
	return h->features[0] >> FEATURE_CHECKPOINT & 1;
}

void feature_table_read(struct datafile *df)
{
	_cleanup_(bytes_done) struct bytes room = { 0 };
	const struct file_header *h = &df->header;
	unsigned n = bit_count(h->features);
	size_t size = n * FEATURE_SLOT_SIZE;
	const uint8_t *slots = NULL;
	struct cursor c;

	if (is_checkpoint(h))
		slots = input_at(&df->parts.items[0].input, h->data.offset + h->data.size, size,
				 &room);
	else if (n)
		slots = feature_table_get(df, n, &room);
	if (!slots && h->version > 1)
		damage_add(&df->damage,
			   "its features are lost: what it says about events and machine");
	if (!slots)
		return;
	c = cursor_over(slots, size, h->swap);
	for (unsigned id = 0; id < FEATURE_MAX; id++) {
		struct file_section where;

		if (!(h->features[id / 64] >> (id % 64) & 1))
			continue;
		where = feature_table_slot_take(&c);
		if (id != FEATURE_CHECKPOINT)
			feature_read(df, id, where);
	}
}
