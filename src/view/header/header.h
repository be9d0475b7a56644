/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `--header`: what a recording says about itself, the machine and how it was made, as comment lines
 * ("# hostname : x") that scripts look for. Text from the recording is escaped.
 *
 * A file has its features in the header; in a stream they come as records behind it, so
 * header_print() leaves them to the other two functions.
 */
#include <stdbool.h>
#include <stdio.h>

struct datafile;
struct features;

/* The whole header. @full (-I): also what takes more than a line, instead of a hint at it. */
void header_print(const struct datafile *df, bool full, FILE *out);

/* All features of @f that have a text, in the order of a file. */
void header_print_features(const struct features *f, bool full, FILE *out);

/* One feature of @f; nothing if it is not there or has no text. */
void header_print_feature(const struct features *f, unsigned id, bool full, FILE *out);
