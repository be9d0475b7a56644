/* SPDX-License-Identifier: MIT */
#include "tools/ftrace/explain-work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/name-list.h"
#include "base/similar.h"
#include "probe/name-filter.h"
#include "tools/ftrace/request-work.h"
#include "tools/ftrace/settings-work.h"
#include "tools/ftrace/trace-buffer-work.h"
#include "tools/ftrace/trace-dir-work.h"

/* True if @word is one of the words that blanks separate in @list. */
static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = list; *at;) {
		size_t length = strcspn(at, " \n");

		if (length == n && !strncmp(at, word, n))
			return true;
		at += length + strspn(at + length, " \n");
	}
	return false;
}

static const char *config_of(const char *tracer)
{
	if (!strcmp(tracer, FTRACE_GRAPH))
		return "CONFIG_FUNCTION_GRAPH_TRACER";
	return !strcmp(tracer, FTRACE_FUNCTION) ? "CONFIG_FUNCTION_TRACER" : NULL;
}

static int ftrace_explain_refuse_tracer(const struct ftrace_request *rq, const char *tracers,
					struct diag *diag)
{
	const char *tracer = ftrace_request_tracer(rq), *config = config_of(tracer);

	if (config)
		diag_set(diag, -EOPNOTSUPP, "this kernel has no %s tracer: it was built without %s",
			 tracer, config);
	else
		diag_set(diag, -EOPNOTSUPP, "this kernel has no tracer '%s'", tracer);
	diag_hint(diag, "It has: %s", tracers);
	if (rq->needs_graph)
		diag_hint(diag, "Times between two tracepoints need no tracer: perf ftrace latency "
				"-b -e irq:softirq_entry,irq:softirq_exit");
	else if (config && has_word(tracers, FTRACE_FUNCTION))
		diag_hint(diag,
			  "-t function shows the calls of functions without their durations.");
	return -EOPNOTSUPP;
}

int ftrace_check_tracer(const struct ftrace_request *rq, struct diag *diag)
{
	struct trace_dir d = TRACE_DIR_NONE;
	_cleanup_(freep) char *tracers = NULL;
	int r = trace_dir_open(rq->tracing, &d);

	if (r >= 0)
		r = trace_dir_read_line(&d, "available_tracers", &tracers);
	trace_dir_close(&d);
	if (r < 0)
		return trace_buffer_explain(rq->tracing, r, diag);
	return has_word(tracers, ftrace_request_tracer(rq))
		       ? 0
		       : ftrace_explain_refuse_tracer(rq, tracers, diag);
}

static int explain_function(const char *tracing, const struct ftrace_setting *s, int error,
			    struct diag *diag)
{
	struct similar near = { .typed = s->value };
	_cleanup_(freep) char *phrase = NULL;
	_cleanup_(diag_done) struct diag unused = { 0 };
	struct name_list names = { 0 };

	if (ftrace_functions_list(tracing, NULL, &names, &unused) >= 0)
		for (size_t i = 0; i < names.n; i++)
			similar_add(&near, names.items[i]);
	phrase = similar_phrase(&near);
	diag_set(diag, error, "%s: there is no function '%s' that could be traced", s->option,
		 s->value);
	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	diag_hint(diag, "'perf ftrace -F' lists the functions; static and inlined ones may be "
			"missing. Patterns are as in '*sleep*'.");
	name_list_done(&names);
	return error;
}

static bool ftrace_explain_is_function(const char *file)
{
	return !strncmp(file, "set_ftrace_filter", 17) ||
	       !strncmp(file, "set_ftrace_notrace", 18) || !strncmp(file, "set_graph_", 10);
}

int ftrace_explain_setting(const char *tracing, const struct ftrace_setting *s, int error,
			   struct diag *diag)
{
	if (error == -ENOENT && s->option && strcmp(s->file, "current_tracer") != 0) {
		diag_set(diag, -EOPNOTSUPP, "%s: this kernel cannot do it (it has no %s/%s)",
			 s->option, tracing, s->file);
		return -EOPNOTSUPP;
	}
	if (ftrace_explain_is_function(s->file) &&
	    (error == -EINVAL || error == -ENOENT || error == -ENODEV))
		return explain_function(tracing, s, error, diag);
	if (error == -EACCES || error == -EPERM || error == -EROFS)
		return trace_buffer_explain(tracing, error, diag);
	return diag_set(diag, error, "%s%s%s/%s does not take '%s': %s", s->option ? s->option : "",
			s->option ? ": " : "", tracing, s->file, s->value, strerror(-error));
}

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
