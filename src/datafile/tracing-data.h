/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The TRACING_DATA blob: formats of the recorded tracepoints, copied from tracefs by the recorder.
 *
 * The parsed form lends texts from the blob, which must outlive it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct bytes;
struct diag;

struct tracing_format {
	const char *system;
	const char *text; /* not NUL-terminated */
	size_t length;
};

struct tracing_data {
	bool big_endian;
	uint8_t long_size;
	uint32_t page_size;
	const char *version;
	struct tracing_format header_page, header_event; /* without a system */
	struct tracing_format *formats;
	size_t n_formats, room;
	const char *kallsyms, *printk, *cmdlines; /* texts, not NUL-terminated */
	size_t kallsyms_length, printk_length, cmdlines_length;
};

/* Parses @size bytes; whole parts before damage are kept. -EBADMSG with @diag if there are none. */
int tracing_data_parse(const void *bytes, size_t size, struct tracing_data *ret, struct diag *diag);
void tracing_data_done(struct tracing_data *t);

/* Appends the blob for @t, with formats grouped by system in the given order, in our byte order. */
void tracing_data_encode(const struct tracing_data *t, struct bytes *out);
