/* SPDX-License-Identifier: MIT */
#pragma once
/* Translates an argument to the kernel's notation: `tsk->flags` becomes `+44(%x0):u32`. */
#include <stddef.h>
#include <stdint.h>

struct debug_info;
struct debug_place;
struct diag;
struct probe_def;
struct probe_target;
struct trace_probe;

/*
 * Appends argument number @i of @d, as it is at @place, to @p ($vars and $params become several).
 * Without debug information, @info and @place are NULL. Then only the kernel's own notation works
 * ($retval, %x0, $stack, @sym, +8(...)), and, through BTF, the parameters of the kernel function
 * that @p->symbol or the point names. For a program, @p must have its offset already. Errors mark
 * the argument in @diag. -ENOENT: no such variable; -ENODATA: it has no location here (another copy
 * may have one); -EINVAL: it cannot be used in this way.
 */
int fetch_arg_add(const struct probe_def *d, size_t i, struct probe_target *t,
		  struct debug_info *info, const struct debug_place *place, struct trace_probe *p,
		  struct diag *diag);
