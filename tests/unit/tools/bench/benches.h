/* SPDX-License-Identifier: MIT */
#pragma once
/* Benchmarks in tests: small ones are run, and wrong ones are refused. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "tools/bench/programs/result.h"
#include "tools/bench/programs/run.h"

/* Runs a benchmark, which must succeed. */
static inline void run_bench(bench_fn *fn, const void *params, unsigned repeat,
			     struct bench_result *ret)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	if (fn(params, repeat, ret, &d) < 0)
		fail_msg("%s", d.message);
	assert_null(d.message);
}

/* Checks that the error is @error, that the message names @word, and that nothing is measured. */
static inline void assert_bench_refuses(bench_fn *fn, const void *params, int error,
					const char *word)
{
	_cleanup_(bench_result_done) struct bench_result r = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	assert_int_equal(fn(params, 2, &r, &d), error);
	assert_non_null(d.message);
	if (!strstr(d.message, word))
		fail_msg("'%s' does not name '%s'", d.message, word);
	assert_int_equal(r.n, 0);
}

static inline void assert_figure(const struct bench_figure *f, const char *name, const char *unit,
				 enum bench_better better, bool derived)
{
	assert_string_equal(f->name, name);
	assert_string_equal(f->unit, unit);
	assert_int_equal(f->better, better);
	assert_int_equal(f->derived, derived);
	assert_true(f->value > 0);
}

/* Checks the three figures of @ops operations, which must be consistent. */
static inline void assert_figures_of_ops(const struct bench_result *r, double ops)
{
	assert_int_equal(r->layout, BENCH_LAYOUT_OPS);
	assert_true(r->n >= 3);
	assert_figure(&r->items[0], "usecs/op", "usecs", BENCH_LESS, false);
	assert_figure(&r->items[1], "time", "s", BENCH_LESS, true);
	assert_figure(&r->items[2], "ops/sec", "ops/sec", BENCH_MORE, true);
	assert_true(r->items[1].value == r->seconds);
	assert_true(r->items[0].value == r->seconds * 1e6 / ops);
	assert_true(r->items[2].value == ops / r->seconds);
}
