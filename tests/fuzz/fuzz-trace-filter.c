/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes filters on arguments: reading ends and never goes beyond the text, an error has a message
 * and marks a place within the text, and an accepted filter can be applied to calls.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/trace/kept-call-model.h"
#include "tools/trace/filter-model.h"
#include "tools/trace/tasks-model.h"
#include "base/diag.h"
#include "base/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_on_calls(const struct trace_filter *f, struct trace_tasks *tasks)
{
	struct call_data name = { .arg = 1, .size = 4, .bytes = (const uint8_t *)"/etc" };

	for (int nr = -1; nr < 300; nr += 7) {
		struct trace_call c = { .task = trace_tasks_get(tasks, 5, 6),
					.abi = SYSCALL_ABI_X86_64,
					.nr = nr,
					.has_enter = nr & 1,
					.enter_ns = 5,
					.exit_ns = nr & 2 ? 0 : 9,
					.args = { 3, 1, UINT64_MAX, 0, 77, 1 },
					.data = &name,
					.n_data = 1 };

		if (nr >= 0)
			c.desc = syscall_find(SYSCALL_ABI_X86_64, (unsigned)nr);
		trace_filter_passes(f, tasks, &c);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *text = xstrndup((const char *)data, size);
	_cleanup_(trace_filter_freep) struct trace_filter *f = NULL;
	_cleanup_(trace_tasks_freep) struct trace_tasks *tasks = trace_tasks_new(false);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct trace_filter_scope scope = { .has_abi[SYSCALL_ABI_X86_64] = true };
	int r = trace_filter_parse(text, &scope, &f, &diag);

	if (r == 0 ? diag.message != NULL : r != -EINVAL || !diag.message || f)
		abort();
	if (diag.excerpt && diag.offset + diag.length > strlen(text))
		abort();
	if (f)
		try_on_calls(f, tasks);
	return 0;
}
