/* SPDX-License-Identifier: MIT */
/* AUXTRACE, the places of the AUXTRACE records: u64 count; { u64 file_offset, size; }[count]. */
#include <stdlib.h>

#include "base/memory.h"
#include "datafile/feature.h"

static void feature_auxtrace_decode(void *member, struct cursor *c, const struct features *known)
{
	FEATURE_TYPE(auxtrace) *aux = member;
	uint64_t n = cursor_u64(c);

	(void)known;
	for (uint64_t i = 0; i < n && !c->bad; i++) {
		__typeof__(aux->index.items) at = ARRAY_ADD(&aux->index);

		at->file_offset = cursor_u64(c);
		at->size = cursor_u64(c);
	}
}

static void feature_auxtrace_encode(const void *member, struct bytes *out)
{
	const FEATURE_TYPE(auxtrace) *aux = member;

	bytes_u64(out, aux->index.n);
	for (size_t i = 0; i < aux->index.n; i++) {
		bytes_u64(out, aux->index.items[i].file_offset);
		bytes_u64(out, aux->index.items[i].size);
	}
}

static void feature_auxtrace_done(void *member)
{
	FEATURE_TYPE(auxtrace) *aux = member;

	free(aux->index.items);
}

const struct feature_codec feature_auxtrace = {
	FEATURE_AT(auxtrace),
	.decode = feature_auxtrace_decode,
	.encode = feature_auxtrace_encode,
	.done = feature_auxtrace_done,
};
