/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The layout of a recording's events in a stream of the Common Trace Format, and the text that
 * describes it: TSDL, as of CTF 1.8. Everything is aligned to bytes, in the byte order of this
 * machine.
 *
 * A number of a tracepoint becomes one of 32 or 64 bits. Names come from the recording and are
 * turned into identifiers, which are unique in their event.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "tracepoint/field.h"

struct features;
struct session_event;

enum ctf_kind {
	CTF_NUMBER,
	CTF_NUMBERS, /* an array of ctf_field.count */
	CTF_STRING,
	CTF_BYTES, /* their number in 32 bits, then the bytes */
};

/* A field of a tracepoint. */
struct ctf_field {
	enum ctf_kind kind;
	struct field_ref ref;
	uint32_t count, bytes; /* number of elements in the record, and their size there */
	bool is_wide;          /* 64 bits here, not 32 */
	bool is_signed;
	bool is_hex;
};

/* Returns the layout of the fields of the tracepoint @e, in their order. The caller frees it. */
struct ctf_field *ctf_fields_of(const struct session_event *e, bool swap, size_t *ret_n);

/* The parts that the sample type of @e gives a sample, in the order in which they are written. */
enum ctf_sample_field {
	CTF_SAMPLE_IP,
	CTF_SAMPLE_TID, /* the thread and the process */
	CTF_SAMPLE_ID,
	CTF_SAMPLE_STREAM_ID,
	CTF_SAMPLE_PERIOD,
	CTF_SAMPLE_WEIGHT,
	CTF_SAMPLE_DATA_SRC,
	CTF_SAMPLE_TRANSACTION,
	CTF_SAMPLE_CALLCHAIN, /* the number of its entries in 32 bits, then the entries */
	N_CTF_SAMPLE_FIELDS,
};

bool ctf_sample_has(const struct session_event *e, enum ctf_sample_field f);

/* Records that are not samples, as events that follow those of the recording. */
enum ctf_record {
	CTF_COMM,
	CTF_EXIT,
	CTF_FORK,
	CTF_MMAP,
	CTF_MMAP2,
	N_CTF_RECORDS,
};

#define CTF_UUID_BYTES 16

struct ctf_trace {
	uint8_t uuid[CTF_UUID_BYTES], clock_uuid[CTF_UUID_BYTES];
	int64_t clock_offset_ns; /* from the clock's zero to that of the wall clock */
	const struct features *features;
};

/* Append the parts of the metadata, in this order. */
void ctf_add_trace(struct text *out, const struct ctf_trace *t);
void ctf_add_event(struct text *out, uint32_t id, const struct session_event *e);
void ctf_add_record(struct text *out, uint32_t id, enum ctf_record r);
