/* SPDX-License-Identifier: MIT */
#include "base/moments.h"

#include <math.h>

void moments_add(struct moments *m, double x)
{
	double delta = x - m->mean;

	m->n += 1;
	m->mean += delta / m->n;
	m->m2 += delta * (x - m->mean);
}

void moments_merge(struct moments *m, const struct moments *other)
{
	double n = m->n + other->n, delta = other->mean - m->mean;

	if (other->n == 0)
		return;
	m->mean += delta * other->n / n;
	m->m2 += other->m2 + delta * delta * m->n * other->n / n;
	m->n = n;
}

double moments_variance(const struct moments *m)
{
	return m->n < 2 ? 0 : m->m2 / (m->n - 1);
}

double moments_error(const struct moments *m)
{
	return m->n < 2 ? 0 : sqrt(moments_variance(m) / m->n);
}

double moments_noise(const struct moments *m)
{
	return m->mean == 0 ? 0 : 100 * moments_error(m) / fabs(m->mean);
}
