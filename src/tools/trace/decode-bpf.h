/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Decodes the records of trace.bpf.c to events.
 *
 * The bytes are those of a ring that the kernel writes. They are not trusted: a malformed record is
 * an error, and is never read beyond its end.
 */
#include <stddef.h>
#include <stdint.h>

#include "arch/syscall/event.h"
#include "tools/trace/bpf-types.h"

struct trace_decoder {
	uint8_t abis[TRACE_N_ABIS]; /* enum syscall_abi of each */
	struct call_data data[CALL_DATA_MAX];
	char path[TRACE_RECORD_MAX + 1];
};

/*
 * Decodes the @size bytes of a record, which is not a TRACE_PAD, to an event. The event points into
 * @record and into @d, and is valid until the next call. Returns -EBADMSG if the record is damaged.
 */
int trace_decode(struct trace_decoder *d, const void *record, size_t size, struct call_event *ret);
