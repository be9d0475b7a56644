/* SPDX-License-Identifier: MIT */
#pragma once
/* The filters on samples (event/data-filter.h) of a recording, which BPF programs apply. */
#include <stddef.h>
#include <stdint.h>

struct diag;
struct opened_event;
struct opened_events;
struct record_filters;

/*
 * Attaches filters to those of @es that have such a filter; *@ret is NULL if none has. -EINVAL with
 * @diag: samples lack a field that a filter tests; other errors: BPF does not work here.
 */
int record_filters_attach(const struct opened_events *es, struct record_filters **ret,
			  struct diag *diag);

/* Frees the filters. To be called once the events are closed. */
void record_filters_free(struct record_filters *f);

/* Returns how many samples of event number @i were filtered out. @f may be NULL. */
uint64_t record_filters_dropped(const struct record_filters *f, size_t i);
