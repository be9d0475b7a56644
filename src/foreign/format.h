/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A format of stacks that is not perf's own.
 */
#include <stdbool.h>
#include <stddef.h>

struct diag;
struct stack_profile;

struct foreign_format {
	const char *name;
	/* Whether a file that begins with these bytes may be one. */
	bool (*is_it)(const char *begin, size_t n);
	/*
	 * Adds what the file has. -EBADMSG with @diag: it is damaged, or another format after all;
	 * the message says what is wrong, without the name of the file.
	 */
	int (*read)(const char *bytes, size_t n, struct stack_profile *p, struct diag *diag);
};

extern const struct foreign_format format_firefox, format_folded, format_pprof;
