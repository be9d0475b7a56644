/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes kprobe_events, uprobe_events and a cache's file of probes: a line that was read is written
 * as one that reads back the same.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "probe/trace-probe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const char *line, bool is_user)
{
	struct trace_probe first = { 0 }, second = { 0 };

	if (trace_probe_parse(line, is_user, &first) < 0)
		return;

	_cleanup_(freep) char *text = trace_probe_text(&first);

	if (trace_probe_parse(text, is_user, &second) < 0)
		abort();

	_cleanup_(freep) char *again = trace_probe_text(&second);

	if (strcmp(text, again) != 0)
		abort();
	trace_probe_done(&first);
	trace_probe_done(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *line = xstrndup((const char *)data, size);

	check(line, false);
	check(line, true);
	return 0;
}
