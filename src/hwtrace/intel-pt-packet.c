/* SPDX-License-Identifier: MIT */
#include "hwtrace/intel-pt-packet.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"

#define EXTENDED   0x02 /* the first of two bytes of opcode */
#define EXTENDED_2 0xc3 /* the second of three */
#define MNT_OPCODE 0x88

#define PSB_SIZE     16
#define CYC_SIZE_MAX 10

#define MODE_LEAF(byte) ((byte) >> 5)
#define IP_LENGTH(byte) ((byte) >> 5)

/* Returns a number of @n bytes, the least significant first. */
static uint64_t intel_pt_packet_number(const uint8_t *bytes, size_t n)
{
	uint64_t v = 0;

	for (size_t i = n; i > 0; i--)
		v = v << 8 | bytes[i - 1];
	return v;
}

/* Sets the branches, which are below the highest set bit; that bit is not one of them. */
static int set_branches(uint64_t bits, struct pt_packet *p)
{
	p->kind = PT_TNT;
	p->count = bits ? 63 - (uint32_t)__builtin_clzll(bits) : 0;
	p->payload = p->count ? bits & ((1ULL << p->count) - 1) : 0;
	return 0;
}

static int take_short_tnt(const uint8_t *bytes, size_t n, struct pt_packet *p)
{
	(void)n;
	p->size = 1;
	return set_branches(bytes[0] >> 1, p);
}

static int take_long_tnt(const uint8_t *bytes, size_t n, struct pt_packet *p)
{
	(void)n;
	return set_branches(intel_pt_packet_number(bytes + 2, 6), p);
}

/*
 * Reads an address. The five low bits are the packet, the three high ones give the number of
 * address bytes.
 */
static int intel_pt_packet_take_ip(const uint8_t *bytes, size_t n, struct pt_packet *p)
{
	static const int8_t lengths[8] = { 0, 2, 4, 6, 6, -1, 8, -1 };
	int length = lengths[IP_LENGTH(bytes[0])];

	if (length < 0)
		return -EBADMSG;
	if (n < 1 + (size_t)length)
		return -ENODATA;
	p->ip_bytes = (uint8_t)length;
	p->payload = intel_pt_packet_number(bytes + 1, (size_t)length);
	p->size = (uint8_t)(1 + length);
	return 0;
}

/*
 * Reads a number of bytes: bit 2 of the first byte and bit 0 of the others show that one more
 * follows.
 */
static int take_cyc(const uint8_t *bytes, size_t n, struct pt_packet *p)
{
	bool more = bytes[0] & 4;
	unsigned shift = 5;
	size_t at = 1;

	p->payload = bytes[0] >> 3;
	for (; more; at++, shift += 7) {
		if (at == CYC_SIZE_MAX)
			return -EBADMSG;
		if (at == n)
			return -ENODATA;
		p->payload |= (uint64_t)(bytes[at] >> 1) << shift;
		more = bytes[at] & 1;
	}
	p->kind = PT_CYC;
	p->size = (uint8_t)at;
	return 0;
}

static int take_mode(const uint8_t *bytes, size_t n, struct pt_packet *p)
{
	static const uint8_t widths[] = { 16, 64, 32, 0 };

	if (n < 2)
		return -ENODATA;
	p->size = 2;
	if ((bytes[1] & 3) == 3)
		return -EBADMSG;
	switch (MODE_LEAF(bytes[1])) {
	case 0:
		p->kind = PT_MODE_EXEC;
		p->payload = widths[bytes[1] & 3];
		p->count = bytes[1] >> 2 & 1;
		return 0;
	case 1:
		p->kind = PT_MODE_TSX;
		p->payload = bytes[1] & 3;
		return 0;
	default:
		return -EBADMSG;
	}
}

static int intel_pt_packet_take_number(const uint8_t *bytes, size_t n, struct pt_packet *p)
{
	(void)n;
	p->payload = intel_pt_packet_number(bytes + 2, p->size - 2U);
	return 0;
}

