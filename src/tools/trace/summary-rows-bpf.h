/* SPDX-License-Identifier: MIT */
#pragma once
/* What the programs of trace-summary.bpf.c count, as figures. */
#include <stdint.h>

#include "tools/trace/summary-bpf-types.h"
#include "tools/trace/summary-bpf.h"

/* The mean, and the sum of the squares of the differences from it (base/moments.h). */
void trace_summary_row_moments(const struct trace_summary_row *row, double *ret_mean,
			       double *ret_m2);

/*
 * All but the group's members, and errnos. @abis are those of 64-bit and 32-bit programs. A row of
 * TRACE_SUMMARY_NO_CALL has events only.
 */
struct bpf_trace_summary_row trace_summary_row_figures(uint32_t call,
						       const struct trace_summary_row *row,
						       const uint8_t abis[2]);
