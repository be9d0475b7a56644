/* SPDX-License-Identifier: MIT */
#include "bpf/field.h"

#include <errno.h>

#include "bpf/program-types.h"
#include "tracepoint/field.h"

/* The end of the pointer to the registers: perf_trace_run_bpf_submit() of the kernel. */
#define FIELDS_BEGIN 8

int bpf_field_of(const struct field_ref *f, struct program_field *ret)
{
	if (f->kind != FIELD_NUMBER)
		return -EINVAL;
	if (f->offset < FIELDS_BEGIN)
		return -EOPNOTSUPP;
	*ret = (struct program_field){ f->offset, f->size, f->is_signed };
	return 0;
}
