/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The packets of Intel PT from a PSB up to PSBEND: the state at that place of the trace.
 *
 * Separate from hwtrace/intel-pt-packet.h, because libipt has types of the same names.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pt_header {
	uint64_t ip; /* has_ip: tracing is on, and the program is at this address */
	uint64_t tsc;
	bool has_ip, has_tsc;
};

/* Reads the packets at @bytes, which begin with a PSB, up to PSBEND or the first invalid one. */
void pt_header_read(const uint8_t *bytes, size_t n, struct pt_header *ret);
