/* SPDX-License-Identifier: MIT */
/* perf trace record: perf record, with the tracepoints from which perf trace -i makes calls. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cmd/commands.h"
#include "cmd/trace-opts.h"

struct words {
	char **items;
	size_t n, room;
};

static void add(struct words *w, const char *word)
{
	*ARRAY_ADD(w) = (char *)word;
}

int trace_record(struct invocation *inv)
{
	static const char *const always[] = { "-R", "-m", "1024", "-c", "1" };
	const struct trace_opts *o = inv->opts;
	struct words w = { 0 };
	int status;

	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		add(&w, always[i]);
	if (o->syscalls != CHOICE_NO) {
		add(&w, "-e");
		add(&w, "raw_syscalls:sys_enter,raw_syscalls:sys_exit");
	}
	if (o->rq.faults & TRACE_FAULTS_MAJOR) {
		add(&w, "-e");
		add(&w, "major-faults");
	}
	if (o->rq.faults & TRACE_FAULTS_MINOR) {
		add(&w, "-e");
		add(&w, "minor-faults");
	}
	for (char **word = inv->argv + 1; *word; word++)
		add(&w, *word);
	add(&w, NULL);
	status = command_run(command_find(commands, "record"), w.items, inv->settings);
	free(w.items);
	return status;
}
