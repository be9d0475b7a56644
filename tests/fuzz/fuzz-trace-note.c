/* SPDX-License-Identifier: MIT */
/* Fuzzes notes and settings of the trace buffer: no name leads out of the directory. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "tools/ftrace/explain-work.h"
#include "kernel/ftrace-names.h"
#include "tools/ftrace/trace-buffer-work.h"
#include "tools/ftrace/trace-note-work.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_note(const char *text, size_t size)
{
	struct trace_note n;

	if (trace_note_parse(text, size, &n) < 0)
		return;
	for (size_t i = 0; i < n.n; i++)
		if (*n.items[i].file == '/' || strstr(n.items[i].file, ".."))
			abort();
	trace_note_done(&n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *text = xstrndup((const char *)data, size);
	static const char *const files[] = { "set_ftrace_filter", "buffer_size_kb", "tracing_on" };
	_cleanup_(function_names_freep) struct function_names *names = NULL;
	struct name_list functions = { 0 };
	bool is_list;

	check_note((const char *)data, size);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		free(trace_setting_original(files[i], text, &is_list));
	ftrace_functions_parse(text, NULL, &functions);
	name_list_done(&functions);
	names = function_names_parse(text, strlen(text));
	function_names_find(names, size);
	return 0;
}
