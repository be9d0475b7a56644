/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The page of a time chart, with flame graphs of where threads wait and, if that was sampled, of
 * where they run.
 */
#include "tools/timechart/timechart-model.h"

struct page;
struct session_sample;
struct timechart;

/* A wait of @t is over; see chart_options.waited. @arg: the struct timechart. */
chart_waited_fn timechart_log_wait;

/* Takes a sample of where a thread runs. */
void timechart_log_sample(struct timechart *t, const struct session_sample *s);

/*
 * Makes the page, without the chart itself: page.chart and its view are the caller's. The page
 * borrows nothing, and is released with page_done().
 */
void timechart_page_make(const struct timechart *t, struct page *ret);
