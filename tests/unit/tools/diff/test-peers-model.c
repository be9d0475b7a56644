/* SPDX-License-Identifier: MIT */
/*
 * Tests machines that differ, and simulated fleets, which are compared as perf diff --fleet does
 * it: the rates of chance findings must be those that are promised.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/memory.h"
#include "tools/diff/peers-model.h"

#define HOSTS     20
#define FUNCTIONS 30
#define SAMPLES   5000
#define FLEETS    120

static double evenly(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return ((double)((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state)
{
	double radius = sqrt(-2 * log(evenly(state)));

	return radius * cos(6.283185307179586 * evenly(state));
}

static double poisson(uint64_t *state, double mean)
{
	double limit = exp(-mean), product = 1;
	int n = -1;

	if (mean > 50)
		return fmax(0, round(mean + sqrt(mean) * normal(state)));
	for (; product > limit; n++)
		product *= evenly(state);
	return n;
}

/*
 * A fleet with shares from a fifth of everything down to functions that only few hosts have a
 * sample of.
 */
struct fleet {
	double shares[2][FUNCTIONS][HOSTS];
	double samples[2][HOSTS];
};

struct setting {
	double variation; /* of a function's share from host to host */
	double change;    /* factor of function 1's weight on side 1 */
	double broken;    /* function 2 has this much more on host 3 of side 1 */
	bool uneven;      /* some hosts have a tenth of the samples */
};

static void simulate(struct fleet *f, const struct setting *s, uint64_t *state)
{
	for (size_t side = 0; side < 2; side++)
		for (size_t h = 0; h < HOSTS; h++) {
			double weights[FUNCTIONS], all = 0, samples = 0;

			for (size_t i = 0; i < FUNCTIONS; i++) {
				weights[i] = exp(-0.25 * (double)i + s->variation * normal(state));
				weights[i] *= side && i == 1 ? s->change : 1;
				all += weights[i];
			}
			if (side && h == 3)
				weights[2] += s->broken * all;
			for (size_t i = 0; i < FUNCTIONS; i++) {
				double size = s->uneven && h % 4 == 0 ? SAMPLES / 10. : SAMPLES;

				f->shares[side][i][h] = poisson(state, weights[i] / all * size);
				samples += f->shares[side][i][h];
			}
			for (size_t i = 0; i < FUNCTIONS; i++)
				f->shares[side][i][h] *= 100 / samples;
			f->samples[side][h] = samples;
		}
}

struct outcome {
	size_t below;                /* tests with p < 0.05 */
	size_t marked;               /* rows that are marked after the correction */
	bool finds_change;           /* row 1 is */
	size_t n_outliers;           /* of both sides */
	bool finds_broken;           /* host 3 of side 1, by its row 2 */
	struct peer_outlier outlier; /* the first of side 1 */
};

static void find_outliers(const struct fleet *f, size_t side, bool *left_out, struct outcome *o)
{
	_cleanup_(peers_freep) struct peers *p = peers_new(f->samples[side], HOSTS);

	for (size_t i = 0; i < FUNCTIONS; i++)
		peers_add_row(p, i, f->shares[side][i]);
	peers_find(p);
	for (size_t i = 0; i < p->n_outliers && peers_are_few(p); i++)
		left_out[p->outliers[i].machine] = true;
	o->n_outliers += p->n_outliers;
	if (side && p->n_outliers) {
		o->outlier = p->outliers[0];
		o->finds_broken = o->outlier.machine == 3 && o->outlier.row == 2;
	}
}

static void add_row(struct compare *c, const struct fleet *f, size_t i, bool left_out[2][HOSTS])
{
	struct compare_row *row = compare_add_row(c, COMPARE_RATIO, "x", "%");

	for (size_t side = 0; side < 2; side++) {
		for (size_t h = 0; h < HOSTS; h++)
			if (!left_out[side][h])
				compare_add(c, row, side, f->shares[side][i][h]);
		row->sides[side].least_deviation = COMPARE_COUNT_DEVIATION * 100 / SAMPLES;
	}
}

