/* SPDX-License-Identifier: MIT */
/* GROUP_DESC: u32 count; { text name; u32 leader_idx, nr_members; }[count]. */
#include <stdlib.h>

#include "base/memory.h"
#include "datafile/feature.h"

static void feature_group_desc_decode(void *member, struct cursor *c, const struct features *known)
{
	FEATURE_TYPE(group_descs) *l = member;
	uint32_t n = cursor_u32(c);

	(void)known;
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct group_desc *g = ARRAY_ADD(l);

		g->name = feature_text_take(c);
		g->leader_idx = cursor_u32(c);
		g->nr_members = cursor_u32(c);
	}
}

static void feature_group_desc_encode(const void *member, struct bytes *out)
{
	const FEATURE_TYPE(group_descs) *l = member;

	bytes_u32(out, (uint32_t)l->n);
	for (size_t i = 0; i < l->n; i++) {
		feature_text_put(out, l->items[i].name);
		bytes_u32(out, l->items[i].leader_idx);
		bytes_u32(out, l->items[i].nr_members);
	}
}

static void feature_group_desc_done(void *member)
{
	FEATURE_TYPE(group_descs) *l = member;

	for (size_t i = 0; i < l->n; i++)
		free(l->items[i].name);
	free(l->items);
}

const struct feature_codec feature_group_desc = {
	FEATURE_AT(group_descs),
	.decode = feature_group_desc_decode,
	.encode = feature_group_desc_encode,
	.done = feature_group_desc_done,
};
