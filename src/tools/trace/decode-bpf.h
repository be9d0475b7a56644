/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The records of trace.bpf.c as events.
 *
 * The bytes are those of a ring that the kernel writes. Nothing in them is believed: a record that
 * is not as it should be is an error, never a read beyond its end.
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
 * The event that the @size bytes of a record tell, which is not a TRACE_PAD. It points into @record
 * and into @d, and holds until the next call. -EBADMSG: it is damaged.
 */
int trace_decode(struct trace_decoder *d, const void *record, size_t size, struct call_event *ret);
