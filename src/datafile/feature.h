/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How one feature of a perf.data file goes from bytes into its member of struct features and back.
 * Private to datafile/: one `const struct feature_codec` for each row of features.def.
 *
 * A decoder fills in a member that is all zero. It asks nothing of lengths: the cursor remembers
 * what did not fit, and the decoder sets cursor.bad itself for other nonsense; what it has filled
 * in then is released by `done`.
 */
#include "base/bytes.h"
#include "base/cursor.h"
#include "datafile/features.h"

struct feature_codec {
	size_t offset, size; /* of the member in struct features; size 0: a flag without payload */
	void (*decode)(void *member, struct cursor *c, const struct features *known);
	void (*encode)(const void *member, struct bytes *out);
	void (*done)(void *member); /* NULL: owns nothing */
};

/* The type of a member of struct features, most of which have no name of their own. */
#define FEATURE_TYPE(member) __typeof__(((struct features *)NULL)->member)

#define FEATURE_AT(member)                                                                         \
	.offset = offsetof(struct features, member), .size = sizeof(FEATURE_TYPE(member))

#define FEATURE(id, codec) extern const struct feature_codec codec;
#include "datafile/features.def"
#undef FEATURE

/*
 * The text of most features: u32 length, that many bytes. A decoded text ends at the first NUL or
 * at the length and belongs to the caller; it is never NULL. Written padded to 64 bytes as perf
 * does; NULL as "".
 */
char *feature_text_take(struct cursor *c);
void feature_text_put(struct bytes *out, const char *s);

/* u32 count, that many texts. */
void string_list_take(struct cursor *c, struct string_list *l);
void string_list_put(struct bytes *out, const struct string_list *l);
void string_list_done(struct string_list *l);
