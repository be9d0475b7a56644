/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Packets of Intel Processor Trace, according to the Software Developer's Manual (volume 3, "Intel
 * Processor Trace", "Trace packets and data types").
 *
 * A packet is 1 to 16 bytes, and its first bytes determine its length. One thing depends on
 * previous packets: inside a block (BBP to BEP) bytes that would be a short TNT are block items
 * (BIP). Nothing here reads code: a decoder of instructions interprets the branches.
 */
#include <stddef.h>
#include <stdint.h>

enum pt_packet_kind {
	PT_PAD,
	PT_TNT, /* branches, taken or not: `count` of them in `payload`, the newest in bit 0 */
	PT_TIP_PGD,
	PT_TIP_PGE,
	PT_TIP,
	PT_FUP,
	PT_TSC,
	PT_TMA,       /* payload: CTC, count: fast counter */
	PT_MODE_EXEC, /* payload: 16, 32 or 64 bits; count: whether interrupts are enabled */
	PT_MODE_TSX,  /* payload: bit 0 in a transaction, bit 1 it was aborted */
	PT_MTC,
	PT_CYC,
	PT_CBR,
	PT_PIP, /* payload: CR3 without its low 5 bits; count: non-root operation */
	PT_VMCS,
	PT_PSB,
	PT_PSBEND,
	PT_OVF,
	PT_TRACESTOP,
	PT_PTWRITE, /* has_ip */
	PT_EXSTOP,  /* has_ip */
	PT_MWAIT,
	PT_PWRE,
	PT_PWRX,
	PT_BBP, /* payload: type; count: size of an item's value, 4 or 8 bytes */
	PT_BIP, /* count: number of the item; payload: its value */
	PT_BEP, /* has_ip */
	PT_CFE, /* has_ip; count: type; payload: vector */
	PT_EVD, /* count: type; payload */
	PT_MNT,
	PT_PACKET_KINDS
};

struct pt_packet {
	enum pt_packet_kind kind;
	uint64_t payload;
	uint32_t count;
	uint8_t ip_bytes; /* TIP*, FUP: 2, 4, 6, 8 bytes of the address; 0: no address */
	uint8_t has_ip;   /* a FUP with the address of the event follows */
	uint8_t size;     /* in bytes */
};

/* The state of a block, which determines how the next packet is decoded. Starts as PT_NO_BLOCK. */
enum pt_block {
	PT_NO_BLOCK,
	PT_BLOCK_4, /* items have 4 bytes of value */
	PT_BLOCK_8,
};

/*
 * Decodes the packet at the beginning of the @n bytes at @bytes. -EBADMSG if there is no such
 * packet, -ENODATA if it ends after @n; @block and @ret are then untouched.
 */
int pt_packet_decode(const uint8_t *bytes, size_t n, enum pt_block *block, struct pt_packet *ret);
