/* SPDX-License-Identifier: MIT */
#pragma once
/* Reads a recording to its end, record by record, through a chain of transforms. */
#include <stdint.h>

struct diag;
struct session;
struct transform;

/*
 * Passes all records of @s to the chain @first, and then ends the chain. They come in the order for
 * which the session was opened. Records in the other byte order are converted to ours;
 * *@ret_left_out counts those of unknown types, which cannot be converted. Errors are those of the
 * transforms and of reading.
 */
int rewrite(struct session *s, struct transform *first, uint64_t *ret_left_out, struct diag *diag);
