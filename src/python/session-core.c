/* SPDX-License-Identifier: MIT */
#include "python/session-core.h"

#include <stdlib.h>

#include "base/memory.h"
#include "symbol/symbolizer.h"

struct session_core *session_core_new(struct reading_choice *choice)
{
	struct session_core *c = xcalloc(1, sizeof(*c));

	c->refs = 1;
	c->choice = *choice;
	*choice = (struct reading_choice){ 0 };
	return c;
}

struct session_core *session_core_ref(struct session_core *c)
{
	c->refs++;
	return c;
}

void session_core_unref(struct session_core *c)
{
	if (!c || --c->refs)
		return;
	call_chain_done(&c->chain);
	recorded_done(&c->recorded);
	symbolizer_free(c->symbolizer);
	reading_choice_done(&c->choice);
	free(c);
}
