/* SPDX-License-Identifier: MIT */
#include "tools/ftrace/opts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/number.h"
#include "cli/command.h"
#include "kernel/tracefs.h"
#include "options/tracing-dir.h"
#include "options/value.h"
#include "tools/ftrace/trace-buffer-work.h"

const struct option ftrace_target_options[] = {
	OPT_HEADING("Whom to trace:"),
	OPT_CALL('p', "pid", struct ftrace_request, target.pids, "pid",
		 "running processes with all their threads: 12,34", .set = id_list_set),
	OPT_CALL(0, "tid", struct ftrace_request, target.tids, "tid", "running threads: 12,34",
		 .set = id_list_set),
	OPT_FLAG('a', "all-cpus", struct ftrace_request, target.all_cpus,
		 "the whole system: every process on every CPU"),
	OPT_CALL('C', "cpu", struct ftrace_request, target.cpus, "cpu", "on these CPUs only: 0,2-3",
		 .set = cpu_list_set),
	OPT_FLAG('v', "verbose", struct ftrace_request, verbose, "say more about how it is done"),
	OPT_END
};

int ftrace_buffer_set(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	uint64_t bytes = 0;
	int r = negated ? 0 : size_set(&bytes, o, value, false, diag);

	if (r < 0)
		return r;
	if (!negated && bytes < 1024)
		return value_refuse(diag, o, value, 0, strlen(value),
				    "a buffer has at least 1K for each CPU");
	*(uint64_t *)field = bytes / 1024;
	return 0;
}

int ftrace_functions_add(void *field, const struct option *o, const char *value, bool negated,
			 struct diag *diag)
{
	struct ftrace_functions *f = field;

	if (negated) {
		f->n = 0;
		return 0;
	}
	/* The kernel takes a blank as the end of a name, and the text after it as another name. */
	if (!*value || value[strcspn(value, " \t\n")])
		return value_refuse(diag, o, value, 0, strlen(value),
				    *value ? "the name of a function has no blanks"
					   : "which function?");
	*ARRAY_ADD(f) = value;
	return 0;
}

/* A word of a list: a flag, or with a number after `=`. */
struct look_word {
	const char *name;
	size_t offset;
	bool is_number;
};

static const struct look_word function_words[] = {
	{ "call-graph", offsetof(struct ftrace_function_look, call_graph), false },
	{ "irq-info", offsetof(struct ftrace_function_look, irq_info), false },
	{ NULL, 0, false },
};

/* The words for graphs. The last ones, from PROFILE_WORDS on, are those of profile. */
static const struct look_word graph_words[] = {
	{ "args", offsetof(struct ftrace_graph_look, args), false },
	{ "retval", offsetof(struct ftrace_graph_look, retval), false },
	{ "retval-hex", offsetof(struct ftrace_graph_look, retval_hex), false },
	{ "retaddr", offsetof(struct ftrace_graph_look, retaddr), false },
	{ "verbose", offsetof(struct ftrace_graph_look, verbose), false },
	{ "tail", offsetof(struct ftrace_graph_look, tail), false },
	{ "nosleep-time", offsetof(struct ftrace_graph_look, nosleep_time), false },
	{ "noirqs", offsetof(struct ftrace_graph_look, noirqs), false },
	{ "thresh", offsetof(struct ftrace_graph_look, thresh_us), true },
	{ "depth", offsetof(struct ftrace_graph_look, depth), true },
	{ NULL, 0, false },
};

/* The words from here on affect durations, and not only text. */
#define PROFILE_WORDS (&graph_words[6])

static int ftrace_opts_store_word(void *field, const struct look_word *w, const char *number)
{
	uint64_t n;

	if (!w->is_number) {
		*(bool *)((char *)field + w->offset) = true;
		return number ? -EINVAL : 0;
	}
	if (!number || number_parse(number, &n) < 0 || n > INT32_MAX)
		return -EINVAL;
	*(uint64_t *)((char *)field + w->offset) = n;
	return 0;
}

static int ftrace_opts_take_word(void *field, const struct look_word *words, const char *word)
{
	size_t length = strcspn(word, "=");
	const char *number = word[length] ? word + length + 1 : NULL;

	for (const struct look_word *w = words; w->name; w++)
		if (strlen(w->name) == length && !strncmp(w->name, word, length))
			return ftrace_opts_store_word(field, w, number);
	return -ENOENT;
}

static int ftrace_opts_take_words(void *field, const struct look_word *words,
				  const struct option *o, const char *value, struct diag *diag)
{
	for (const char *at = value; at; at = value_next(at)) {
		size_t length = value_word(at);
		_cleanup_(freep) char *word = xstrndup(at, length);
		int r = ftrace_opts_take_word(field, words, word);

		if (r == -ENOENT)
			return value_refuse(diag, o, value, (size_t)(at - value), length,
					    "Unknown option name '%s'", word);
		if (r < 0)
			return value_refuse(diag, o, value, (size_t)(at - value), length,
					    strchr(word, '=') ? "'%s' takes no such number"
							      : "'%s' needs a number: %s=3",
					    word, word);
	}
	return 0;
}

int ftrace_function_look_set(void *field, const struct option *o, const char *value, bool negated,
			     struct diag *diag)
{
	struct ftrace_function_look look = { 0 };
	int r = negated ? 0 : ftrace_opts_take_words(&look, function_words, o, value, diag);

	if (r >= 0)
		*(struct ftrace_function_look *)field = look;
	return r;
}

static int set_graph_look(void *field, const struct look_word *words, const struct option *o,
			  const char *value, bool negated, struct diag *diag)
{
	struct ftrace_graph_look look = { 0 };
	int r = negated ? 0 : ftrace_opts_take_words(&look, words, o, value, diag);

	if (r >= 0)
		*(struct ftrace_graph_look *)field = look;
	return r;
}

int ftrace_graph_look_set(void *field, const struct option *o, const char *value, bool negated,
			  struct diag *diag)
{
	return set_graph_look(field, graph_words, o, value, negated, diag);
}

int ftrace_profile_look_set(void *field, const struct option *o, const char *value, bool negated,
			    struct diag *diag)
{
	return set_graph_look(field, PROFILE_WORDS, o, value, negated, diag);
}

int ftrace_prepare(const struct invocation *inv, struct ftrace_request *rq, char **ret_tracing,
		   struct diag *diag)
{
	_cleanup_(freep) char *typed = command_tracing_dir(inv);
	_cleanup_(tracefs_freep) struct tracefs *fs = NULL;
	const char *overridden = target_settle(&rq->target);
	int r = tracefs_open(typed, &fs, diag);

	if (r == -EACCES)
		return trace_buffer_explain(typed ? typed : "tracefs", r, diag);
	if (r < 0)
		return r;
	if (overridden) {
		struct diag d = { 0 };

		diag_set(&d, 0, "%s", overridden);
		command_warn(inv, &d);
		diag_done(&d);
	}
	*ret_tracing = xstrdup(tracefs_path(fs));
	rq->tracing = *ret_tracing;
	rq->argv = inv->argv;
	return 0;
}
