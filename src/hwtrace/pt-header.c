/* SPDX-License-Identifier: MIT */
#include "hwtrace/pt-header.h"

#include "hwtrace/intel-pt-packet.h"

/*
 * The upper 3 bits of a FUP: an address of 48 bits, whose highest bit is copied to all bits above.
 */
#define SIGN_EXTENDED 3

/*
 * Returns a whole address. After a PSB there is no earlier address that a shorter one could extend.
 */
static uint64_t whole_address(uint8_t first, uint64_t payload)
{
	return first >> 5 == SIGN_EXTENDED ? (uint64_t)((int64_t)(payload << 16) >> 16) : payload;
}

void pt_header_read(const uint8_t *bytes, size_t n, struct pt_header *ret)
{
	enum pt_block block = PT_NO_BLOCK;
	struct pt_packet p = { 0 };

	*ret = (struct pt_header){ 0 };
	for (size_t at = 0; at < n && p.kind != PT_PSBEND; at += p.size) {
		if (pt_packet_decode(bytes + at, n - at, &block, &p) < 0)
			return;
		if (p.kind == PT_FUP && p.ip_bytes) {
			ret->has_ip = true;
			ret->ip = whole_address(bytes[at], p.payload);
		} else if (p.kind == PT_TSC) {
			ret->has_tsc = true;
			ret->tsc = p.payload;
		}
	}
}
