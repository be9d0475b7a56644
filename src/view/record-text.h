/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Formats the line of a record that is not a sample: "PERF_RECORD_COMM exec: sh:7293/7293", as
 * printed by `script --show-*-events` and the dump.
 */
#include <stdint.h>

struct location;
struct record;
struct text;

/*
 * Appends the line of @r, without a newline at the end; a few types take several lines. A record
 * without a text of its own gets the type's name. Names and paths are as in the record.
 */
void record_text(struct text *t, const struct record *r);

/*
 * Does the same for BPF_METADATA: a line for the program, and one for each of its texts, which are
 * escaped.
 */
void record_text_bpf_metadata(struct text *t, const struct record *r);

/* Does the same for a TEXT_POKE, which changed code of the kernel at @at. */
void record_text_poke(struct text *t, const struct record *r, const struct location *at);
