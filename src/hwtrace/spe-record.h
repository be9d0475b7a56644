/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A sampled operation of Arm SPE: the combined contents of the packets up to a timestamp or an end
 * packet.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct aux_queue;

enum spe_op {
	SPE_NO_OP = 0,
	SPE_LOAD = 1 << 0,
	SPE_STORE = 1 << 1,
};

struct spe_record {
	uint32_t events; /* SPE_EVENT_* */
	unsigned op;     /* enum spe_op */
	uint32_t latency;
	uint64_t from, to; /* address of the operation; target of a branch */
	uint64_t ticks;    /* 0: it ended without a timestamp */
	uint64_t virtual_address, physical_address;
	bool has_context;
	uint32_t context;
	uint16_t source;
	uint8_t simd; /* enum simd: the extension, and whether it has a predicate */
};

/* The bytes of a queue's pieces, one after the other. */
struct spe_reader {
	const struct aux_queue *queue;
	size_t piece, at;
	bool in_record; /* the packets of @record up to here have been read */
	struct spe_record record;
};

enum spe_read {
	SPE_READ_END,    /* no more data; a record's beginning may wait for its rest */
	SPE_READ_RECORD, /* spe_reader.record is complete */
	SPE_READ_BAD,    /* a bad packet: spe_reader.record is the part before it */
};

/* Reads up to the end of the next record, or up to a bad packet. */
enum spe_read spe_reader_next(struct spe_reader *r);

/* Returns enum simd of @r, including the predicate from its events. */
uint8_t spe_simd(const struct spe_record *r);

/*
 * Return an address as it is mapped: the tag is removed, and the bits above are those of the
 * kernel's addresses.
 */
uint64_t spe_code_address(uint64_t payload);
uint64_t spe_data_address(uint64_t payload);
