/* SPDX-License-Identifier: MIT */
#include "event/branch-type.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "wire/abi.h"

static const struct {
	const char *name;
	uint64_t bits;
} types[] = {
	{ "u", PERF_SAMPLE_BRANCH_USER },
	{ "k", PERF_SAMPLE_BRANCH_KERNEL },
	{ "hv", PERF_SAMPLE_BRANCH_HV },
	{ "any", PERF_SAMPLE_BRANCH_ANY },
	{ "any_call", PERF_SAMPLE_BRANCH_ANY_CALL },
	{ "any_ret", PERF_SAMPLE_BRANCH_ANY_RETURN },
	{ "ind_call", PERF_SAMPLE_BRANCH_IND_CALL },
	{ "ind_jmp", PERF_SAMPLE_BRANCH_IND_JUMP },
	{ "call", PERF_SAMPLE_BRANCH_CALL },
	{ "cond", PERF_SAMPLE_BRANCH_COND },
	{ "abort_tx", PERF_SAMPLE_BRANCH_ABORT_TX },
	{ "in_tx", PERF_SAMPLE_BRANCH_IN_TX },
	{ "no_tx", PERF_SAMPLE_BRANCH_NO_TX },
	{ "stack", PERF_SAMPLE_BRANCH_CALL_STACK },
	{ "save_type", PERF_SAMPLE_BRANCH_TYPE_SAVE },
	{ "hw_index", PERF_SAMPLE_BRANCH_HW_INDEX },
	{ "priv", PERF_SAMPLE_BRANCH_PRIV_SAVE },
	{ "counter", PERF_SAMPLE_BRANCH_COUNTERS },
	{ "no", 0 },
};

#define PRIVILEGES (PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV)

static bool branch_type_find(const char *name, size_t length, uint64_t *bits)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (strlen(types[i].name) == length && !strncasecmp(types[i].name, name, length)) {
			*bits |= types[i].bits;
			return true;
		}
	}
	return false;
}

static int branch_type_unknown(const char *text, size_t at, size_t length, struct diag *diag)
{
	_cleanup_(freep) char *name = xstrndup(text + at, length);
	struct similar near = { .typed = name };

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		similar_add(&near, types[i].name);

	_cleanup_(freep) char *phrase = similar_phrase(&near);
	int r = diag_mark(diag, -EINVAL, text, at, length, "there is no branch filter '%s'", name);

	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	diag_hint(diag, "Which branches: any, any_call, any_ret, ind_call, ind_jmp, call, cond, "
			"abort_tx, in_tx, no_tx, stack; where: u, k, hv; and save_type, priv, "
			"hw_index, counter.");
	return r;
}

int branch_type_parse(const char *text, uint64_t *ret, struct diag *diag)
{
	uint64_t bits = 0;

	for (const char *at = text;;) {
		size_t length = strcspn(at, ",");

		if (!branch_type_find(at, length, &bits))
			return branch_type_unknown(text, (size_t)(at - text), length, diag);
		at += length;
		if (!*at++)
			break;
	}
	if (bits && !(bits & ~PRIVILEGES))
		bits |= PERF_SAMPLE_BRANCH_ANY;
	*ret = bits;
	return 0;
}
