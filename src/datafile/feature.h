/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The conversion of one feature of a perf.data file from bytes into its member of struct features
 * and back. Private to datafile/: there is one `const struct feature_codec` for each row of
 * features.def.
 *
 * A decoder fills in a member that is all zero. It does not check lengths: the cursor remembers
 * reads past the end, and the decoder sets cursor.bad itself for other invalid data. In that case
 * `done` releases what was filled in.
 */
#include "base/bytes.h"
#include "base/cursor.h"
#include "datafile/features.h"

struct feature_codec {
	size_t offset, size; /* of the member in struct features; size 0: a flag, no payload */
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

/*
 * The text format of most features: u32 length, then that many bytes. A decoded text ends at the
 * first NUL or at the length and belongs to the caller; it is never NULL. Texts are written padded
 * to 64 bytes as perf does; NULL is written as "".
 */
char *feature_text_take(struct cursor *c);
void feature_text_put(struct bytes *out, const char *s);

/* u32 count, then that many texts. */
void string_list_take(struct cursor *c, struct string_list *l);
void string_list_put(struct bytes *out, const struct string_list *l);
void string_list_done(struct string_list *l);
