/* SPDX-License-Identifier: MIT */
#pragma once
/* A recording for tests of exporters: folded stacks in memory, and the output of a format. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "tools/data/export.h"

struct folded_recording {
	int fd;
	char path[32];
};

static inline void folded_recording_init(struct folded_recording *r, const char *lines, size_t n)
{
	r->fd = memfd_create("folded", MFD_CLOEXEC);
	assert_true(r->fd >= 0);
	assert_int_equal(write(r->fd, lines, n), (ssize_t)n);
	snprintf(r->path, sizeof(r->path), "/proc/self/fd/%d", r->fd);
}

static inline void folded_recording_done(struct folded_recording *r)
{
	close(r->fd);
}

/* Returns the output of @format. The caller frees it. */
static inline char *export_folded(const struct export_format *format, unsigned labels,
				  const char *lines, size_t n, size_t *ret_n)
{
	_cleanup_(folded_recording_done) struct folded_recording r;
	_cleanup_(exporting_done) struct exporting x = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	char *out = NULL;
	FILE *stream = open_memstream(&out, ret_n);
	int result;

	folded_recording_init(&r, lines, n);
	result = exporting_open(
		&x,
		&(struct export_request){
			.format = format,
			.settings = { .by_function = format->by_function, .labels = labels },
			.path = r.path,
			.force = true,
			.max_stack = PROFILE_MAX_STACK },
		&diag);
	if (result >= 0)
		result = exporting_write(&x, stream, r.path, &diag);
	if (result < 0)
		fail_msg("%s", diag.message ? diag.message : "no message");
	fclose(stream);
	return out;
}
