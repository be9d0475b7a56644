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
