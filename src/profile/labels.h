/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The values that the samples of a stack have in common, as the labels of formats that support
 * labels.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct profile;
struct tally;

/* The values by which samples are told apart, besides their stacks. */
enum export_label {
	EXPORT_LABEL_COMM,
	EXPORT_LABEL_PID,
	EXPORT_LABEL_TID,
	EXPORT_LABEL_CPU,
	EXPORT_LABEL_CGROUP,
	N_TYPED_LABELS, /* number of labels that can be requested */

	EXPORT_LABEL_TIME = N_TYPED_LABELS, /* rounded by profile_request.time_quantum_ns */
	N_EXPORT_LABELS,
};

/*
 * Parses a typed list of labels, separated by commas. -EINVAL, with the position of the word that
 * is no label.
 */
int export_labels_parse(const char *text, unsigned *ret, size_t *ret_offset, size_t *ret_length);

/* Returns the sort keys that tell samples apart by @labels; the caller frees them. */
char *export_labels_sort(unsigned labels);

struct label_values {
	const char *comm, *cgroup; /* NULL: not known, or not requested */
	int64_t pid, tid, cpu;     /* -1: not known, or not requested */
	uint64_t time;             /* 0: not known, or not requested */
	struct text scratch[2];    /* buffers for the two texts */
};

void label_values_done(struct label_values *v);

/*
 * Gets the labels of context @context of @t, a tally of @p, which was sorted by
 * export_labels_sort().
 */
void label_values_get(struct label_values *v, struct profile *p, const struct tally *t,
		      uint32_t context, unsigned labels);

/* Return the name of a label, and whether it is a number. */
const char *export_label_name(enum export_label label);

/*
 * Return the value of a label: a number, or -1 if it is not known; and a text, or NULL for a label
 * that is a number.
 */
int64_t label_number(const struct label_values *v, enum export_label label);
const char *label_text(const struct label_values *v, enum export_label label);

/* True if a filter leaves out the samples of that context. */
bool export_is_left_out(const struct profile *p, const struct tally *t, uint32_t context);
