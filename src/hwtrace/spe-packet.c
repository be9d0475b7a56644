/* SPDX-License-Identifier: MIT */
#include "hwtrace/spe-packet.h"

#define HEADER_PAD       0x00
#define HEADER_END       0x01
#define HEADER_TIMESTAMP 0x71

/* 001000xx: another header byte follows, whose index has these two bits above its own. */
#define EXTENDED_MASK 0xfc
#define EXTENDED      0x20

#define PAD_MAX 16 /* bytes of padding in one packet */

/* The meaning of the (last) header byte. */
static const struct {
	uint8_t mask, value, index_mask;
	enum spe_packet_type type;
	uint8_t extended; /* may follow an extended header */
} headers[] = {
	{ 0xcf, 0x42, 0x00, SPE_EVENTS, 0 },    { 0xcf, 0x43, 0x00, SPE_DATA_SOURCE, 0 },
	{ 0xfc, 0x64, 0x03, SPE_CONTEXT, 0 },   { 0xfc, 0x48, 0x03, SPE_OP_TYPE, 0 },
	{ 0xff, 0x71, 0x00, SPE_TIMESTAMP, 0 }, { 0xf8, 0xb0, 0x07, SPE_ADDRESS, 1 },
	{ 0xf8, 0x98, 0x07, SPE_COUNTER, 1 },
};

static const struct spe_packet bad = { .type = SPE_BAD, .size = 1 };

/* Returns the payload's size. Bits 5:4 are its logarithm. */
static size_t payload_size(uint8_t header)
{
	return (size_t)1 << (header >> 4 & 3);
}

static uint64_t payload_at(const uint8_t *bytes, size_t n)
{
	uint64_t v = 0;

	for (size_t i = 0; i < n; i++)
		v |= (uint64_t)bytes[i] << (8 * i);
	return v;
}

static struct spe_packet spe_packet_padding(const uint8_t *bytes, size_t n, size_t size)
{
	while (size < PAD_MAX && size < n && !bytes[size])
		size++;
	return (struct spe_packet){ .type = SPE_PAD, .size = size };
}

static struct spe_packet spe_packet_aligning(const uint8_t *bytes, size_t n, uint64_t position)
{
	size_t alignment = (size_t)2 << (bytes[0] & 3);

	/* Linux's perf requires as many bytes as a packet at the worst position takes. */
	return n < alignment
		       ? bad
		       : spe_packet_padding(bytes, n, alignment - (position & (alignment - 1)));
}

/* Decodes a packet whose last header byte is bytes[@at]. */
static struct spe_packet with_payload(const uint8_t *bytes, size_t n, size_t at)
{
	uint8_t header = bytes[at];
	size_t size = payload_size(header);

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		if ((header & headers[i].mask) != headers[i].value || (at && !headers[i].extended))
			continue;
		if (n - at - 1 < size)
			return bad;
		return (struct spe_packet){
			.type = headers[i].type,
			.index = (uint8_t)((header & headers[i].index_mask) |
					   (at ? (bytes[0] & 3) << 3 : 0)),
			.size = at + 1 + size,
			.payload = payload_at(bytes + at + 1, size),
		};
	}
	return bad;
}

struct spe_packet spe_packet_at(const uint8_t *bytes, size_t n, uint64_t position)
{
	if (bytes[0] == HEADER_PAD)
		return spe_packet_padding(bytes, n, 1);
	if (bytes[0] == HEADER_END)
		return (struct spe_packet){ .type = SPE_END, .size = 1 };
	if ((bytes[0] & EXTENDED_MASK) != EXTENDED)
		return with_payload(bytes, n, 0);
	if (n < 2)
		return bad;
	return bytes[1] ? with_payload(bytes, n, 1) : spe_packet_aligning(bytes, n, position);
}
