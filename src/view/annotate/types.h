/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Data types with the weights of their members (`perf annotate --data-type`), and the number of
 * instructions that have a type. Text is appended; text from files is escaped.
 */
#include <stdbool.h>
#include <stddef.h>

#include "code/types/access-types.h"
#include "view/annotate/annotate.h"

struct text;
struct type_stats;
struct type_weights;
struct weighed_type;

struct types_view {
	enum annotate_figure figure;
	bool by_samples;           /* shares of samples, not of periods */
	const char *const *events; /* names of the shown events */
	const size_t *columns;     /* and their indices in the weights */
	size_t n_events;
};

void annotate_type_add(struct text *out, const struct types_view *v, const struct weighed_type *t);

/* Appends the table of --type-stat. */
void annotate_type_stats_add(struct text *out, const struct type_stats *s);

/* Appends the table of --insn-stat. */
void annotate_instruction_stats_add(struct text *out, const struct type_stats *s);

/* --code-with-type: appends the text after an instruction, and nothing if no type was found. */
void annotate_access_add(struct text *out, const struct access_type *a);
