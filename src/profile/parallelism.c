/* SPDX-License-Identifier: MIT */
#include "profile/parallelism.h"

#include <stdbool.h>

#include "datafile/features.h"
#include "session/consumer.h"
#include "session/session.h"
#include "wire/record.h"

void parallelism_init(struct parallelism *p, const struct session *s)
{
	uint32_t cpus = session_features(s)->cpus_available;

	*p = (struct parallelism){ .running = 1, .most = cpus ? cpus : UINT32_MAX };
}

uint64_t parallelism_types(void)
{
	return RECORD_TYPE_BIT(PERF_RECORD_SWITCH) | RECORD_TYPE_BIT(PERF_RECORD_SWITCH_CPU_WIDE) |
	       RECORD_TYPE_BIT(PERF_RECORD_EXIT);
}

void parallelism_take(struct parallelism *p, const struct delivered *d)
{
	const struct record_header *h = &d->raw.header;
	bool ends = h->type == PERF_RECORD_EXIT || h->misc & PERF_RECORD_MISC_SWITCH_OUT;

	p->running += ends ? -1 : 1;
}

uint32_t parallelism_now(const struct parallelism *p)
{
	int64_t n = p->running < p->most ? p->running : p->most;

	return n < 1 ? 1 : (uint32_t)n;
}

bool parallelism_is_known(const struct session *s)
{
	for (size_t i = 0; i < session_event_count(s); i++)
		if (session_event(s, i)->attr.context_switch)
			return true;
	return false;
}
