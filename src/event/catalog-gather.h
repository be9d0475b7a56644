/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The parts of catalog_gather(), one file per source of names. Private to event/.
 */
#include "event/catalog.h"

struct gathering {
	struct catalog *catalog;
	struct event_env *env;
	const struct catalog_query *query;
	char *system;  /* glob over tracepoint systems, or NULL */
	char *pattern; /* glob over names, or NULL */
	struct diag *diag;
};

/* Appends an entry. @name must live as long as the catalog. */
struct catalog_entry *gather_add(struct gathering *g, enum catalog_kind kind, const char *name);

/* Return a copy of @s, or the formatted text, that lives as long as the catalog. */
const char *gather_keep(struct gathering *g, const char *s);
const char *gather_keepf(struct gathering *g, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Return true if @name (NULL: no) is selected. Vendors' names match in either case. */
bool gather_selects(const struct gathering *g, const char *name);
bool gather_selects_any_case(const struct gathering *g, const char *name);

/* True if the generic event called @name can be counted here. */
bool gather_can_count(const struct gathering *g, const char *name);

/* Sorts the entries from the index @first on by name. */
void gather_sort(struct gathering *g, size_t first);

void gather_generic(struct gathering *g, enum catalog_kind kind);
void gather_pmus(struct gathering *g);
void gather_hwmon(struct gathering *g);
void gather_drm(struct gathering *g);
int gather_tracepoints(struct gathering *g);
void gather_sdt(struct gathering *g);
void gather_metrics(struct gathering *g);

/*
 * Gathers the names of libpfm4. @diag is NULL if it was not requested by its class, and may be
 * missing.
 */
int gather_pfm(struct gathering *g, struct diag *diag);
