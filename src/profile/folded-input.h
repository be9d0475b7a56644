/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Inputs that are a recording or folded lines: which of them, told by the first bytes.
 */
#include <stdbool.h>

struct diag;
struct folded_reader;

/*
 * Whether @path ("-": standard input) holds text, and neither a recording nor another profile.
 * Nothing is taken from a pipe. Of what cannot be looked at, as a file that is not there, false:
 * whoever opens it says why.
 */
bool folded_input_is(const char *path);

/* Hands all of @path to @r. A negative errno with @diag: it cannot be read. */
int folded_input_read(const char *path, struct folded_reader *r, struct diag *diag);
