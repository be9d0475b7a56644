/* SPDX-License-Identifier: MIT */
/* TRACING_DATA: carried as bytes; datafile/tracing-data.h looks into them. */
#include "datafile/feature.h"

static void decode(void *member, struct cursor *c, const struct features *known)
{
	(void)known;
	bytes_add(member, c->at, cursor_left(c));
}

static void encode(const void *member, struct bytes *out)
{
	const struct bytes *blob = member;

	bytes_add(out, blob->data, blob->n);
}

static void done(void *member)
{
	bytes_done(member);
}

const struct feature_codec feature_tracing_data = {
	FEATURE_AT(tracing_data),
	.decode = decode,
	.encode = encode,
	.done = done,
};
