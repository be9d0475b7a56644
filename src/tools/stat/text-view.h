/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tables of `perf stat` for people: title, aligned rows, and the time that passed; for an
 * interval rows with their time alone, under a heading that comes back every 25 intervals.
 *
 * Numbers obey the locale. Names are escaped for the terminal.
 */
#include "tools/stat/stat-view.h"

stat_print_fn stat_text_print;
