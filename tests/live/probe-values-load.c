/* SPDX-License-Identifier: MIT */
/* A function whose arguments, members and globals are known: see probe-values.tsv. */
#include <stdbool.h>

enum colour {
	RED,
	GREEN = 5,
	BLUE = -1
};

typedef struct point {
	int x, y;
} point_t;

struct inner {
	int first;
	unsigned low : 3, middle : 5;
	int high : 7;
	union {
		int number;
		struct {
			short lower, upper;
		};
	};
	char name[16];
	unsigned long long wide : 40;
	const char *text;
};

struct outer {
	long before;
	struct inner in;
	struct inner *pointer;
	struct inner list[3];
	struct outer *next;
	point_t point;
	int matrix[2][3];
	const char *strings[2];
	bool flag;
	enum colour colour;
};

struct outer whole = {
	.before = 1,
	.in = { .first = 7,
		.low = 5,
		.middle = 17,
		.high = 3,
		.number = 0x20001,
		.name = "hello",
		.wide = 0x123456789,
		.text = "inner text" },
	.list = { { .first = 10 }, { .first = 11, .name = "second" }, { .first = 12 } },
	.point = { 8, 9 },
	.matrix = { { 1, 2, 3 }, { 4, 5, 6 } },
	.strings = { "zero", "one" },
	.flag = true,
	.colour = GREEN,
};
int global_number = 42;
const char *global_text = "global text";
char global_array[8] = "array";

__attribute__((noinline)) int seen(void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
	return 0;
}

__attribute__((noinline)) int target(int i, unsigned u, signed char sc, unsigned char uc, short s,
				     long l, unsigned long long ull, const char *str,
				     struct outer *o, point_t p, enum colour col, bool b)
{
	static int counter = 9;
	int local = i * 2;
	int array[4] = { i, 20, 30, 40 };

	seen(array);
	counter += seen(&local);
	return local + array[u & 3] + sc + uc + s + (int)l + (int)ull + (str != 0) + o->in.first +
	       p.x + p.y + (int)col + b + global_number + (global_text != 0) + counter;
}

static inline __attribute__((always_inline)) int inlined(int a, struct outer *o)
{
	int twice = a * 2;

	seen(&o->in);
	return twice + seen(o->in.name);
}

int main(int argc, char **argv)
{
	point_t p = { 80, 90 };

	whole.pointer = &whole.list[1];
	whole.next = &whole;
	for (int i = 0; i < 2; i++)
		if (target(-1, 2, -4, 200, -300, -5000000000L, 6000000000ULL, "a string", &whole, p,
			   BLUE, true) == 1)
			return 2;
	return inlined(argc + 20, (struct outer *)argv[argc] ? 0 : &whole) == 1;
}
