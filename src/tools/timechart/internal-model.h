/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the files of the time chart's model share.
 */
#include "tools/timechart/timechart-model.h"

/* Notes that something happened at @time; returns it, or a later time if it goes backwards. */
uint64_t chart_event(struct chart *c, uint64_t time);

/* Flushes what is kept of I/O calls of all threads. */
void chart_finish_calls(struct chart *c);
