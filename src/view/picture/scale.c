/* SPDX-License-Identifier: MIT */
#include "view/picture/scale.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/digits.h"
#include "base/text.h"

/* Returns the position of @value between low (0) and high (1). */
static double fraction_of(const struct scale *s, double value)
{
	double x;

	if (s->is_log)
		x = log(fmax(value, s->low) / s->low) / log(s->high / s->low);
	else
		x = (value - s->low) / (s->high - s->low);
	return isnan(x) ? 0 : fmin(fmax(x, 0), 1); /* an axis without extent has no positions */
}

double scale_place(const struct scale *s, double value)
{
	return s->from + (s->to - s->from) * fraction_of(s, value);
}

double scale_value(const struct scale *s, double place)
{
	double x = s->to == s->from ? 0 : (place - s->from) / (s->to - s->from);

	if (s->is_log)
		return s->low * pow(s->high / s->low, x);
	return s->low + (s->high - s->low) * x;
}

/*
 * Returns the smallest 1, 2 or 5 times a power of ten (for sizes: power of two) that is not below
 * @least.
 */
static double round_step(double least, enum scale_unit unit)
{
	double power = pow(10, floor(log10(least)));

	if (unit == SCALE_BYTES && least > 1)
		return pow(2, ceil(log2(least) - 1e-9));
	if (least <= power * (1 + 1e-9))
		return power;
	if (least <= power * 2 * (1 + 1e-9))
		return power * 2;
	return least <= power * 5 * (1 + 1e-9) ? power * 5 : power * 10;
}

static void add_tick(struct scale_ticks *t, const struct scale *s, double value)
{
	double slack = fabs(s->high - s->low) * 1e-9;

	if (t->n < SCALE_TICKS_MAX && value >= s->low - slack && value <= s->high + slack)
		t->values[t->n++] = value;
}

static void linear_ticks(const struct scale *s, size_t wanted, struct scale_ticks *t)
{
	double step = round_step((s->high - s->low) / (double)wanted, s->unit);
	double first = ceil(s->low / step - 1e-9);

	for (size_t i = 0; i < SCALE_TICKS_MAX; i++)
		add_tick(t, s, (first + (double)i) * step);
}

/*
 * Makes ticks at powers of ten (for sizes: of two), and at the 2 and the 5 between them if there is
 * enough space.
 */
static void log_ticks(const struct scale *s, size_t wanted, struct scale_ticks *t)
{
	double base = s->unit == SCALE_BYTES ? 2 : 10;
	double powers = log(s->high / s->low) / log(base);
	double every = fmax(1, ceil(powers / (double)wanted - 1e-9));
	bool between = base == 10 && powers * 3 <= (double)wanted;

	for (double i = floor(log(s->low) / log(base) + 1e-9); t->n < SCALE_TICKS_MAX; i += every) {
		double value = pow(base, i);

		if (value > s->high * (1 + 1e-9))
			break;
		add_tick(t, s, value);
		if (between)
			add_tick(t, s, value * 2);
		if (between)
			add_tick(t, s, value * 5);
	}
}

struct scale_ticks scale_ticks(const struct scale *s, size_t wanted)
{
	struct scale_ticks t = { .n = 0 };

	if (!isfinite(s->low) || !isfinite(s->high) || s->high <= s->low || !wanted)
		return t;
	if (!s->is_log)
		linear_ticks(s, wanted, &t);
	else if (s->low > 0)
		log_ticks(s, wanted, &t);
	return t;
}

struct picture_scale_prefix {
	double size;
	const char *text;
};

/* The prefixes, the largest unit first. */
static const struct picture_scale_prefix of_numbers[] = {
	{ 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "K" }, { 1, "" }, { 0, NULL }
};
static const struct picture_scale_prefix of_times[] = {
	{ 1e9, " s" }, { 1e6, " ms" }, { 1e3, " \xc2\xb5s" }, { 1, " ns" }, { 0, NULL }
};
static const struct picture_scale_prefix of_bytes[] = { { 0x1p40, " TiB" }, { 0x1p30, " GiB" },
							{ 0x1p20, " MiB" }, { 0x1p10, " KiB" },
							{ 1, " B" },        { 0, NULL } };
static const struct picture_scale_prefix of_shares[] = { { 1, "%" }, { 0, NULL } };

static const struct picture_scale_prefix *const prefixes[] = {
	[SCALE_NUMBER] = of_numbers,
	[SCALE_TIME] = of_times,
	[SCALE_BYTES] = of_bytes,
	[SCALE_PERCENT] = of_shares,
};

/* True if @value reaches @size. A tick is a sum, which may differ a little from its round value. */
static bool scale_reaches(double value, double size)
{
	return value >= size * (1 - 1e-9);
}

void scale_label(struct text *t, enum scale_unit unit, double value)
{
	const struct picture_scale_prefix *p = prefixes[unit];
	double size = fabs(value), shown;

	while (p[1].text && !scale_reaches(size, p->size))
		p++;
	shown = value / p->size;
	text_filled(t, digits_short(text_room(t, DIGITS_MAX), shown,
				    fabs(shown) < 10    ? 3
				    : fabs(shown) < 100 ? 2
							: 1));
	if (value != 0 || unit == SCALE_PERCENT)
		text_add(t, p->text);
}
