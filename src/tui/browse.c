/* SPDX-License-Identifier: MIT */
#include "tui/browse.h"

#include <errno.h>

#include "base/background.h"
#include "base/diag.h"

void browse_free(struct browse *b)
{
	if (b)
		b->type->free(b);
}

const struct browse_snapshot *browse_take(struct browse *b, const struct browse_snapshot *after)
{
	background_hear(b->work);
	return b->type->take(b, after);
}

void browse_release(struct browse *b, const struct browse_snapshot *s)
{
	if (s)
		b->type->release(b, s);
}

void browse_ask(struct browse *b, const struct browse_request *rq)
{
	b->type->ask(b, rq);
}

int browse_code(struct browse *b, const struct browse_snapshot *s,
		const struct annotate_request *how, size_t first, size_t n,
		struct code_functions **ret, struct diag *diag)
{
	if (!b->type->code)
		return diag_set(diag, -ENOTSUP, "the code of functions cannot be shown here");
	return b->type->code(b, s, how, first, n, ret, diag);
}

void browse_progress(struct browse *b, uint64_t *ret_done, uint64_t *ret_total)
{
	background_progress(b->work, NULL, ret_done, ret_total);
}

int browse_failure(struct browse *b, struct diag *diag)
{
	return b->type->failure ? b->type->failure(b, diag) : 0;
}
