/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A catalog of events (event/catalog.h) as characters: the rows of `perf list`, bare names for
 * completion scripts, or JSON.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct catalog;

struct event_list_style {
	bool brief;       /* say what vendors' events count; otherwise one row for each */
	bool description; /* the long description, where there is one */
	bool generic;     /* say what events count that every machine has */
	bool details;     /* encodings, formulas, and the fields of tracepoints */
	unsigned width;   /* of the terminal, for descriptions */
	unsigned columns; /* of the terminal, for all else; 0: lines have any length */
};

void event_list_print_title(FILE *out);
void event_list_print_text(const struct catalog *c, const struct event_list_style *s, FILE *out);

/* Names with a blank after each, as scripts have learned to expect them. */
void event_list_print_names(const struct catalog *c, FILE *out);

/* One array of all entries of @n catalogs. */
void event_list_print_json(const struct catalog *catalogs, size_t n, FILE *out);
