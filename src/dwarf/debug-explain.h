/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Why nothing can be probed at a point, and what can be near it. For the files of this layer.
 */
#include <config.h>

#if HAVE_LIBELF && HAVE_LIBDW
struct debug_info;
struct debug_point;
struct diag;

/* The line that @p asks for has no code of its own. Returns -ENOENT. */
int debug_explain_line(struct debug_info *d, const struct debug_point *p, struct diag *diag);

/* No line matches the text that @p asks for. Returns -ENOENT. */
int debug_explain_text(const struct debug_point *p, struct diag *diag);

/* There is no function as @p asks for. Returns -ENOENT. */
int debug_explain_function(struct debug_info *d, const struct debug_point *p, struct diag *diag);
#endif
