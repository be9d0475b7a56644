/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `--filter` of events that are not tracepoints: conditions on the data of their samples, which a
 * BPF program checks (bpf/sample-filter.h). The data is that of union perf_mem_data_src and of the
 * fields that sample_type requests.
 *
 *	TERM OPERATOR VALUE (("," | "||") TERM OPERATOR VALUE)*
 *
 * "||" binds more tightly than ",", which means "and". data-filter.def has the terms and the names
 * of values; other values are numbers, and for `cgroup` the name of a cgroup.
 */
#include <stdbool.h>
#include <stdint.h>

#include "event/data-filter-types.h"

struct attr;
struct diag;

/*
 * Adds the conditions of @text to *@f: existing conditions have to hold, too. -EINVAL with @diag
 * marking the mistake; -E2BIG: too many conditions; -ENOENT: no such cgroup. *@f is unchanged on
 * failure.
 */
int data_filter_parse(struct data_filter_items *f, const char *text, struct diag *diag);

/*
 * Checks that samples of the event @name with @attr have the data that @f compares. -EINVAL with
 * @diag: they do not, and the option that requests it.
 */
int data_filter_check(const struct data_filter_items *f, const struct attr *attr, const char *name,
		      struct diag *diag);

/* Returns the name of @term. */
const char *data_filter_term_name(uint32_t term);
