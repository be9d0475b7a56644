/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Makes the names of new events: probe:tcp_sendmsg, probe_libc:malloc__return, and tcp_sendmsg_1 if
 * tcp_sendmsg exists already.
 */
#include <stdbool.h>

#include "base/name-list.h"

struct diag;
struct probe_def;

/* Returns "probe_libc" for "/lib/libc.so.6". The caller frees it. */
char *event_group_of(const char *path);

/*
 * Returns the name without a number: the one that @d gives, or @function without characters that a
 * name may not have, with _L12, __return and so on appended as Linux's perf does. The caller frees
 * it.
 */
char *event_base_name(const struct probe_def *d, const char *function);

/*
 * Finds the first of BASE, BASE_1, BASE_2, ... that is not in @taken ("GROUP:EVENT"). -EEXIST with
 * @diag unless @may_number: BASE itself is taken.
 */
int event_free_name(const char *group, const char *base, const struct name_list *taken,
		    bool may_number, char **ret, struct diag *diag);
