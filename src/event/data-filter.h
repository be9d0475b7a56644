/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `--filter` of events that are no tracepoints: conditions on the data of their samples, which a
 * BPF program checks (bpf/sample-filter.h). The data is that of union perf_mem_data_src and of the
 * fields that sample_type asks for.
 *
 *	TERM OPERATOR VALUE (("," | "||") TERM OPERATOR VALUE)*
 *
 * "||" joins more closely than ",", which means "and". data-filter.def has the terms and the names
 * of values; other values are numbers, and for `cgroup` the name of one.
 */
#include <stdbool.h>
#include <stdint.h>

#include "event/data-filter-types.h"

struct attr;
struct diag;

/*
 * Adds the conditions of @text to *@f: those that are there already have to hold too. -EINVAL with
 * @diag marking the place: what is wrong there; -E2BIG: too many conditions; -ENOENT: no such
 * cgroup. *@f is unchanged on failure.
 */
int data_filter_parse(struct data_filter_items *f, const char *text, struct diag *diag);

/*
 * Do samples of the event @name with @attr have what @f compares? -EINVAL with @diag: no, and the
 * option that asks for it.
 */
int data_filter_check(const struct data_filter_items *f, const struct attr *attr, const char *name,
		      struct diag *diag);

/* What @term is called. */
const char *data_filter_term_name(uint32_t term);
