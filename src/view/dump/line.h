/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The parts of view/dump/dump.h: print the fields of each kind of record, after its name. Private
 * to view/dump/dump*.c.
 */
#include <stdio.h>

#include "view/dump/dump.h"

/* A record that is being printed. */
struct dump_line {
	struct dump *dump;
	const struct delivered *rec;
	struct record r;
	FILE *out;
};

typedef void dump_line_fn(const struct dump_line *l);

dump_line_fn dump_lost, dump_lost_samples, dump_read, dump_text_poke, dump_hw_id,
	dump_callchain_deferred;
dump_line_fn dump_id_index, dump_auxtrace_info, dump_auxtrace, dump_auxtrace_error, dump_thread_map,
	dump_cpu_map, dump_event_update, dump_time_conv;

/* Prints the text after the name of a sample. @bytes are its record. */
void dump_sample(const struct dump *d, const struct session_event *e, const uint8_t *bytes,
		 const struct sample *s, FILE *out);

/* Prints @s, escaped for terminals. */
void dump_text(FILE *out, const char *s);

/* "... FP chain: nr:2" and its addresses. */
void dump_chain(FILE *out, const struct words *chain);
