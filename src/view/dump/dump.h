/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `-D`: prints every record of a recording as bytes and as text, in the form that users grep for.
 *
 *	0x450@perf.data [0x28]: event: 9
 *	.
 *	. ... raw event: size 40 bytes
 *	.  0000:  09 00 00 00 02 00 28 00 dc fc 74 8e ff ff 00 00  ......(...t.....
 *
 *	11241671813869 0x450 [0x28]: PERF_RECORD_SAMPLE(IP, 0x2): 7293/7293: 0xffff8e74fcdc ...
 *
 * Text from the recording is escaped. Each block begins with an empty line; blocks of records that
 * a command prints further (STAT_ROUND) end without a newline.
 */
#include <stdio.h>

#include "session/session.h"

struct coresight_dump;
struct record_auxtrace_error;

struct dump {
	struct session *session;
	size_t n_events;       /* for which the next two hold; grows in a stream */
	uint64_t sample_types; /* the union over all events */
	bool has_trailers;
	uint32_t trace_type; /* that of the hardware trace in the file; AUXTRACE_NONE: no trace */
	bool unsorted;       /* set by the caller: the order of rounds has no meaning */
	bool for_report;     /* set by the caller: for a report, which skips some records */
	struct coresight_dump *coresight; /* owned; NULL: no such trace so far */
};

/* @s is borrowed, and must outlive @d. */
void dump_init(struct dump *d, struct session *s);
void dump_done(struct dump *d);

/* Prints one record as a consumer gets it. A compressed record is shown only as its contents. */
void dump_record(struct dump *d, const struct delivered *rec, FILE *out);

/*
 * Prints the task of the sample and the image that it hit. It follows dump_record(), before the
 * command's own output for the sample, once for each event whose count the sample contains.
 */
void dump_sample_place(const struct dump *d, const struct sample *s, FILE *out);

/* Prints a line about an error in decoding a hardware trace. */
void dump_trace_error(const struct record_auxtrace_error *e, FILE *out);
