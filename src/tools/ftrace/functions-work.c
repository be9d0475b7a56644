/* SPDX-License-Identifier: MIT */
#include "tools/ftrace/functions-work.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/name-list.h"
#include "probe/name-filter.h"
#include "tools/ftrace/trace-buffer-work.h"
#include "tools/ftrace/trace-dir-work.h"

/* No symbol of the kernel is longer (KSYM_NAME_LEN). */
#define NAME_SIZE 512

void ftrace_functions_parse(const char *text, const struct name_filter *filter,
			    struct name_list *ret)
{
	char name[NAME_SIZE];

	for (const char *line = text; *line;) {
		size_t length = strcspn(line, "\n"), word = strcspn(line, " \t\n");

		if (word && word < sizeof(name)) {
			memcpy(name, line, word);
			name[word] = '\0';
			if (!filter || name_filter_has(filter, name))
				name_list_add(ret, name);
		}
		line += length + (line[length] == '\n');
	}
}

int ftrace_functions_list(const char *tracing, const char *filter, struct name_list *ret,
			  struct diag *diag)
{
	_cleanup_(name_filter_freep) struct name_filter *f = NULL;
	struct trace_dir d = TRACE_DIR_NONE;
	_cleanup_(freep) char *text = NULL;
	int r = filter ? name_filter_parse(filter, &f, diag) : 0;

	if (r < 0)
		return r;
	r = trace_dir_open(tracing, &d);
	if (r >= 0)
		r = trace_dir_read(&d, "available_filter_functions", &text);
	trace_dir_close(&d);
	if (r == -ENOENT)
		return diag_set(diag, -EOPNOTSUPP,
				"this kernel cannot list functions: it was built without "
				"CONFIG_DYNAMIC_FTRACE");
	if (r < 0)
		return trace_buffer_explain(tracing, r, diag);
	ftrace_functions_parse(text, f, ret);
	return 0;
}
