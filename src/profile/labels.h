/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the samples of a stack have in common, as the labels of formats that have some.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct profile;
struct tally;

/* What samples are told apart by, besides their stacks. */
enum export_label {
	EXPORT_LABEL_COMM,
	EXPORT_LABEL_PID,
	EXPORT_LABEL_TID,
	EXPORT_LABEL_CPU,
	EXPORT_LABEL_CGROUP,
	N_TYPED_LABELS, /* those that can be asked for */

	EXPORT_LABEL_TIME = N_TYPED_LABELS, /* as profile_request.time_quantum_ns rounds it */
	N_EXPORT_LABELS,
};

/*
 * Labels in a list with commas, as they are typed. -EINVAL, with the place of the word that is none
 * of them.
 */
int export_labels_parse(const char *text, unsigned *ret, size_t *ret_offset, size_t *ret_length);

/* The sort keys that tell samples apart by @labels; the caller frees it. */
char *export_labels_sort(unsigned labels);

struct label_values {
	const char *comm, *cgroup; /* NULL: not known, or not asked for */
	int64_t pid, tid, cpu;     /* -1: the same */
	uint64_t time;             /* 0: the same */
	struct text scratch[2];    /* of both texts */
};

void label_values_done(struct label_values *v);

/* Those of context @context of @t, a tally of @p, which was sorted by export_labels_sort(). */
void label_values_get(struct label_values *v, struct profile *p, const struct tally *t,
		      uint32_t context, unsigned labels);

/* The name of a label; and whether it is a number. */
const char *export_label_name(enum export_label label);

/* Of a label that is a number: -1 if it is not known; of others NULL. */
int64_t label_number(const struct label_values *v, enum export_label label);
const char *label_text(const struct label_values *v, enum export_label label);

/* Whether a filter leaves out the samples of that context. */
bool export_is_left_out(const struct profile *p, const struct tally *t, uint32_t context);
