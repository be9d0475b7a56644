/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Packets of Arm's Statistical Profiling Extension, according to "Statistical Profiling Extension
 * sample record specification" of the Arm Architecture Reference Manual.
 *
 * A packet is a header of one or two bytes and a payload of 0 to 8, little-endian.
 */
#include <stddef.h>
#include <stdint.h>

enum spe_packet_type {
	SPE_BAD, /* no packet begins here, or it is cut off */
	SPE_PAD, /* also packets that align the next one */
	SPE_END,
	SPE_TIMESTAMP,
	SPE_ADDRESS,
	SPE_COUNTER,
	SPE_CONTEXT,
	SPE_OP_TYPE,
	SPE_EVENTS,
	SPE_DATA_SOURCE,
};

struct spe_packet {
	enum spe_packet_type type;
	uint8_t index; /* enum spe_address_index or similar; the class of an operation */
	size_t size;   /* size of the whole packet; 1 for SPE_BAD */
	uint64_t payload;
};

enum spe_address_index {
	SPE_ADDRESS_PC,
	SPE_ADDRESS_BRANCH,
	SPE_ADDRESS_DATA_VIRTUAL,
	SPE_ADDRESS_DATA_PHYSICAL,
	SPE_ADDRESS_PREVIOUS_BRANCH,
};

enum spe_counter_index {
	SPE_COUNTER_TOTAL,
	SPE_COUNTER_ISSUE,
	SPE_COUNTER_TRANSLATION,
};

enum spe_op_class {
	SPE_OP_OTHER,
	SPE_OP_LOAD_STORE,
	SPE_OP_BRANCH,
};

/* Bits of SPE_EVENTS. */
enum {
	SPE_EVENT_EXCEPTION = 1 << 0,
	SPE_EVENT_RETIRED = 1 << 1,
	SPE_EVENT_L1D_ACCESS = 1 << 2,
	SPE_EVENT_L1D_MISS = 1 << 3,
	SPE_EVENT_TLB_ACCESS = 1 << 4,
	SPE_EVENT_TLB_WALK = 1 << 5,
	SPE_EVENT_NOT_TAKEN = 1 << 6,
	SPE_EVENT_MISPREDICTED = 1 << 7,
	SPE_EVENT_LLC_ACCESS = 1 << 8,
	SPE_EVENT_LLC_MISS = 1 << 9,
	SPE_EVENT_REMOTE = 1 << 10,
	SPE_EVENT_ALIGNMENT = 1 << 11,
	SPE_EVENT_SVE_PARTIAL = 1 << 17,
	SPE_EVENT_SVE_EMPTY = 1 << 18,
};

/* An address packet: the number of address bits, and the fields above them. */
#define SPE_ADDRESS_BITS  56
#define SPE_ADDRESS_EL(v) ((unsigned)((v) >> 61) & 3)
#define SPE_ADDRESS_NS(v) ((unsigned)((v) >> 63))
#define SPE_ADDRESS_CHECK(v)                                                                       \
	((unsigned)((v) >> 62) & 1) /* of physical ones: the tag is checked,                       \
				     */
#define SPE_ADDRESS_PATTAG(v) ((unsigned)((v) >> 56) & 15) /* and the physical address tag */

/* The payload of an operation. */
#define SPE_OP_STORE(v)         ((v)&1)
#define SPE_OP_IS_SVE_LD_ST(v)  (((v)&0x0a) == 0x08)
#define SPE_OP_IS_ATOMIC(v)     (((v)&0xe2) == 0x02)
#define SPE_OP_IS_SVE_OTHER(v)  (((v)&0x89) == 0x08)
#define SPE_OP_IS_SME_OTHER(v)  (((v)&0x89) == 0x88)
#define SPE_OP_IS_ASE_LD_ST(v)  (((v)&0xfe) == 0x04)
#define SPE_OP_IS_ASE_OTHER(v)  (((v)&0xfc) == 0x04)
#define SPE_OP_PREDICATED(v)    (((v) >> 2) & 1) /* for SVE operations */
#define SPE_OP_IS_INDIRECT(v)   (((v)&0xfe) == 0x02)
#define SPE_OP_VECTOR_LENGTH(v) (32u << (((v) >> 4) & 7))

/*
 * Decodes the packet at the beginning of the @n bytes at @bytes, at least 1. Packets that align the
 * next one extend to a multiple of some bytes, counted from where @position is 0. Consecutive bytes
 * of padding are one packet of up to 16 bytes.
 */
struct spe_packet spe_packet_at(const uint8_t *bytes, size_t n, uint64_t position);
