/* SPDX-License-Identifier: MIT */
#pragma once
/* Translates a request into settings of tracefs: the files and the values to write to them. */
#include <stdbool.h>
#include <stddef.h>

#include "base/cpu-list.h"
#include "capture/task-list.h"
#include "tools/ftrace/request-work.h"

struct ftrace_setting {
	const char *file;
	char *value;
	bool is_added;      /* the value is appended to a list */
	const char *option; /* the option that asks for the value; NULL: it is the default */
};

struct ftrace_settings {
	struct ftrace_setting *items;
	size_t n, room;
};

void ftrace_settings_done(struct ftrace_settings *s);

/*
 * Makes all settings that decide what is traced and how it is shown, in the order in which they are
 * to be written. The first one switches tracing off, and the last one is the tracer. Only @tasks
 * are traced, or all tasks if there are none.
 */
void ftrace_settings_make(const struct ftrace_request *rq, const struct cpu_list *cpus,
			  const struct task_list *tasks, struct ftrace_settings *ret);
