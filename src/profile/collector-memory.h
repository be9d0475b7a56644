/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What a collector does with samples of accesses to memory. Private to profile/collector*.
 *
 * An access weighs what it cost, in cycles, which samples give as their weight; the period does not
 * count.
 */
#include <stdint.h>

#include "profile/weight.h"

struct collected;
struct collector_worker;
struct sample;

struct weight memory_weight(const struct sample *s);

/* The frame of the data that was accessed; FRAME_NONE if the sample tells no address. */
uint32_t memory_data(struct collector_worker *w, const struct collected *c);