static int intel_pt_packet_take_psb(const uint8_t *bytes, size_t n, struct pt_packet *p)
{
	(void)n;
	(void)p;
	for (size_t i = 2; i < PSB_SIZE; i++)
		if (bytes[i] != bytes[i % 2])
			return -EBADMSG;
	return 0;
}

static int take_pip(const uint8_t *bytes, size_t n, struct pt_packet *p)
{
	intel_pt_packet_take_number(bytes, n, p);
	p->count = p->payload & 1;
	p->payload >>= 1;
	return 0;
}

static int take_tma(const uint8_t *bytes, size_t n, struct pt_packet *p)
{
	(void)n;
	p->payload = intel_pt_packet_number(bytes + 2, 2);
	p->count = bytes[5] | (bytes[6] & 1U) << 8;
	return 0;
}

static int take_bbp(const uint8_t *bytes, size_t n, struct pt_packet *p)
{
	(void)n;
	p->count = bytes[2] & 0x80 ? 4 : 8;
	p->payload = bytes[2] & 0x1f;
	return 0;
}

static int take_cfe(const uint8_t *bytes, size_t n, struct pt_packet *p)
{
	(void)n;
	p->has_ip = bytes[2] >> 7;
	p->count = bytes[2] & 0x1f;
	p->payload = bytes[3];
	return 0;
}

static int take_evd(const uint8_t *bytes, size_t n, struct pt_packet *p)
{
	(void)n;
	p->count = bytes[2] & 0x3f;
	p->payload = intel_pt_packet_number(bytes + 3, 8);
	return 0;
}

/* Packets with two bytes of opcode, by the second one. */
static const struct extended {
	uint8_t opcode, size, has_ip;
	enum pt_packet_kind kind;
	/* NULL: the packet is the opcode alone */
	int (*take)(const uint8_t *bytes, size_t n, struct pt_packet *p);
} extended_packets[] = {
	{ 0x03, 4, 0, PT_CBR, intel_pt_packet_take_number },
	{ 0x12, 6, 0, PT_PTWRITE, intel_pt_packet_take_number },
	{ 0x13, 4, 0, PT_CFE, take_cfe },
	{ 0x22, 4, 0, PT_PWRE, intel_pt_packet_take_number },
	{ 0x23, 2, 0, PT_PSBEND, NULL },
	{ 0x32, 10, 0, PT_PTWRITE, intel_pt_packet_take_number },
	{ 0x33, 2, 0, PT_BEP, NULL },
	{ 0x43, 8, 0, PT_PIP, take_pip },
	{ 0x53, 11, 0, PT_EVD, take_evd },
	{ 0x62, 2, 0, PT_EXSTOP, NULL },
	{ 0x63, 3, 0, PT_BBP, take_bbp },
	{ 0x73, 7, 0, PT_TMA, take_tma },
	{ 0x82, PSB_SIZE, 0, PT_PSB, intel_pt_packet_take_psb },
	{ 0x83, 2, 0, PT_TRACESTOP, NULL },
	{ 0x92, 6, 1, PT_PTWRITE, intel_pt_packet_take_number },
	{ 0xa2, 7, 0, PT_PWRX, intel_pt_packet_take_number },
	{ 0xa3, 8, 0, PT_TNT, take_long_tnt },
	{ 0xb2, 10, 1, PT_PTWRITE, intel_pt_packet_take_number },
	{ 0xb3, 2, 1, PT_BEP, NULL },
	{ 0xc2, 10, 0, PT_MWAIT, intel_pt_packet_take_number },
	{ 0xc8, 7, 0, PT_VMCS, intel_pt_packet_take_number },
	{ 0xe2, 2, 1, PT_EXSTOP, NULL },
	{ 0xf3, 2, 0, PT_OVF, NULL },
};

static int take_mnt(const uint8_t *bytes, size_t n, struct pt_packet *p)
{
	if (n < 3)
		return -ENODATA;
	if (bytes[2] != MNT_OPCODE)
		return -EBADMSG;
	if (n < 11)
		return -ENODATA;
	p->kind = PT_MNT;
	p->payload = intel_pt_packet_number(bytes + 3, 8);
	p->size = 11;
	return 0;
}

