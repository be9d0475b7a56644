/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The packets of Intel PT that follow a PSB, up to PSBEND: what holds at that place of the trace.
 *
 * Apart from hwtrace/intel-pt-packet.h, as libipt has types of the same names.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pt_header {
	uint64_t ip; /* has_ip: tracing is on, and the program is there */
	uint64_t tsc;
	bool has_ip, has_tsc;
};

/* Reads the packets at @bytes, which begin with a PSB, up to PSBEND or the first that is none. */
void pt_header_read(const uint8_t *bytes, size_t n, struct pt_header *ret);
