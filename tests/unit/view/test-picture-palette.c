/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "view/picture/palette.h"

static void palettes_are_found_by_name(void **state)
{
	(void)state;
	assert_ptr_equal(palette_find("kind"), palette_default());
	assert_null(palette_find("no such palette"));
	for (size_t i = 0; palette_name(i); i++) {
		assert_non_null(palette_find(palette_name(i)));
		assert_true(strlen(palette_about(i)) > 0);
	}
	assert_non_null(palette_find("hot"));
	assert_non_null(palette_find("java"));
}

static void text_can_be_read_on_every_swatch(void **state)
{
	(void)state;
	for (size_t i = 0; palette_name(i); i++) {
		const struct palette *p = palette_find(palette_name(i));

		for (unsigned s = 0; s < palette_size(p); s++)
			for (unsigned t = 0; t < N_THEMES; t++)
				assert_true(rgb_contrast(palette_colour(p, s, t), palette_ink(t)) >=
					    4.5);
	}
	for (int x = -10; x <= 10; x++)
		for (unsigned t = 0; t < N_THEMES; t++)
			assert_true(rgb_contrast(difference_colour(x / 10.0, t), palette_ink(t)) >=
				    4.5);
}

static void a_box_has_the_same_swatch_in_all_pictures(void **state)
{
	const struct palette *function = palette_find("function");
	const struct palette *object = palette_find("object");

	(void)state;
	assert_int_equal(palette_swatch(function, "main", "a.out", FLAME_USER),
			 palette_swatch(function, "main", "libc.so.6", FLAME_KERNEL));
	assert_int_equal(palette_swatch(object, "main", "a.out", FLAME_USER) / 5,
			 palette_swatch(object, "f", "a.out", FLAME_USER) / 5);
	assert_true(palette_swatch(object, "sh", "", FLAME_TASK) < 5);
	assert_true(palette_swatch(function, "all", "", FLAME_ALL) < 5);
	for (size_t i = 0; palette_name(i); i++) {
		const struct palette *p = palette_find(palette_name(i));

		for (unsigned k = 0; k < N_FLAME_KINDS; k++)
			assert_true(palette_swatch(p, "x", "y", k) < palette_size(p));
	}
}

/*
 * The colour vision of readers who lack a kind of cones (Machado and others, 2009), for linear
 * light.
 */
static const double blindness[][9] = {
	/* no red */
	{ 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116,
	  1.051998 },
	/* no green */
	{ 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940,
	  0.968881 },
	/* no blue */
	{ 1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367,
	  0.303900 },
};

static void multiply(const double m[9], const double v[3], double ret[3])
{
	for (unsigned i = 0; i < 3; i++)
		ret[i] = m[i * 3] * v[0] + m[i * 3 + 1] * v[1] + m[i * 3 + 2] * v[2];
}

/* Converts a colour, as such a reader sees it, to OKLab. */
static void seen(const double reader[9], struct rgb c, double ret[3])
{
	static const double cones[9] = { 0.4122214708, 0.5363325363, 0.0514459929,
					 0.2119034982, 0.6806995451, 0.1073969566,
					 0.0883024619, 0.2817188376, 0.6299787005 };
	static const double lab[9] = { 0.2104542553, 0.7936177850,  -0.0040720468,
				       1.9779984951, -2.4285922050, 0.4505937099,
				       0.0259040371, 0.7827717662,  -0.8086757660 };
	const double light[3] = { pow(c.red / 255.0, 2.2), pow(c.green / 255.0, 2.2),
				  pow(c.blue / 255.0, 2.2) };
	double part[3], answer[3];

	multiply(reader, light, part);
	multiply(cones, part, answer);
	for (unsigned i = 0; i < 3; i++)
		answer[i] = cbrt(answer[i]);
	multiply(lab, answer, ret);
}

static double distance(const double reader[9], struct rgb a, struct rgb b)
{
	double x[3], y[3];

	seen(reader, a, x);
	seen(reader, b, y);
	return sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2));
}

static struct rgb kind_colour(unsigned kind, unsigned theme)
{
	const struct palette *p = palette_default();

	return palette_colour(p, palette_kind_swatch(p, kind), theme);
}

/* At a distance of 0.02, two colours side by side can just be distinguished. */
static void colour_blind_readers_tell_the_kinds_apart(void **state)
{
	(void)state;
	for (size_t m = 0; m < ARRAY_SIZE(blindness); m++)
		for (unsigned t = 0; t < N_THEMES; t++)
			for (unsigned a = FLAME_TASK; a < N_FLAME_KINDS; a++)
				for (unsigned b = FLAME_TASK; b < a; b++)
					assert_true(distance(blindness[m], kind_colour(a, t),
							     kind_colour(b, t)) > 0.04);
}

static void a_sequence_goes_one_way(void **state)
{
	static const struct rgb white = { 255, 255, 255 };

	(void)state;
	assert_ptr_equal(sequence_find(NULL), sequence_find(sequence_name(0)));
	assert_null(sequence_find("no such sequence"));
	for (size_t i = 0; sequence_name(i); i++) {
		const struct sequence *q = sequence_find(sequence_name(i));

		for (int x = 1; x <= 20; x++) {
			double before = (x - 1) / 20.0, here = x / 20.0;

			assert_true(rgb_contrast(sequence_colour(q, here, THEME_LIGHT), white) >
				    rgb_contrast(sequence_colour(q, before, THEME_LIGHT), white));
			assert_true(rgb_contrast(sequence_colour(q, here, THEME_DARK), white) <
				    rgb_contrast(sequence_colour(q, before, THEME_DARK), white));
		}
	}
}

static void more_is_red_and_less_is_blue(void **state)
{
	(void)state;
	for (unsigned t = 0; t < N_THEMES; t++) {
		struct rgb more = difference_colour(1, t), less = difference_colour(-1, t);
		struct rgb same = difference_colour(0, t);

		assert_true(more.red > more.blue + 60);
		assert_true(less.blue > less.red + 60);
		assert_true(abs(same.red - same.blue) < 8);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(palettes_are_found_by_name),
		cmocka_unit_test(text_can_be_read_on_every_swatch),
		cmocka_unit_test(a_box_has_the_same_swatch_in_all_pictures),
		cmocka_unit_test(colour_blind_readers_tell_the_kinds_apart),
		cmocka_unit_test(a_sequence_goes_one_way),
		cmocka_unit_test(more_is_red_and_less_is_blue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
