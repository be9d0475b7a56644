/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the readers of other profilers' files: the result is a recording whose samples have the
 * weights that were read, or one sentence of error.
 */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "elf/compressed.h"
#include "foreign/format.h"
#include "foreign/recording.h"
#include "foreign/stack-profile.h"
#include "symbol/given-names.h"

#define UNPACKED_MAX ((size_t)4 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take(const struct foreign_format *f, const char *bytes, size_t n)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(given_names_freep) struct given_names *names = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	int fd;

	if (f->read(bytes, n, p, &diag) < 0) {
		if (!diag.message)
			abort();
		return;
	}
	if (stack_profile_record(p, &fd, &names, &diag) >= 0)
		close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct foreign_format *const formats[] = { &format_pprof, &format_firefox,
								&format_folded };
	_cleanup_(freep) char *unpacked = NULL;
	const char *bytes = (const char *)data;

	if (compressed_is_gzip(bytes, size)) {
		if (compressed_unpack(bytes, size, UNPACKED_MAX, &unpacked, &size) < 0)
			return 0;
		bytes = unpacked;
	}
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (formats[i]->is_it(bytes, size))
			take(formats[i], bytes, size);
	return 0;
}
