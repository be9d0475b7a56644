/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Passes the tables of an export (profile/export.h) to a script that requests them with
 * perf_db_export_mode = True. Each row is a call of evsel_table(), machine_table(), thread_table(),
 * comm_table(), comm_thread_table(), dso_table(), symbol_table(), branch_type_table(),
 * sample_table(), call_path_table() or context_switch_table(). Private to tools/script.
 */
#include <stdint.h>

struct consumer;
struct python_export;
struct python_script;
struct record;
struct session_sample;

/* Returns NULL if the script does not export. */
struct python_export *python_export_new(struct python_script *s);
void python_export_free(struct python_export *x);

/* Passes the rows that come first. Returns 0 or -ECANCELED, as all functions below. */
int python_export_start(struct python_export *x);

/* Adds the records that the export needs to those that @c takes. */
void python_export_begin(struct python_export *x, struct consumer *c);

int python_export_record(struct python_export *x, const struct record *r, uint64_t time);

/* Returns > 0 if the sample is in the tables, so that no other function of the script gets it. */
int python_export_sample(struct python_export *x, const struct session_sample *ss);
