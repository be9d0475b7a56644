/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What new events are called: probe:tcp_sendmsg, probe_libc:malloc__return, and tcp_sendmsg_1 where
 * that exists already.
 */
#include <stdbool.h>

#include "base/name-list.h"

struct diag;
struct probe_def;

/* "probe_libc" for "/lib/libc.so.6". The caller frees it. */
char *event_group_of(const char *path);

/*
 * The name without a number: that which @d gives, or @function without what no name may have, with
 * _L12, __return and so on as Linux's perf does. The caller frees it.
 */
char *event_base_name(const struct probe_def *d, const char *function);

/*
 * The first free one of BASE, BASE_1, BASE_2, ... that @taken ("GROUP:EVENT") has not. -EEXIST with
 * @diag unless @may_number: BASE itself is taken.
 */
int event_free_name(const char *group, const char *base, const struct name_list *taken,
		    bool may_number, char **ret, struct diag *diag);
