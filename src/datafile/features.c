/* SPDX-License-Identifier: MIT */
#include "datafile/features.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "datafile/feature-layout.h"
#include "datafile/feature.h"
#include "wire/bpf-functions.h"
#include "wire/btf.h"

static const struct {
	const char *name;
	const struct feature_codec *codec;
} rows[FEATURE_KNOWN] = {
#define FEATURE(id, codec) [FEATURE_##id] = { #id, &codec },
#include "datafile/features.def"
#undef FEATURE
};

static void *features_member_of(const struct features *f, const struct feature_codec *codec)
{
	return (char *)f + codec->offset;
}

static void features_member_decode(struct features *f, const struct feature_codec *codec,
				   struct cursor *c, const struct features *known)
{
	if (codec->layout)
		feature_layout_decode(codec->layout, f, c);
	else
		codec->decode(features_member_of(f, codec), c, known);
}

static void features_member_encode(const struct features *f, const struct feature_codec *codec,
				   struct bytes *out)
{
	if (codec->layout)
		feature_layout_encode(codec->layout, f, out);
	else
		codec->encode(features_member_of(f, codec), out);
}

static void features_member_done(struct features *f, const struct feature_codec *codec)
{
	if (codec->layout)
		feature_layout_done(codec->layout, f);
	else if (codec->done)
		codec->done(features_member_of(f, codec));
	memset(features_member_of(f, codec), 0, codec->size);
}

void features_done(struct features *f)
{
	for (unsigned id = 0; id < FEATURE_KNOWN; id++)
		if (rows[id].codec)
			features_member_done(f, rows[id].codec);
	for (size_t i = 0; i < ARRAY_SIZE(f->opaque); i++)
		bytes_done(&f->opaque[i]);
	memset(f->have, 0, sizeof(f->have));
}

bool features_have(const struct features *f, unsigned id)
{
	return id < FEATURE_MAX && (f->have[id / 64] >> (id % 64) & 1);
}

void features_mark(struct features *f, unsigned id)
{
	if (id < FEATURE_MAX)
		f->have[id / 64] |= UINT64_C(1) << (id % 64);
}

void features_drop(struct features *f, unsigned id)
{
	if (id < FEATURE_MAX)
		f->have[id / 64] &= ~(UINT64_C(1) << (id % 64));
}

const char *feature_name(unsigned id)
{
	return id < FEATURE_KNOWN ? rows[id].name : NULL;
}

static void keep_bytes(struct features *f, unsigned id, struct cursor payload)
{
	struct bytes *kept = &f->opaque[id - FEATURE_KNOWN];

	bytes_done(kept);
	bytes_add(kept, payload.at, cursor_left(&payload));
}

int features_decode(struct features *f, unsigned id, struct cursor payload)
{
	const struct feature_codec *codec = id < FEATURE_KNOWN ? rows[id].codec : NULL;
	struct features fresh = { 0 };

	if (id >= FEATURE_MAX)
		return -EBADMSG;
	if (id >= FEATURE_KNOWN) {
		keep_bytes(f, id, payload);
	} else if (codec) {
		features_member_decode(&fresh, codec, &payload, f);
		if (payload.bad) {
			features_member_done(&fresh, codec);
			return -EBADMSG;
		}
		features_member_done(f, codec);
		memcpy(features_member_of(f, codec), features_member_of(&fresh, codec),
		       codec->size);
	}
	features_mark(f, id);
	return 0;
}

void features_encode(const struct features *f, unsigned id, struct bytes *out)
{
	if (id >= FEATURE_KNOWN && id < FEATURE_MAX) {
		const struct bytes *kept = &f->opaque[id - FEATURE_KNOWN];

		bytes_add(out, kept->data, kept->n);
	} else if (id < FEATURE_KNOWN && rows[id].codec) {
		features_member_encode(f, rows[id].codec, out);
	}
}

struct bpf_info features_bpf_info(const struct bpf_prog *p)
{
	return (struct bpf_info){
		.info = p->info,
		.data = p->data,
		.info_size = p->info_size,
		.data_size = p->data_size,
		.arrays = p->arrays,
	};
}

struct btf features_bpf_types(const struct features *f, const struct bpf_info *p)
{
	uint32_t id = bpf_info_btf_id(p);

	for (size_t i = 0; i < f->bpf_btfs.n; i++)
		if (f->bpf_btfs.items[i].id == id)
			return (struct btf){ f->bpf_btfs.items[i].data, f->bpf_btfs.items[i].size };
	return (struct btf){ NULL, 0 };
}
