/* SPDX-License-Identifier: MIT */
#include "transform/unwound-sample.h"

#include <errno.h>

#include "base/bytes.h"
#include "wire/sample.h"

bool attr_has_stacks(const struct attr *attr)
{
	return attr->sample_type & PERF_SAMPLE_STACK_USER;
}

struct attr unwound_attr(const struct attr *from, bool keep_regs)
{
	struct attr to = *from;

	to.sample_type &= ~PERF_SAMPLE_STACK_USER;
	to.sample_type |= PERF_SAMPLE_CALLCHAIN;
	to.sample_stack_user = 0;
	to.exclude_callchain_user = 1;
	if (!keep_regs) {
		to.sample_type &= ~PERF_SAMPLE_REGS_USER;
		to.sample_regs_user = 0;
	}
	return to;
}

/* Returns the length of the chain before the user's part. */
static size_t kernel_part(const struct words *chain)
{
	size_t i = 0;

	while (i < chain->n && words_get(chain, i) != PERF_CONTEXT_USER &&
	       words_get(chain, i) != PERF_CONTEXT_USER_DEFERRED)
		i++;
	return i;
}

static struct words unwound_sample_join(const struct words *chain, const uint64_t *ips, size_t n,
					struct bytes *room)
{
	size_t n_kernel = kernel_part(chain);

	room->n = 0;
	for (size_t i = 0; i < n_kernel; i++)
		bytes_u64(room, words_get(chain, i));
	bytes_u64(room, PERF_CONTEXT_USER);
	bytes_add(room, ips, n * sizeof(*ips));
	return (struct words){ .bytes = room->data, .n = n_kernel + 1 + n };
}

int unwound_sample_encode(const struct sample *s, const uint64_t *ips, size_t n,
			  const struct attr *to, struct bytes *room, struct bytes *out)
{
	struct sample unwound = *s;
	int r;

	if (n)
		unwound.chain = unwound_sample_join(&s->chain, ips, n, room);
	while ((r = sample_encode(&unwound, to, out)) == -EMSGSIZE && unwound.chain.n)
		unwound.chain.n /= 2;
	return r;
}
