/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints the tables of `perf kvm stat report` and `perf kvm stat live`. */
#include <stddef.h>
#include <stdint.h>

#include "tools/kvm/stat-model.h"

struct text;

/* Appends the table. @rows are rows of @m, in the order to print. */
void kvm_stat_add_table(struct text *t, const struct kvm_stat *m, struct kvm_stat_row *const *rows,
			size_t n);

/* Appends the name of a code, in at most @width characters. */
void kvm_stat_add_name(struct text *t, const struct kvm_stat *m, uint64_t code, uint32_t info,
		       size_t width);

/* Appends a line about an event that took long. */
void kvm_stat_add_span(struct text *t, const struct kvm_stat *m, const struct kvm_stat_span *s);
