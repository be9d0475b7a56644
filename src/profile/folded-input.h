/* SPDX-License-Identifier: MIT */
#pragma once
/* Tells from the first bytes whether an input is a recording or folded lines. */
#include <stdbool.h>

struct diag;
struct folded_reader;

/*
 * True if @path ("-": standard input) holds text, and neither a recording nor another profile.
 * Nothing is consumed from a pipe. False for a file that cannot be read, such as one that does not
 * exist: the code that opens it reports the error.
 */
bool folded_input_is(const char *path);

/* Hands all of @path to @r. Returns a negative errno with @diag if it cannot be read. */
int folded_input_read(const char *path, struct folded_reader *r, struct diag *diag);
