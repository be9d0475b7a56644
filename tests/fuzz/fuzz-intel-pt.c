/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes packets of Intel PT: decoding stays within the bytes, a packet is 1 to 16 bytes long, and
 * a packet decodes to the same if its bytes are all that there is.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hwtrace/branch-insn.h"
#include "hwtrace/bts-decoder.h"
#include "hwtrace/intel-pt-info.h"
#include "hwtrace/intel-pt-packet.h"
#include "hwtrace/pt-header.h"
#include "wire/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void decode_packets(const uint8_t *data, size_t size)
{
	enum pt_block block = PT_NO_BLOCK;

	for (size_t at = 0; at < size;) {
		struct pt_packet p, again;
		enum pt_block before = block;

		if (pt_packet_decode(data + at, size - at, &block, &p) < 0) {
			at++;
			continue;
		}
		if (!p.size || p.size > 16 || p.size > size - at || p.kind >= PT_PACKET_KINDS)
			abort();
		if (pt_packet_decode(data + at, p.size, &before, &again) < 0 || before != block ||
		    again.kind != p.kind || again.payload != p.payload)
			abort();
		at += p.size;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct words words = { .bytes = data, .n = size / sizeof(uint64_t), .swap = false };
	struct pt_info info;
	struct pt_header header;
	struct bts_branch b;
	size_t sum = 0;

	decode_packets(data, size);
	pt_header_read(data, size, &header);
	sum += header.has_ip + header.has_tsc;
	if (pt_info_read(&words, &info) >= 0 && info.filter)
		sum += strlen(info.filter);
	for (size_t at = 0; at < size; at++) {
		uint32_t flags = 0;
		size_t n = branch_insn(data + at, size - at, &flags);

		if (n > size - at || (n && !flags))
			abort();
		sum += n;
	}
	for (size_t at = 0; at < size; at += BTS_BRANCH_SIZE)
		sum += bts_branch_decode(data + at, size - at, &b);
	__asm__ volatile("" : : "r"(sum));
	return 0;
}
