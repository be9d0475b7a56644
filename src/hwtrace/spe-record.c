/* SPDX-License-Identifier: MIT */
#include "hwtrace/spe-record.h"

#include "hwtrace/decoder.h"
#include "hwtrace/spe-packet.h"

#define ADDRESS_MASK ((UINT64_C(1) << SPE_ADDRESS_BITS) - 1)
#define TOP_BYTE     (UINT64_C(0xff) << SPE_ADDRESS_BITS)
#define NEXT_BITS    (UINT64_C(0xf) << 52)

/*
 * Uses the exception level to find the owner of the address: in the non-secure world EL1 and EL2
 * are kernels.
 */
uint64_t spe_code_address(uint64_t payload)
{
	unsigned el = SPE_ADDRESS_EL(payload);
	uint64_t address = payload & ADDRESS_MASK;

	return SPE_ADDRESS_NS(payload) && (el == 1 || el == 2) ? address | TOP_BYTE : address;
}

/*
 * Removes the tag, which may be in the top byte; the bits below it show the owner of the address.
 */
uint64_t spe_data_address(uint64_t payload)
{
	uint64_t address = payload & ADDRESS_MASK;

	return (address & NEXT_BITS) == NEXT_BITS ? address | TOP_BYTE : address;
}

static void spe_record_take_address(struct spe_record *r, const struct spe_packet *p)
{
	switch (p->index) {
	case SPE_ADDRESS_PC:
		r->from = spe_code_address(p->payload);
		break;
	case SPE_ADDRESS_BRANCH:
		r->to = spe_code_address(p->payload);
		break;
	case SPE_ADDRESS_DATA_VIRTUAL:
		r->virtual_address = spe_data_address(p->payload);
		break;
	case SPE_ADDRESS_DATA_PHYSICAL:
		r->physical_address = p->payload & ADDRESS_MASK;
		break;
	default:
		break;
	}
}

static uint8_t spe_record_simd_of(const struct spe_packet *p)
{
	uint64_t v = p->payload;
	bool is_other = p->index == SPE_OP_OTHER;

	if (!is_other && p->index != SPE_OP_LOAD_STORE)
		return SIMD_NONE;
	if (is_other ? SPE_OP_IS_SVE_OTHER(v) : SPE_OP_IS_SVE_LD_ST(v))
		return SIMD_SVE | (SPE_OP_PREDICATED(v) ? SIMD_FULL : SIMD_UNPREDICATED);
	if (is_other && SPE_OP_IS_SME_OTHER(v))
		return SIMD_SME;
	return (is_other ? SPE_OP_IS_ASE_OTHER(v) : SPE_OP_IS_ASE_LD_ST(v)) ? SIMD_ASE : SIMD_NONE;
}

uint8_t spe_simd(const struct spe_record *r)
{
	uint8_t extension = r->simd & SIMD_EXTENSION;

	if (!extension || r->simd & SIMD_UNPREDICATED)
		return r->simd;
	if (r->events & SPE_EVENT_SVE_PARTIAL)
		return extension | SIMD_PARTIAL;
	return r->events & SPE_EVENT_SVE_EMPTY ? extension | SIMD_EMPTY : r->simd;
}

static void take_packet(struct spe_record *r, const struct spe_packet *p)
{
	switch (p->type) {
	case SPE_ADDRESS:
		spe_record_take_address(r, p);
		break;
	case SPE_COUNTER:
		if (p->index == SPE_COUNTER_TOTAL)
			r->latency = (uint32_t)p->payload;
		break;
	case SPE_CONTEXT:
		r->has_context = true;
		r->context = (uint32_t)p->payload;
		break;
	case SPE_OP_TYPE:
		if (spe_record_simd_of(p))
			r->simd = spe_record_simd_of(p);
		if (p->index == SPE_OP_LOAD_STORE)
			r->op |= SPE_OP_STORE(p->payload) ? SPE_STORE : SPE_LOAD;
		/* Linux's perf counts other vector operations as loads. */
		else if (p->index == SPE_OP_OTHER && SPE_OP_IS_SVE_OTHER(p->payload))
			r->op |= SPE_LOAD;
		break;
	case SPE_EVENTS:
		r->events |= (uint32_t)p->payload;
		break;
	case SPE_DATA_SOURCE:
		r->source = (uint16_t)p->payload;
		break;
	default:
		break;
	}
}

/* Reads the next packet that is not padding. False: no more data. */
static bool next_packet(struct spe_reader *r, struct spe_packet *ret)
{
	do {
		const struct aux_piece *p;

		while (r->piece < r->queue->n && r->at >= r->queue->items[r->piece].size) {
			r->piece++;
			r->at = 0;
		}
		if (r->piece >= r->queue->n)
			return false;
		p = &r->queue->items[r->piece];
		/* A file is mapped, so its bytes have the same alignment as in the file. */
		*ret = spe_packet_at(p->bytes + r->at, p->size - r->at,
				     (uintptr_t)(p->bytes + r->at));
		r->at += ret->size;
	} while (ret->type == SPE_PAD);
	return true;
}

/* True for bad packets. Operations of an unknown class end a record, too. */
static bool is_bad(const struct spe_packet *p)
{
	return p->type == SPE_BAD || (p->type == SPE_OP_TYPE && p->index > SPE_OP_BRANCH);
}

enum spe_read spe_reader_next(struct spe_reader *r)
{
	struct spe_packet p;

	if (!r->in_record)
		r->record = (struct spe_record){ 0 };
	r->in_record = true;
	while (next_packet(r, &p)) {
		if (p.type == SPE_TIMESTAMP)
			r->record.ticks = p.payload;
		if (p.type == SPE_TIMESTAMP || p.type == SPE_END || is_bad(&p)) {
			r->in_record = false;
			return is_bad(&p) ? SPE_READ_BAD : SPE_READ_RECORD;
		}
		take_packet(&r->record, &p);
	}
	return SPE_READ_END;
}
