/* SPDX-License-Identifier: MIT */
/* Converts the text that is read from a setting of tracefs to the value that restores it. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "tools/ftrace/trace-buffer-work.h"

static bool ftrace_trace_setting_is_list(const char *file)
{
	static const char *const lists[] = { "set_ftrace_filter", "set_ftrace_notrace",
					     "set_graph_function", "set_graph_notrace",
					     "set_ftrace_pid" };

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		if (!strcmp(file, lists[i]))
			return true;
	return false;
}

/*
 * Takes the first word of each line; the module of a function, which follows its name, is dropped.
 * "#### all functions enabled ####" and "no pid" are empty lists. "schedule:traceoff:unlimited" is
 * a trigger, which the kernel keeps when the list is emptied.
 */
static void ftrace_trace_setting_add_words(const char *text, struct text *out)
{
	for (const char *line = text; *line;) {
		size_t length = strcspn(line, "\n"), word = strcspn(line, " \t\n");

		if (word && *line != '#' && strncmp(line, "no pid", length) != 0 &&
		    !memchr(line, ':', word)) {
			text_add_bytes(out, line, word);
			text_add_char(out, '\n');
		}
		line += length + (line[length] == '\n');
	}
}

/*
 * Returns the second size of "7 (expanded: 1408)". That is a buffer that nobody has used yet; it
 * gets the second size on first use.
 */
static const char *expanded_size(const char *text)
{
	const char *expanded = strstr(text, "(expanded: ");

	return expanded ? expanded + strlen("(expanded: ") : text;
}

char *trace_setting_original(const char *file, const char *text, bool *ret_is_list)
{
	struct text out = TEXT_EMPTY;

	*ret_is_list = ftrace_trace_setting_is_list(file);
	if (*ret_is_list) {
		ftrace_trace_setting_add_words(text, &out);
	} else if (!strcmp(file, "buffer_size_kb")) {
		text = expanded_size(text);
		text_add_bytes(&out, text, strspn(text, "0123456789"));
	} else {
		text_add_bytes(&out, text, strcspn(text, "\n"));
	}
	return text_take(&out);
}
