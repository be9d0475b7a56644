/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the kernel's error_log: there is always a sentence, and the place that it marks lies in
 * the line.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "kernel/probe-refusal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *log = xstrndup((const char *)data, size);
	_cleanup_(diag_done) struct diag d = { 0 };
	struct probe_refusal r = { .error = EINVAL, .line = "p:k/a f a=%x0", .log = log };

	if (probe_refusal_explain(&r, &d) != -EINVAL || !d.message)
		abort();
	if (d.length && d.offset + d.length > strlen(d.excerpt))
		abort();
	return 0;
}
