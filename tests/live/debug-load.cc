/* SPDX-License-Identifier: MIT */
/* Runs templates, inlined functions, an exception and a signal handler, for the given time. */
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <vector>

static volatile double sink;

template <int N> static inline double mix(double a, double b)
{
	return N > 0 ? mix<N - 1>(a * 0.5 + b, b) : a - b;
}
template <> inline double mix<0>(double a, double b)
{
	return a * b;
}

static __attribute__((noinline)) double deeper(int n)
{
	if (n == 0)
		throw std::runtime_error("far enough");
	double below = deeper(n - 1);
	return below + mix<3>(n, below);
}

/* The signal comes from raise(), so memory may be allocated here. */
static void on_signal(int)
{
	void *volatile some = malloc(1);

	free(some);
	for (int i = 0; i < 300; i++)
		sink = sink + mix<4>(i, 2);
}

static __attribute__((noinline)) void turn(unsigned seed)
{
	std::vector<double> values(2000);

	for (auto &v : values) {
		seed = seed * 1664525u + 1013904223u;
		v = mix<2>(seed >> 8, 3);
	}
	std::sort(values.begin(), values.end(),
		  [](double a, double b) { return mix<1>(a, 1) < mix<1>(b, 1); });
	try {
		sink = sink + deeper(10);
	} catch (const std::exception &) {
		sink = sink + values[7];
	}
	raise(SIGUSR1);
}

int main(int, char **argv)
{
	signal(SIGUSR1, on_signal);
	for (int i = atoi(argv[1]); i > 0; i--)
		turn(i);
}
