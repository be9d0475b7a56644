/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The text of /proc/schedstat.
 */
#include <stddef.h>
#include <stdint.h>

#include "tools/sched/schedstat-model.h"

struct diag;

/*
 * Calls @each for every line of a CPU or domain of @text. @mask is the text of the domain's CPUs,
 * in hexadecimal, and @name its name since version 17, else "". Both end with the callback.
 * -EPROTO: its version is not known; -EBADMSG: it is malformed; with @diag.
 */
int schedstat_parse(const char *text,
		    void (*each)(void *arg, const struct schedstat_line *l, const char *name,
				 const char *mask),
		    void *arg, struct diag *diag);
