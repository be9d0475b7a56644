/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints a catalog of events (event/catalog.h): as the rows of `perf list`, as bare names for
 * completion scripts, or as JSON.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct catalog;

struct event_list_style {
	bool brief;       /* describe vendors' events; otherwise one row for each */
	bool description; /* the long description, if there is one */
	bool generic;     /* describe the events that every machine has */
	bool details;     /* encodings, formulas, and the fields of tracepoints */
	unsigned width;   /* the terminal's width, used for descriptions */
	unsigned columns; /* the terminal's width, used for the rest; 0: unlimited lines */
};

void event_list_print_title(FILE *out);
void event_list_print_text(const struct catalog *c, const struct event_list_style *s, FILE *out);

/* Prints names with a blank after each, which scripts expect. */
void event_list_print_names(const struct catalog *c, FILE *out);

/* Prints one array of all entries of @n catalogs. */
void event_list_print_json(const struct catalog *catalogs, size_t n, FILE *out);
