/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The line that stands for a record which is no sample: "PERF_RECORD_COMM exec: sh:7293/7293", as
 * `script --show-*-events` and the dump print it.
 */
#include <stdint.h>

struct location;
struct record;
struct text;

/*
 * Appends the line of @r, without a newline at its end; a few types take several lines. What has no
 * text of its own gives the type's name. Names and paths are as in the record.
 */
void record_text(struct text *t, const struct record *r);

/*
 * The same of BPF_METADATA: a line for the program, and one for each of its texts, which are
 * escaped.
 */
void record_text_bpf_metadata(struct text *t, const struct record *r);

/* The same of a TEXT_POKE, which changed code of the kernel at @at. */
void record_text_poke(struct text *t, const struct record *r, const struct location *at);
