/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Definitions that the printing parts of a plan share. All functions append to the text, and none
 * uses printf().
 */
#include <stdint.h>

#include "tracepoint/plan-node.h"

struct plan_piece;

/* Append digits without a prefix; hexadecimal ones are in lower case, at least @min of them. */
void put_decimal(struct text *t, uint64_t value);
void put_signed(struct text *t, int64_t value);
void put_hex(struct text *t, uint64_t value, unsigned min);

/*
 * Appends an integer in the format of @piece, with at least @width characters and @precision
 * digits.
 */
void put_integer(struct text *t, const struct plan_piece *piece, uint64_t value, int width,
		 int precision);

/*
 * Appends MAC and IP addresses, sockaddr, UUID, dumps and bitmaps: %pM and so on, without padding.
 */
void put_address(struct plan_run *run, const struct plan_piece *piece, int width);
void put_bitmask(struct plan_run *run, struct raw_span s);

/* Appends each field that is not common to all with its name: " NAME=VALUE". */
void put_fields(struct plan_run *run);
