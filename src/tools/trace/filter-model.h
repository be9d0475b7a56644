/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Filters on the arguments of system calls: `filename ~ "/etc/p*" && flags & CREAT`.
 *
 * The grammar is that of the kernel's event filters (event/filter.h): FIELD OPERATOR VALUE, joined
 * by && || ! and parentheses. Fields are the arguments of calls by name, and for every call
 *	ret		what it returned: a number, or -ENOENT
 *	duration	10, 10ms, 5us, 100ns, 1.5s; milliseconds without a unit
 *	comm		the name of the task
 *	pid, tid, cpu	unless the call has an argument of that name; common_pid is always the tid
 * Numbers take == != < <= > >= and &, and can be written with the names that lines show, with or
 * without their prefix: CREAT|EXCL, O_CREAT, AF_INET, SIGTERM, CWD. Text takes == != and ~, which
 * compares with a glob: the text of strings, buffers and names of files, and the path of a
 * descriptor.
 *
 * A comparison with an argument that the call does not have, or that is unknown, is false.
 */
#include <stdbool.h>
#include <stdint.h>

#include "arch/syscall/syscall.h"
#include "base/cleanup.h"
#include "tools/trace/filter-tree-model.h"

struct diag;
struct trace_call;
struct trace_filter;
struct trace_tasks;

/*
 * Parses @text. Returns -EINVAL if it is not a filter, or names an argument or a value that no call
 * of @scope has. @diag marks the place and lists the possible words.
 */
int trace_filter_parse(const char *text, const struct trace_filter_scope *scope,
		       struct trace_filter **ret, struct diag *diag);
void trace_filter_free(struct trace_filter *f);
DEFINE_FREEP(trace_filter)

/*
 * True if @c passes the filter. A call that has not ended passes only if its end cannot change the
 * result.
 */
bool trace_filter_passes(const struct trace_filter *f, struct trace_tasks *tasks,
			 const struct trace_call *c);
