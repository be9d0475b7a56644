/* SPDX-License-Identifier: MIT */
#pragma once
/* The samples of a collector over time. Private to profile/collector*. */
#include <stdbool.h>
#include <stdint.h>

struct collected;
struct collector_worker;

void collector_strip_init(struct collector_worker *w);
void collector_strip_done(struct collector_worker *w);

/* True if the filter for places leaves out samples of @frame. */
bool collector_is_elsewhere(struct collector_worker *w, uint32_t frame);

/*
 * Counts @c. Returns false if the filter for times leaves it out, so that it counts for nothing
 * else.
 */
bool collector_strip_take(struct collector_worker *w, const struct collected *c);

void collector_strip_merge(struct collector_worker *to, const struct collector_worker *from);