static int take_extended(const uint8_t *bytes, size_t n, struct pt_packet *p)
{
	if (n < 2)
		return -ENODATA;
	if (bytes[1] == EXTENDED_2)
		return take_mnt(bytes, n, p);
	for (size_t i = 0; i < ARRAY_SIZE(extended_packets); i++) {
		const struct extended *e = &extended_packets[i];

		if (e->opcode != bytes[1])
			continue;
		if (n < e->size)
			return -ENODATA;
		p->kind = e->kind;
		p->size = e->size;
		p->has_ip = e->has_ip;
		return e->take ? e->take(bytes, n, p) : 0;
	}
	return -EBADMSG;
}

static int intel_pt_packet_take_sized(const uint8_t *bytes, size_t n, enum pt_packet_kind kind,
				      uint8_t size, struct pt_packet *p)
{
	if (n < size)
		return -ENODATA;
	p->kind = kind;
	p->size = size;
	p->payload = intel_pt_packet_number(bytes + 1, size - 1U);
	return 0;
}

static int take_block_item(const uint8_t *bytes, size_t n, enum pt_block block, struct pt_packet *p)
{
	int r = intel_pt_packet_take_sized(bytes, n, PT_BIP, block == PT_BLOCK_4 ? 5 : 9, p);

	p->count = bytes[0] >> 3;
	return r;
}

/* Reads packets whose first byte is odd. */
static int take_odd(const uint8_t *bytes, size_t n, struct pt_packet *p)
{
	if ((bytes[0] & 3) == 3)
		return take_cyc(bytes, n, p);
	switch (bytes[0] & 0x1f) {
	case 0x01:
		p->kind = PT_TIP_PGD;
		return intel_pt_packet_take_ip(bytes, n, p);
	case 0x0d:
		p->kind = PT_TIP;
		return intel_pt_packet_take_ip(bytes, n, p);
	case 0x11:
		p->kind = PT_TIP_PGE;
		return intel_pt_packet_take_ip(bytes, n, p);
	case 0x1d:
		p->kind = PT_FUP;
		return intel_pt_packet_take_ip(bytes, n, p);
	default:
		break;
	}
	switch (bytes[0]) {
	case 0x19:
		return intel_pt_packet_take_sized(bytes, n, PT_TSC, 8, p);
	case 0x59:
		return intel_pt_packet_take_sized(bytes, n, PT_MTC, 2, p);
	case 0x99:
		return take_mode(bytes, n, p);
	default:
		return -EBADMSG;
	}
}

static int intel_pt_packet_take(const uint8_t *bytes, size_t n, enum pt_block block,
				struct pt_packet *p)
{
	if (!n)
		return -ENODATA;
	if (block != PT_NO_BLOCK && (bytes[0] & 7) == 4)
		return take_block_item(bytes, n, block, p);
	if (bytes[0] & 1)
		return take_odd(bytes, n, p);
	if (bytes[0] == EXTENDED)
		return take_extended(bytes, n, p);
	if (bytes[0])
		return take_short_tnt(bytes, n, p);
	p->kind = PT_PAD;
	p->size = 1;
	return 0;
}

/*
 * Returns the block state. A block continues over packets of time and power, which may be anywhere,
 * and ends with others.
 */
static enum pt_block block_after(enum pt_block block, const struct pt_packet *p)
{
	switch (p->kind) {
	case PT_BBP:
		return p->count == 4 ? PT_BLOCK_4 : PT_BLOCK_8;
	case PT_PAD:
	case PT_BIP:
	case PT_FUP:
	case PT_TSC:
	case PT_TMA:
	case PT_MTC:
	case PT_CYC:
	case PT_CBR:
	case PT_EXSTOP:
	case PT_PWRE:
	case PT_PWRX:
	case PT_MNT:
		return block;
	default:
		return PT_NO_BLOCK;
	}
}

int pt_packet_decode(const uint8_t *bytes, size_t n, enum pt_block *block, struct pt_packet *ret)
{
	struct pt_packet p = { 0 };
	int r = intel_pt_packet_take(bytes, n, *block, &p);

	if (r < 0)
		return r;
	*block = block_after(*block, &p);
	*ret = p;
	return 0;
}
