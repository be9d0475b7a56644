/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `--header`: what a recording says about itself, the machine and how it was made, as comment lines
 * ("# hostname : x") that scripts look for. Text from the recording is escaped.
 *
 * A file says it all at once; in a stream the features come as records, each to be printed when it
 * is read.
 */
#include <stdbool.h>
#include <stdio.h>

struct datafile;
struct features;

/* The whole header. @full (-I): also what takes more than a line, instead of a hint at it. */
void header_print(const struct datafile *df, bool full, FILE *out);

/* One feature of @f; nothing if it is not there or has no text. */
void header_print_feature(const struct features *f, unsigned id, bool full, FILE *out);
