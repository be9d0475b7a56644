/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Why the kernel cannot trace as it is asked to.
 */
struct diag;
struct ftrace_request;
struct ftrace_setting;

/*
 * -EOPNOTSUPP with @diag if the kernel has no such tracer as @rq needs; -EACCES and the like if it
 * may not be asked.
 */
int ftrace_check_tracer(const struct ftrace_request *rq, struct diag *diag);

/* Says why the setting @s could not be made in the tracing directory @tracing. Returns @error. */
int ftrace_explain_setting(const char *tracing, const struct ftrace_setting *s, int error,
			   struct diag *diag);

/*
 * The functions that ftrace can trace.
 */

struct name_filter;
struct name_list;

/*
 * Takes the names out of @text, which is that of available_filter_functions: a name on a line,
 * behind which the module may stand. @filter: only those that it lets through; NULL: all.
 */
void ftrace_functions_parse(const char *text, const struct name_filter *filter,
			    struct name_list *ret);

/*
 * Those of the tracing directory @tracing, in its order; @filter is a text for name_filter_parse(),
 * or NULL. Release with name_list_done(). A negative errno with @diag.
 */
int ftrace_functions_list(const char *tracing, const char *filter, struct name_list *ret,
			  struct diag *diag);
