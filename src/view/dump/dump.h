/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `-D`: every record of a recording as bytes and as text, the way people grep for it.
 *
 *	0x450@perf.data [0x28]: event: 9
 *	.
 *	. ... raw event: size 40 bytes
 *	.  0000:  09 00 00 00 02 00 28 00 dc fc 74 8e ff ff 00 00  ......(...t.....
 *
 *	11241671813869 0x450 [0x28]: PERF_RECORD_SAMPLE(IP, 0x2): 7293/7293: 0xffff8e74fcdc ...
 *
 * Text that comes from the recording is escaped. Each block begins with an empty line; those of
 * records that a command goes on to print (STAT_ROUND) end without a newline.
 */
#include <stdio.h>

#include "session/session.h"

struct coresight_dump;
struct record_auxtrace_error;

struct dump {
	struct session *session;
	size_t n_events;       /* that the two below are of: in a stream they come one by one */
	uint64_t sample_types; /* of all events together */
	bool has_trailers;
	uint32_t trace_type; /* of the hardware trace in the file; AUXTRACE_NONE */
	bool unsorted;   /* set by the caller: rounds, which say what can be sorted, mean nothing */
	bool for_report; /* set by the caller: who reads it, and so what is passed over */
	struct coresight_dump *coresight; /* owned; NULL: there was no such trace yet */
};

/* @s is borrowed, and must outlive @d. */
void dump_init(struct dump *d, struct session *s);
void dump_done(struct dump *d);

/* Prints one record as a consumer gets it. What was compressed shows only as what it held. */
void dump_record(struct dump *d, const struct delivered *rec, FILE *out);

/*
 * Prints whose sample it is and which image it hit. Follows dump_record(), before what the command
 * itself prints of the sample: once for each event whose count it carries.
 */
void dump_sample_place(const struct dump *d, const struct sample *s, FILE *out);

/* A line about what went wrong while a hardware trace was decoded. */
void dump_trace_error(const struct record_auxtrace_error *e, FILE *out);
