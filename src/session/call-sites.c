/* SPDX-License-Identifier: MIT */
#include "session/call-sites.h"

#include "session/call-chain.h"
#include "wire/attr.h"

bool stacks_are_unwound(const struct attr *attr)
{
	return attr->sample_type & PERF_SAMPLE_STACK_USER || attr->exclude_callchain_user;
}

enum inlines inlines_of(enum inlines which, const struct attr *attr)
{
	return which == INLINES_UNWOUND && !stacks_are_unwound(attr) ? INLINES_NONE : which;
}

/* The innermost of each mode is where it was interrupted. */
void call_chain_enter_calls(struct call_chain *c, const struct attr *attr)
{
	bool unwound = stacks_are_unwound(attr);

	for (size_t i = c->n; i-- > 1;) {
		struct chain_entry *e = &c->items[i];

		if (e->mode == e[-1].mode && e->ip && !(unwound && e->mode == ADDRESS_USER))
			e->ip--;
	}
}
