/* SPDX-License-Identifier: MIT */
/*
 * Memory maps. The file is identified by its inode or, with MISC_MMAP_BUILD_ID, in the same 24
 * bytes by `u8 size; u8 0; u16 0; u8 build_id[20]`.
 *
 * The bit alone is not sufficient. Kernels up to at least 6.18 leave it set in the records of
 * events that did not request build-ids if another event on the machine did
 * (perf_event_mmap_output() does not reset header.misc), and `perf inject --mmap2-buildid-all`
 * writes build-ids without setting attr.build_id. If the attr does not have build_id, the bytes
 * therefore decide.
 */
#include <string.h>

#include "wire/record-codec.h"

static void range_take(struct cursor *c, struct record_mmap *m)
{
	m->pid = cursor_u32(c);
	m->tid = cursor_u32(c);
	m->addr = cursor_u64(c);
	m->len = cursor_u64(c);
	m->pgoff = cursor_u64(c);
}

static void range_put(const struct record_mmap *m, struct bytes *out)
{
	bytes_u32(out, m->pid);
	bytes_u32(out, m->tid);
	bytes_u64(out, m->addr);
	bytes_u64(out, m->len);
	bytes_u64(out, m->pgoff);
}

void record_take_mmap(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	range_take(c, &r->mmap);
	r->mmap.filename = cursor_string(c);
}

void record_put_mmap(const struct record *r, struct bytes *out)
{
	range_put(&r->mmap, out);
	bytes_string(out, r->mmap.filename, 8);
}

static void build_id_take(struct cursor *c, struct build_id *ret)
{
	uint8_t size = cursor_u8(c);
	const uint8_t *p = cursor_bytes(c, 3) ? cursor_bytes(c, RECORD_BUILD_ID_SIZE) : NULL;

	if (!p || size > RECORD_BUILD_ID_SIZE) {
		c->bad = true;
		return;
	}
	ret->size = size;
	memcpy(ret->bytes, p, RECORD_BUILD_ID_SIZE);
}

static void build_id_put(const struct build_id *id, struct bytes *out)
{
	bytes_u8(out, id->size);
	bytes_zero(out, 3);
	bytes_add(out, id->bytes, RECORD_BUILD_ID_SIZE);
}

static void inode_take(struct cursor *c, struct record_mmap *m)
{
	m->maj = cursor_u32(c);
	m->min = cursor_u32(c);
	m->ino = cursor_u64(c);
	m->ino_generation = cursor_u64(c);
}

/*
 * True if the 24 bytes at @c can be an inode: the kernel's device numbers have 12 and 20 bits, and
 * generations have 32. One in 2^32 build-ids of 20 bytes looks like an inode, and one in 2^12 of
 * the shorter ones.
 */
static bool can_be_inode(struct cursor c)
{
	struct record_mmap m = { 0 };

	inode_take(&c, &m);
	return !c.bad && !(m.maj >> 12) && !(m.min >> 20) && !(m.ino_generation >> 32);
}

/* True if they can be a build-id: the three bytes after its size are 0. */
static bool can_be_build_id(struct cursor c)
{
	uint8_t size = cursor_u8(&c);
	const uint8_t *zeros = cursor_bytes(&c, 3);

	return zeros && size <= RECORD_BUILD_ID_SIZE && !zeros[0] && !zeros[1] && !zeros[2];
}

/*
 * True if the record has a build-id. If the bytes are neither a build-id nor an inode, the record
 * is damaged, and the cursor becomes bad.
 */
static bool record_mmap_has_build_id(struct cursor *c, const struct attr *attr,
				     const struct record *r)
{
	if (!(r->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID))
		return false;
	if (attr && attr->build_id)
		return true;
	if (can_be_inode(*c))
		return false;
	c->bad |= !can_be_build_id(*c);
	return true;
}

void record_take_mmap2(struct cursor *c, const struct attr *attr, struct record *r)
{
	struct record_mmap *m = &r->mmap;

	range_take(c, m);
	if (record_mmap_has_build_id(c, attr, r)) {
		build_id_take(c, &m->build_id);
	} else {
		r->header.misc &= (uint16_t)~PERF_RECORD_MISC_MMAP_BUILD_ID;
		inode_take(c, m);
	}
	m->prot = cursor_u32(c);
	m->flags = cursor_u32(c);
	m->filename = cursor_string(c);
}

void record_put_mmap2(const struct record *r, struct bytes *out)
{
	const struct record_mmap *m = &r->mmap;

	range_put(m, out);
	if (r->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		build_id_put(&m->build_id, out);
	} else {
		bytes_u32(out, m->maj);
		bytes_u32(out, m->min);
		bytes_u64(out, m->ino);
		bytes_u64(out, m->ino_generation);
	}
	bytes_u32(out, m->prot);
	bytes_u32(out, m->flags);
	bytes_string(out, m->filename, 8);
}