static struct outcome compared(const struct setting *s, uint64_t *state)
{
	static const char *const names[] = { "baseline", "canary" };
	_cleanup_(compare_freep) struct compare *c = compare_new(2, names);
	struct fleet *f = xcalloc(1, sizeof(*f));
	bool left_out[2][HOSTS] = { 0 };
	struct outcome o = { 0 };

	simulate(f, s, state);
	for (size_t side = 0; side < 2; side++)
		find_outliers(f, side, left_out[side], &o);
	for (size_t i = 0; i < FUNCTIONS; i++)
		add_row(c, f, i, left_out);
	compare_finish(c);
	for (size_t i = 0; i < FUNCTIONS; i++)
		o.below += c->rows[i]->differences[1].p < 0.05;
	compare_correct(c, 0);
	for (size_t i = 0; i < FUNCTIONS; i++)
		o.marked += compare_is_shown(&c->rows[i]->differences[1]);
	o.finds_change = compare_is_shown(&c->rows[1]->differences[1]);
	free(f);
	return o;
}

struct rates {
	double below;  /* of the tests */
	double marks;  /* of the fleets: those with any row marked */
	double change; /* of the fleets: those with row 1 marked */
	double names;  /* of the sides: any host but the broken one is named */
	double broken;
};

static struct rates rates_of(struct setting s, uint64_t seed)
{
	struct rates r = { 0 };

	for (int i = 0; i < FLEETS; i++) {
		struct outcome o = compared(&s, &seed);

		r.below += (double)o.below / FUNCTIONS / FLEETS;
		r.marks += (o.marked > 0) / (double)FLEETS;
		r.change += o.finds_change / (double)FLEETS;
		r.broken += o.finds_broken / (double)FLEETS;
		r.names += (double)(o.n_outliers - o.finds_broken) / 2 / FLEETS;
	}
	return r;
}

