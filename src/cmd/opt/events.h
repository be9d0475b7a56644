/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What to measure: -e, --filter and their kin, for every command that opens events. Only their
 * order is checked here.
 */
#include "cli/option.h"
#include "job/event-words.h"

/* Rows over a struct event_words, with a heading: -e, --filter, --pfm-events and -G. */
extern const struct option event_options[];

/* Setters over a `struct event_words` for the rows that not all commands have. */
option_set_fn event_words_set_exclude_perf, event_words_set_metric;
