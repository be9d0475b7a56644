/* SPDX-License-Identifier: MIT */
#pragma once
/* Reads fields of a tracepoint's record, for BPF programs. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "bpf/program-types.h"

/*
 * The return value of every program of a tracepoint. With 0 the kernel would hide the event from
 * all others that count or record it (trace_call_bpf()).
 */
#define PROGRAM_PASS 1

/*
 * Returns the number in field @f of the record at @ctx, sign-extended if it is signed. A helper
 * reads it, because the verifier lets programs read the context only at offsets that are part of
 * the instruction.
 */
static __always_inline __u64 field_number(void *ctx, const volatile struct program_field *f)
{
	__u32 size = f->size, unused;
	__u64 value = 0;

	if (size < 1 || size > sizeof(value))
		return 0;
	bpf_probe_read_kernel(&value, size, ctx + f->offset);
	unused = 64 - 8 * size;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	value <<= unused;
#endif
	return f->is_signed ? (__u64)((__s64)value >> unused) : value >> unused;
}
