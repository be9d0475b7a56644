/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `--header`: prints the recording's data about itself, the machine and the way in which it was
 * made, as comment lines ("# hostname : x") that scripts look for. Text from the recording is
 * escaped.
 *
 * A file has its features in the header. In a stream they are records after it, so header_print()
 * leaves them to the other two functions.
 */
#include <stdbool.h>
#include <stdio.h>

struct datafile;
struct features;

/*
 * Prints the whole header. @full (-I): also prints features that take more than a line, instead of
 * a hint.
 */
void header_print(const struct datafile *df, bool full, FILE *out);

/* Prints all features of @f that have a text, in the order of a file. */
void header_print_features(const struct features *f, bool full, FILE *out);

/* Prints one feature of @f, and nothing if it is missing or has no text. */
void header_print_feature(const struct features *f, unsigned id, bool full, FILE *out);
