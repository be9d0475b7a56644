/* SPDX-License-Identifier: MIT */
/* TRACING_DATA: copied as bytes; datafile/tracing-data.h interprets them. */
#include "datafile/feature.h"

static void feature_tracing_data_decode(void *member, struct cursor *c,
					const struct features *known)
{
	(void)known;
	bytes_add(member, c->at, cursor_left(c));
}

static void feature_tracing_data_encode(const void *member, struct bytes *out)
{
	const struct bytes *blob = member;

	bytes_add(out, blob->data, blob->n);
}

static void feature_tracing_data_done(void *member)
{
	bytes_done(member);
}

const struct feature_codec feature_tracing_data = {
	FEATURE_AT(tracing_data),
	.decode = feature_tracing_data_decode,
	.encode = feature_tracing_data_encode,
	.done = feature_tracing_data_done,
};
