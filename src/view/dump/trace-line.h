/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Functions of `-D` for the data that depends on the kind of hardware trace: the words of its
 * AUXTRACE_INFO record, and the trace. There is one pair of functions for each kind. Private to
 * view/dump.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct coresight_dump;
struct dump_line;
struct words;

/* @priv: the words of the record, limited to those in the file. */
typedef void dump_trace_info_fn(const struct words *priv, FILE *out);

/* @data: @size bytes of a trace. */
typedef void dump_trace_fn(const uint8_t *data, size_t size, FILE *out);

dump_trace_info_fn dump_intel_pt_info, dump_intel_bts_info, dump_coresight_info, dump_arm_spe_info;
dump_trace_fn dump_intel_pt, dump_intel_bts, dump_arm_spe;

/* CoreSight needs more than the bytes: the units, and the division of the trace by AUX records. */
void dump_coresight(const struct dump_line *l);
void coresight_dump_free(struct coresight_dump *c);

/* A word of AUXTRACE_INFO: its label, and its format: d, u or x. */
struct trace_word {
	const char *label;
	char conversion;
};

/* "  Time Shift          10": the number stands @width columns behind the label's first letter. */
void dump_trace_word(const struct trace_word *w, int width, uint64_t value, FILE *out);

/* Prints ". 00000010: 02 23 ... " with blanks for missing bytes up to @columns. */
void dump_trace_bytes(const uint8_t *bytes, size_t at, size_t n, size_t columns, FILE *out);
