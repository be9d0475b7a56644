/* SPDX-License-Identifier: MIT */
#pragma once
/* A format of stacks other than perf's own. */
#include <stdbool.h>
#include <stddef.h>

struct diag;
struct stack_profile;

struct foreign_format {
	const char *name;
	/* True if a file that begins with these bytes may have this format. */
	bool (*is_it)(const char *begin, size_t n);
	/*
	 * Adds the contents of the file. -EBADMSG with @diag: it is damaged, or has another format
	 * after all; the message describes the error, without the name of the file.
	 */
	int (*read)(const char *bytes, size_t n, struct stack_profile *p, struct diag *diag);
};

extern const struct foreign_format format_firefox, format_folded, format_pprof;
