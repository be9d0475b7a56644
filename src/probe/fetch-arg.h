/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An argument as the kernel fetches it: `tsk->flags` becomes `+44(%x0):u32`.
 */
#include <stddef.h>
#include <stdint.h>

struct debug_info;
struct debug_place;
struct diag;
struct probe_def;
struct probe_target;
struct trace_probe;

/*
 * Appends what argument number @i of @d is at @place to @p ($vars and $params become several).
 * @info and @place are NULL where there is no debug information: then only what is the kernel's own
 * can be had ($retval, %x0, $stack, @sym, +8(...)), and, by BTF, parameters of the kernel function
 * that
 * @p->symbol or the point names. Of a program @p must have its offset already. Errors: @diag points
 * at the argument. -ENOENT: no such variable; -ENODATA: it has no place here (another copy may have
 * it); -EINVAL: it cannot be used so.
 */
int fetch_arg_add(const struct probe_def *d, size_t i, struct probe_target *t,
		  struct debug_info *info, const struct debug_place *place, struct trace_probe *p,
		  struct diag *diag);
