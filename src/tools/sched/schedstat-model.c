/* SPDX-License-Identifier: MIT */
/*
 * The layout: u64 time; u32 cpu; u16 version; u16 domain (0 for a CPU). For a CPU, u32 yld_count,
 * array_exp, sched_count, sched_goidle, ttwu_count, ttwu_local and u64 rq_cpu_time, run_delay,
 * pcount follow; for a domain its u32 values, with space for the 45 of version 17, and u32 padding.
 */
#include "tools/sched/schedstat-model.h"

#include <errno.h>

#include "base/bytes.h"
#include "base/cursor.h"
#include "wire/record.h"

#define WORDS_32               6 /* this many of a CPU's values have 32 bits; the others have 64 */
#define DOMAIN_VALUES_UP_TO_16 36
#define CPU_RECORD_BYTES       72
#define DOMAIN_RECORD_BYTES    208

size_t schedstat_values(uint16_t version, bool is_domain)
{
	if (!is_domain)
		return SCHEDSTAT_CPU_VALUES;
	return version < 17 ? DOMAIN_VALUES_UP_TO_16 : SCHEDSTAT_DOMAIN_VALUES;
}

int schedstat_decode(uint32_t type, struct cursor c, struct schedstat_line *ret)
{
	struct schedstat_line l = { .is_domain = type == PERF_RECORD_SCHEDSTAT_DOMAIN };
	size_t n;

	l.time = cursor_u64(&c);
	l.cpu = cursor_u32(&c);
	l.version = cursor_u16(&c);
	l.domain = cursor_u16(&c);
	if (c.bad)
		return -EBADMSG;
	if (l.version < SCHEDSTAT_VERSION_MIN || l.version > SCHEDSTAT_VERSION_MAX)
		return -EPROTO;
	n = schedstat_values(l.version, l.is_domain);
	for (size_t i = 0; i < n; i++)
		l.values[i] = l.is_domain || i < WORDS_32 ? cursor_u32(&c) : cursor_u64(&c);
	if (c.bad)
		return -EBADMSG;
	*ret = l;
	return 0;
}

void schedstat_encode(const struct schedstat_line *l, struct bytes *out)
{
	size_t end = out->n + (l->is_domain ? DOMAIN_RECORD_BYTES : CPU_RECORD_BYTES);
	size_t n = schedstat_values(l->version, l->is_domain);

	bytes_u32(out, l->is_domain ? PERF_RECORD_SCHEDSTAT_DOMAIN : PERF_RECORD_SCHEDSTAT_CPU);
	bytes_u16(out, 0);
	bytes_u16(out, (uint16_t)(end - (out->n - 6)));
	bytes_u64(out, l->time);
	bytes_u32(out, l->cpu);
	bytes_u16(out, l->version);
	bytes_u16(out, l->domain);
	for (size_t i = 0; i < n; i++)
		if (l->is_domain || i < WORDS_32)
			bytes_u32(out, (uint32_t)l->values[i]);
		else
			bytes_u64(out, l->values[i]);
	bytes_zero(out, end - out->n);
}
