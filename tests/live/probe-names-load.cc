/* SPDX-License-Identifier: MIT */
/* Functions with names that only C++ has, for probe-names.sh. */
#include <cstdio>

namespace shop
{
struct Box {
	int value;
	explicit Box(int v) : value(v) {}
	~Box() { puts("gone"); }
	int get(int k) const { return value + k; }
	int operator+(int k) { return value - k; }
	template <class T> T add(T t) { return t + value; }
};

int get(int q)
{
	return q * 3;
}
}

int over(int a)
{
	return a;
}

int over(double a)
{
	return (int)a;
}

int main()
{
	shop::Box b(3);

	return (b.get(2) + b.add<int>(3) + shop::get(1) + over(1) + over(2.0) + (b + 1)) & 1;
}
