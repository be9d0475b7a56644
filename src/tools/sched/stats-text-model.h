/* SPDX-License-Identifier: MIT */
#pragma once
/* Parses the text of /proc/schedstat. */
#include <stddef.h>
#include <stdint.h>

#include "tools/sched/schedstat-model.h"

struct diag;

/*
 * Calls @each for every line of a CPU or domain in @text. @mask is the text of the domain's CPUs,
 * in hexadecimal, and @name is its name since version 17, else "". Both are valid only in the
 * callback. Errors with @diag: -EPROTO if the version is unknown, -EBADMSG if the text is
 * malformed.
 */
int schedstat_parse(const char *text,
		    void (*each)(void *arg, const struct schedstat_line *l, const char *name,
				 const char *mask),
		    void *arg, struct diag *diag);
