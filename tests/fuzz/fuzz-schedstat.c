/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes lines of /proc/schedstat, as text and as records: lines that were read are the same after
 * they are written and read again.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/sched/stats-text-model.h"
#include "tools/sched/stats-model.h"
#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/cursor.h"
#include "base/diag.h"
#include "base/memory.h"
#include "wire/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take(void *arg, const struct schedstat_line *l, const char *name, const char *mask)
{
	(void)name;
	(void)mask;
	sched_stats_add(arg, l);
}

static void read_record(const uint8_t *data, size_t size)
{
	struct schedstat_line l, back;
	_cleanup_(bytes_done) struct bytes b = { 0 };

	if (schedstat_decode(PERF_RECORD_SCHEDSTAT_DOMAIN, cursor_over(data, size, false), &l) < 0)
		return;
	schedstat_encode(&l, &b);
	if (schedstat_decode(PERF_RECORD_SCHEDSTAT_DOMAIN,
			     cursor_over((const uint8_t *)b.data + RECORD_HEADER_SIZE,
					 b.n - RECORD_HEADER_SIZE, false),
			     &back) < 0 ||
	    memcmp(&l, &back, sizeof(l)) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *text = xstrndup((const char *)data, size);
	_cleanup_(sched_stats_done) struct sched_stats s = { .version = 0 }, average;

	schedstat_parse(text, take, &s, &diag);
	sched_stats_average(&s, &average);
	read_record(data, size);
	return 0;
}
