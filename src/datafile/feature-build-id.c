/* SPDX-License-Identifier: MIT */
/*
 * BUILD_ID: the images that had samples, and their build-ids.
 *
 * Entries until the payload ends: a record header (type 0), s32 pid, u8 id[20], u8 id_size, 3 zeros
 * and the name in the rest of header.size. After the name there may be the identity of the file, if
 * several files have that name (wire/file-id-tail.h; other readers take it for padding). Without
 * MISC_BUILD_ID_SIZE the id has 20 bytes. Entries of very old files have no pid: read with it,
 * their names lose the first four characters.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "datafile/feature.h"
#include "wire/file-id-tail.h"

#define ID_ROOM    24 /* the id, its size and padding */
#define NAME_ALIGN 64 /* as in perf up to 6.11 */

static void entry_take(struct cursor c, uint16_t misc, bool has_pid, struct build_id_entry *e)
{
	const uint8_t *id;
	uint8_t id_size;

	e->misc = misc;
	e->pid = has_pid ? (int32_t)cursor_u32(&c) : -1;
	id = cursor_bytes(&c, ID_ROOM);
	id_size = misc & PERF_RECORD_MISC_BUILD_ID_SIZE ? id[RECORD_BUILD_ID_SIZE]
							: RECORD_BUILD_ID_SIZE;
	memcpy(e->build_id.bytes, id, RECORD_BUILD_ID_SIZE);
	e->build_id.size = id_size > RECORD_BUILD_ID_SIZE ? RECORD_BUILD_ID_SIZE : id_size;
	e->file = file_id_tail_get(&c);
	e->filename = xstrndup((const char *)c.at, cursor_left(&c));
}

static void entries_take(struct cursor *c, bool has_pid, FEATURE_TYPE(build_ids) * l)
{
	size_t least = RECORD_HEADER_SIZE + (has_pid ? sizeof(int32_t) : 0) + ID_ROOM;

	while (cursor_left(c) && !c->bad) {
		uint16_t misc, size;
		const uint8_t *body;

		cursor_u32(c);
		misc = cursor_u16(c);
		size = cursor_u16(c);
		body = size < least ? NULL : cursor_bytes(c, size - RECORD_HEADER_SIZE);
		c->bad |= !body;
		if (body)
			entry_take(cursor_over(body, size - RECORD_HEADER_SIZE, c->swap), misc,
				   has_pid, ARRAY_ADD(l));
	}
}

static void feature_build_id_done(void *member)
{
	FEATURE_TYPE(build_ids) *l = member;

	for (size_t i = 0; i < l->n; i++)
		free(l->items[i].filename);
	free(l->items);
	memset(l, 0, sizeof(*l));
}

static bool names_are_cut(const FEATURE_TYPE(build_ids) * l)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->items[i].filename, "nel.kallsyms]"))
			return true;
	return false;
}

/* Entries before the damage are valid and are kept. */
static void feature_build_id_decode(void *member, struct cursor *c, const struct features *known)
{
	FEATURE_TYPE(build_ids) *l = member;
	struct cursor start = *c;

	(void)known;
	entries_take(c, true, l);
	if (names_are_cut(l)) {
		feature_build_id_done(l);
		*c = start;
		entries_take(c, false, l);
	}
	c->bad = c->bad && !l->n;
}

static void feature_build_id_encode(const void *member, struct bytes *out)
{
	const FEATURE_TYPE(build_ids) *l = member;
	_cleanup_(bytes_done) struct bytes tail = { 0 };

	for (size_t i = 0; i < l->n; i++) {
		const struct build_id_entry *e = &l->items[i];
		size_t name = (strlen(e->filename) + NAME_ALIGN) / NAME_ALIGN * NAME_ALIGN;
		size_t size = RECORD_HEADER_SIZE + sizeof(e->pid) + ID_ROOM + name;

		tail.n = 0;
		file_id_tail_put(&e->file, &tail);
		size += tail.n;
		if (size > UINT16_MAX)
			continue;
		bytes_u32(out, 0);
		bytes_u16(out, e->misc);
		bytes_u16(out, (uint16_t)size);
		bytes_u32(out, (uint32_t)e->pid);
		bytes_add(out, e->build_id.bytes, sizeof(e->build_id.bytes));
		bytes_u8(out, e->build_id.size);
		bytes_zero(out, 3);
		bytes_string(out, e->filename, NAME_ALIGN);
		bytes_add(out, tail.data, tail.n);
	}
}

const struct feature_codec feature_build_id = {
	FEATURE_AT(build_ids),
	.decode = feature_build_id_decode,
	.encode = feature_build_id_encode,
	.done = feature_build_id_done,
};
