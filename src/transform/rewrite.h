/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording read to its end, record by record, through a chain of transforms.
 */
#include <stdint.h>

struct diag;
struct session;
struct transform;

/*
 * Hands all records of @s to the chain @first, and ends that. They come in the order that the
 * session was opened for. Records in the other byte order are converted to ours; *@ret_left_out
 * counts those of unknown types, which cannot be. Errors: those of the transforms and of reading.
 */
int rewrite(struct session *s, struct transform *first, uint64_t *ret_left_out, struct diag *diag);
