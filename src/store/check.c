/* SPDX-License-Identifier: MIT */
#include "store/check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "store/data.h"

/* Checks the numbers. Weights and times are counts, so perf push never writes any below zero. */
static int check_counts(const struct fleet_data *d, struct diag *diag)
{
	static const size_t columns[] = { SAMPLE_MINUTE, SAMPLE_SAMPLES, SAMPLE_PERIOD };

	for (size_t i = 0; i < d->tables[FLEET_SAMPLE].n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(columns); k++)
			if (fleet_row(d, FLEET_SAMPLE, i)[columns[k]].number < 0)
				return diag_set(
					diag, -EBADMSG,
					"the store is damaged: perf_sample.%s has a value below "
					"zero",
					fleet_tables[FLEET_SAMPLE].columns[columns[k]].name);
	return 0;
}

static int check_reference(const struct fleet_data *d, const struct fleet_reference *ref,
			   struct diag *diag)
{
	for (size_t i = 0; i < d->tables[ref->from].n; i++) {
		int64_t id = fleet_row(d, ref->from, i)[ref->column].number;

		if (id ? fleet_find(d, ref->to, id) != NULL : ref->may_be_0)
			continue;
		diag_set(diag, -EBADMSG,
			 "the store is damaged: %s.%s refers to the row %" PRId64
			 " of %s, which is not there",
			 fleet_tables[ref->from].name,
			 fleet_tables[ref->from].columns[ref->column].name, id,
			 fleet_tables[ref->to].name);
		diag_hint(diag, "Was it removed by hand? Rows of dictionaries must stay as long as "
				"anything refers to them.");
		return -EBADMSG;
	}
	return 0;
}

/* The result of checking whether a stack leads to the outermost caller. */
enum stack_state {
	STACK_NEW,
	STACK_ON_PATH, /* on the stack that is being checked */
	STACK_GOOD,
};

/* Follows the callers of row @i as far as they are new. Returns false if they come back to it. */
static bool stack_has_end(const struct fleet_data *d, size_t i, unsigned char *states)
{
	for (int pass = 0; pass < 2; pass++) {
		enum stack_state from = pass ? STACK_ON_PATH : STACK_NEW;

		for (size_t k = i; states[k] == from;) {
			int64_t parent = fleet_row(d, FLEET_STACK, k)[STACK_PARENT].number;

			states[k] = (unsigned char)(from + 1);
			if (!parent)
				break;
			k = fleet_find_number(d, FLEET_STACK, parent) - 1;
			if (!pass && states[k] == STACK_ON_PATH)
				return false;
		}
	}
	return true;
}

static int check_circles(const struct fleet_data *d, struct diag *diag)
{
	size_t n = d->tables[FLEET_STACK].n;
	_cleanup_(freep) unsigned char *states = xcalloc(n + 1, 1);

	for (size_t i = 0; i < n; i++)
		if (!stack_has_end(d, i, states))
			return diag_set(diag, -EBADMSG,
					"the store is damaged: in perf_stack, the row %" PRId64
					" is its own caller",
					fleet_row(d, FLEET_STACK, i)[STACK_ID].number);
	return 0;
}

int fleet_check(const struct fleet_data *d, struct diag *diag)
{
	int r = check_counts(d, diag);

	for (size_t i = 0; r >= 0 && i < N_FLEET_REFERENCES; i++)
		r = check_reference(d, &fleet_references[i], diag);
	return r < 0 ? r : check_circles(d, diag);
}
