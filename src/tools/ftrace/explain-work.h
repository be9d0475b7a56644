/* SPDX-License-Identifier: MIT */
#pragma once
/* Explains why the kernel cannot trace as requested. */
struct diag;
struct ftrace_request;
struct ftrace_setting;

/*
 * Checks the tracer: -EOPNOTSUPP with @diag if the kernel lacks the tracer that @rq needs; -EACCES
 * and similar errors if access is denied.
 */
int ftrace_check_tracer(const struct ftrace_request *rq, struct diag *diag);

/*
 * Explains why the setting @s could not be made in the tracing directory @tracing. Returns @error.
 */
int ftrace_explain_setting(const char *tracing, const struct ftrace_setting *s, int error,
			   struct diag *diag);

/*
 * The functions that ftrace can trace.
 */

struct name_filter;
struct name_list;

/*
 * Takes the names out of @text, the content of available_filter_functions: a name on each line,
 * which may be followed by the module. @filter: only names that it passes; NULL: all.
 */
void ftrace_functions_parse(const char *text, const struct name_filter *filter,
			    struct name_list *ret);

/*
 * Lists the functions of the tracing directory @tracing, in its order; @filter is a text for
 * name_filter_parse(), or NULL. Release with name_list_done(). Returns a negative errno with @diag.
 */
int ftrace_functions_list(const char *tracing, const char *filter, struct name_list *ret,
			  struct diag *diag);
