/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Callbacks of a script for the counts of `perf stat record`. Private to tools/script.
 *
 *	stat__EVENT(cpu, thread, time, value, enabled, running)
 *	stat__interval(time)
 *
 * EVENT is the event's name with _ for a colon (cycles:u is cycles_u); where there is no such
 * function, with _ for everything that Python does not allow in names.
 */
struct python_script;
struct python_stat;
struct record;

struct python_stat *python_stat_new(struct python_script *s);
void python_stat_free(struct python_stat *st);

/* Takes a record of perf's own; calls the functions at the end of a round. 0 or -ECANCELED. */
int python_stat_record(struct python_stat *st, const struct record *r);
