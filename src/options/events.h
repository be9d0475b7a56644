/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options that say what is measured: -e, --filter and similar ones, for every command that
 * opens events. Only their order is checked here.
 */
#include "cli/option.h"
#include "measure/event-words.h"

/* Options of commands that open events, for each command's own fields. */
#define OPT_NO_INHERIT(T, f)                                                                       \
	OPT_CHOICE('i', "no-inherit", T, f, "only the process itself, not its children")
#define OPT_ALL_USER(T, f)   OPT_FLAG(0, "all-user", T, f, "all events in user space only")
#define OPT_ALL_KERNEL(T, f) OPT_FLAG(0, "all-kernel", T, f, "all events in the kernel only")

/* Options over a struct event_words, with a heading: -e, --filter, --pfm-events and -G. */
extern const struct option event_options[];

/* Setters over a `struct event_words` for the options that not all commands have. */
option_set_fn event_words_set_exclude_perf, event_words_set_metric;
