/* SPDX-License-Identifier: MIT */
#pragma once
/* Definitions that the files of the time chart's model share. */
#include "tools/timechart/timechart-model.h"

/* Notes that something happened at @time. Returns it, or a later time if it goes backwards. */
uint64_t chart_event(struct chart *c, uint64_t time);

/* Flushes the I/O calls of all threads that are still kept. */
void chart_finish_calls(struct chart *c);
