/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A request as settings of tracefs: which file says what.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cpu-list.h"
#include "capture/task-list.h"
#include "tools/ftrace/request-work.h"

struct ftrace_setting {
	const char *file;
	char *value;
	bool is_added;      /* one more of a list */
	const char *option; /* that asks for it; NULL: it is the usual value */
};

struct ftrace_settings {
	struct ftrace_setting *items;
	size_t n, room;
};

void ftrace_settings_done(struct ftrace_settings *s);

/*
 * All settings that decide about what is traced and how it is shown, in the order in which they are
 * to be made; tracing is off in the first, and the tracer is the last. @tasks: only these, or all
 * if there are none.
 */
void ftrace_settings_make(const struct ftrace_request *rq, const struct cpu_list *cpus,
			  const struct task_list *tasks, struct ftrace_settings *ret);
