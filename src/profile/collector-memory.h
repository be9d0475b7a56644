/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Collects samples of accesses to memory. Private to profile/collector*.
 *
 * The weight of an access is its cost in cycles, which samples give as their weight; the period
 * does not count.
 */
#include <stdint.h>

#include "profile/weight.h"

struct collected;
struct collector_worker;
struct sample;

struct weight memory_weight(const struct sample *s);

/* Returns the frame of the accessed data; FRAME_NONE if the sample has no address. */
uint32_t memory_data(struct collector_worker *w, const struct collected *c);
