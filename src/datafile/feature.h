/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The conversion of one feature of a perf.data file from bytes into its member of struct features
 * and back. Private to datafile/: there is one `const struct feature_codec` for each row of
 * features.def.
 *
 * A feature has either a layout (datafile/feature-layout.h) or functions of its own. A decoder
 * fills in a member that is all zero. It does not check lengths: the cursor remembers reads past
 * the end, and the decoder sets cursor.bad itself for other invalid data. In that case `done`
 * releases what was filled in.
 */
#include "base/bytes.h"
#include "base/cursor.h"
#include "datafile/features.h"

struct feature_field;

struct feature_codec {
	/* place of the member in struct features; size 0: a flag, no payload */
	size_t offset, size;
	const struct feature_field *layout; /* its fields are members of struct features */
	/* NULL if there is a layout: */
	void (*decode)(void *member, struct cursor *c, const struct features *known);
	void (*encode)(const void *member, struct bytes *out);
	void (*done)(void *member); /* NULL: owns nothing */
};

/* The type of a member of struct features; most of these types have no name. */
#define FEATURE_TYPE(member) __typeof__(((struct features *)NULL)->member)

#define FEATURE_AT(member)                                                                         \
	.offset = offsetof(struct features, member), .size = sizeof(FEATURE_TYPE(member))

#define FEATURE(id, codec) extern const struct feature_codec codec;
#include "datafile/features.def"
#undef FEATURE