static void fleets_that_are_alike_seldom_seem_to_differ(void **state)
{
	static const struct setting settings[] = {
		{ .variation = 0, .change = 1 },
		{ .variation = 0.1, .change = 1 },
		{ .variation = 0.3, .change = 1 },
		{ .variation = 0.1, .change = 1, .uneven = true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++) {
		struct rates r = rates_of(settings[i], 42 + i);

		print_message("# %zu: p < 0.05: %.4f, any mark: %.4f, hosts named: %.4f\n", i,
			      r.below, r.marks, r.names);
		assert_true(r.below > 0.03 && r.below < 0.065);
		/* The promise is 0.05; 120 fleets may show 0.1 by chance (p = 0.01). */
		assert_true(r.marks <= 0.1);
		/* 0.01 is. */
		assert_true(r.names <= 0.02);
	}
}

static void a_change_by_a_fifth_is_found(void **state)
{
	struct rates r = rates_of((struct setting){ .variation = 0.1, .change = 1.2 }, 7);

	(void)state;
	print_message("# found: %.4f\n", r.change);
	assert_true(r.change > 0.9);
}

static void a_broken_machine_is_named_and_hides_no_change(void **state)
{
	struct rates r =
		rates_of((struct setting){ .variation = 0.1, .change = 1.2, .broken = 0.5 }, 11);

	(void)state;
	print_message("# broken: %.4f, change: %.4f, others: %.4f\n", r.broken, r.change, r.names);
	assert_true(r.broken > 0.99);
	assert_true(r.change > 0.9);
	assert_true(r.names <= 0.02);
}

static const double thousand[] = { 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000 };

static void machines_that_differ_do_not_hide_each_other(void **state)
{
	static const double shares[] = { 10, 10.2, 45, 9.9, 10.1, 9.8, 10, 10.3, 44, 10 };
	_cleanup_(peers_freep) struct peers *p = peers_new(thousand, 10);

	(void)state;
	peers_add_row(p, 7, shares);
	peers_find(p);
	assert_int_equal(p->n_outliers, 2);
	assert_int_equal(p->outliers[0].machine, 2);
	assert_int_equal(p->outliers[1].machine, 8);
	assert_int_equal(p->outliers[0].row, 7);
	assert_true(p->outliers[0].share == 45);
	assert_true(fabs(p->outliers[0].usual - 10) < 0.2);
	assert_true(p->outliers[0].deviation < 0.3);
	assert_true(peers_are_few(p));
}

static void the_row_with_the_largest_difference_is_told(void **state)
{
	static const double one[] = { 10, 10, 10, 10, 20, 10, 10, 10, 10, 10 };
	static const double two[] = { 80, 80, 80, 80, 50, 80, 80, 80, 80, 80 };
	static const double three[] = { 1, 1, 1, 1, 8, 1, 1, 1, 1, 1 };
	_cleanup_(peers_freep) struct peers *p = peers_new(thousand, 10);

	(void)state;
	peers_add_row(p, 1, one);
	peers_add_row(p, 2, two);
	peers_add_row(p, 3, three);
	peers_find(p);
	assert_int_equal(p->n_outliers, 1);
	assert_int_equal(p->outliers[0].row, 2);
	assert_int_equal(p->outliers[0].n_rows, 3);
}

static void few_samples_are_no_difference(void **state)
{
	static const double shares[] = { 10, 10, 10, 10, 25, 10, 10, 10, 10, 10 };
	static const double samples[] = { 1000, 1000, 1000, 1000, 8, 1000, 1000, 1000, 1000, 1000 };
	_cleanup_(peers_freep) struct peers *p = peers_new(samples, 10);

	(void)state;
	peers_add_row(p, 0, shares);
	peers_find(p);
	assert_int_equal(p->n_outliers, 0);
}

static void a_few_machines_do_not_tell_who_differs(void **state)
{
	static const double shares[] = { 10, 10, 10, 90 };
	_cleanup_(peers_freep) struct peers *p = peers_new(thousand, 4);
	_cleanup_(peers_freep) struct peers *none = peers_new(NULL, 0);

	(void)state;
	peers_add_row(p, 0, shares);
	peers_find(p);
	assert_int_equal(p->n_outliers, 0);
	peers_find(none);
	assert_int_equal(none->n_outliers, 0);
}

static void five_machines_do(void **state)
{
	static const double shares[] = { 10, 10.1, 9.9, 10, 60 };
	_cleanup_(peers_freep) struct peers *p = peers_new(thousand, 5);

	(void)state;
	peers_add_row(p, 0, shares);
	peers_find(p);
	assert_int_equal(p->n_outliers, 1);
}

/* At most a fifth may be removed, one by one. */
static void a_large_fleet_has_its_outliers(void **state)
{
	enum {
		LARGE = 20000
	};
	_cleanup_(freep) double *samples = xcalloc(LARGE, sizeof(*samples));
	_cleanup_(freep) double *shares = xcalloc(LARGE, sizeof(*shares));
	_cleanup_(peers_freep) struct peers *p = NULL;
	uint64_t random = 7;

	(void)state;
	for (size_t i = 0; i < LARGE; i++) {
		samples[i] = SAMPLES + (double)(i % 100);
		shares[i] = 20 + normal(&random);
	}
	shares[77] = 60;
	shares[1234] = 0;
	p = peers_new(samples, LARGE);
	peers_add_row(p, 0, shares);
	peers_find(p);
	assert_int_equal(p->n_outliers, 2);
	assert_int_equal(p->outliers[0].machine, 77);
	assert_int_equal(p->outliers[1].machine, 1234);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(fleets_that_are_alike_seldom_seem_to_differ),
		cmocka_unit_test(a_change_by_a_fifth_is_found),
		cmocka_unit_test(a_broken_machine_is_named_and_hides_no_change),
		cmocka_unit_test(machines_that_differ_do_not_hide_each_other),
		cmocka_unit_test(the_row_with_the_largest_difference_is_told),
		cmocka_unit_test(few_samples_are_no_difference),
		cmocka_unit_test(a_few_machines_do_not_tell_who_differs),
		cmocka_unit_test(a_large_fleet_has_its_outliers),
		cmocka_unit_test(five_machines_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
