/* SPDX-License-Identifier: MIT */
#include "tools/trace/summary-rows-bpf.h"

#include <string.h>

_Static_assert(BPF_TRACE_SUMMARY_BUCKETS == TRACE_SUMMARY_BUCKETS, "both sides have the same rows");

void trace_summary_row_moments(const struct trace_summary_row *row, double *ret_mean,
			       double *ret_m2)
{
	long double n = (long double)row->calls, total = (long double)row->total_ns;
	long double squares = (long double)row->carries * 0x1p64L + (long double)row->squares +
			      (long double)row->large_squares * 0x1p32L;
	long double m2 = n > 0 ? squares - total * total / n : 0;

	*ret_mean = n > 0 ? (double)(total / n) : 0;
	/* Large squares are rounded down, and counts are read while they change. */
	*ret_m2 = m2 > 0 ? (double)m2 : 0;
}

struct bpf_trace_summary_row
trace_summary_row_figures(uint32_t call, const struct trace_summary_row *row, const uint8_t abis[2])
{
	struct bpf_trace_summary_row r = { .nr = -1, .events = row->calls };

	if (call == TRACE_SUMMARY_NO_CALL)
		return r;
	r.abi = abis[(call & TRACE_SUMMARY_COMPAT) != 0];
	r.nr = (int32_t)(call & ~TRACE_SUMMARY_COMPAT);
	r.calls = row->calls;
	r.events = 2 * row->calls - row->unseen;
	r.errors = row->errors;
	r.total_ns = row->total_ns;
	r.min_ns = ~row->max_inverse;
	r.max_ns = row->max_ns;
	trace_summary_row_moments(row, &r.mean_ns, &r.m2);
	memcpy(r.buckets, row->buckets, sizeof(r.buckets));
	return r;
}
