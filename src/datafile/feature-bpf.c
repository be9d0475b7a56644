/* SPDX-License-Identifier: MIT */
/*
 * BPF_PROG_INFO and BPF_BTF: the BPF programs that were loaded, and their types.
 *
 * u32 count; then for programs { u32 info_size, data_size; u64 arrays; u8 info[], data[] }, for
 * types { u32 id, size; u8 data[] }, unpadded.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "datafile/feature.h"

/* Returns a copy of the next @size bytes, which belongs to the caller; NULL if there are fewer. */
static uint8_t *copy_take(struct cursor *c, uint32_t size)
{
	const uint8_t *p = cursor_bytes(c, size);

	return p ? memcpy(xmalloc(size ? size : 1), p, size) : NULL;
}

static void programs_decode(void *member, struct cursor *c, const struct features *known)
{
	FEATURE_TYPE(bpf_progs) *progs = member;
	uint32_t n = cursor_u32(c);

	(void)known;
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct bpf_prog *p = ARRAY_ADD(progs);

		p->info_size = cursor_u32(c);
		p->data_size = cursor_u32(c);
		p->arrays = cursor_u64(c);
		p->info = copy_take(c, p->info_size);
		p->data = copy_take(c, p->data_size);
	}
}

static void programs_encode(const void *member, struct bytes *out)
{
	const FEATURE_TYPE(bpf_progs) *progs = member;

	bytes_u32(out, (uint32_t)progs->n);
	for (size_t i = 0; i < progs->n; i++) {
		const struct bpf_prog *p = &progs->items[i];

		bytes_u32(out, p->info_size);
		bytes_u32(out, p->data_size);
		bytes_u64(out, p->arrays);
		bytes_add(out, p->info, p->info_size);
		bytes_add(out, p->data, p->data_size);
	}
}

static void programs_done(void *member)
{
	FEATURE_TYPE(bpf_progs) *progs = member;

	for (size_t i = 0; i < progs->n; i++) {
		free(progs->items[i].info);
		free(progs->items[i].data);
	}
	free(progs->items);
}

const struct feature_codec feature_bpf_prog_info = {
	FEATURE_AT(bpf_progs),
	.decode = programs_decode,
	.encode = programs_encode,
	.done = programs_done,
};

static void types_decode(void *member, struct cursor *c, const struct features *known)
{
	FEATURE_TYPE(bpf_btfs) *btfs = member;
	uint32_t n = cursor_u32(c);

	(void)known;
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct bpf_btf *btf = ARRAY_ADD(btfs);

		btf->id = cursor_u32(c);
		btf->size = cursor_u32(c);
		btf->data = copy_take(c, btf->size);
	}
}

static void types_encode(const void *member, struct bytes *out)
{
	const FEATURE_TYPE(bpf_btfs) *btfs = member;

	bytes_u32(out, (uint32_t)btfs->n);
	for (size_t i = 0; i < btfs->n; i++) {
		bytes_u32(out, btfs->items[i].id);
		bytes_u32(out, btfs->items[i].size);
		bytes_add(out, btfs->items[i].data, btfs->items[i].size);
	}
}

static void types_done(void *member)
{
	FEATURE_TYPE(bpf_btfs) *btfs = member;

	for (size_t i = 0; i < btfs->n; i++)
		free(btfs->items[i].data);
	free(btfs->items);
}

const struct feature_codec feature_bpf_btf = {
	FEATURE_AT(bpf_btfs),
	.decode = types_decode,
	.encode = types_encode,
	.done = types_done,
};
