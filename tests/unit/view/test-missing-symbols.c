/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "profile/missing-symbols.h"
#include "symbol/symbolizer.h"
#include "view/missing-symbols.h"
#include "skip.h"

/* Returns an image called @name in which a symbol was looked up. */
static struct image *tried(struct symbolizer *s, enum image_kind kind, const char *name)
{
	struct image *im =
		symbolizer_image(s, &(struct image_key){ .kind = kind, .name = name, .pid = -5 });

	image_symbol_find(im, 0x1000);
	return im;
}

static void assert_says(struct missing_object *items, size_t n, uint64_t total, const char *text)
{
	_cleanup_(freep) char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);

	missing_symbols_print(
		f, &(struct missing_symbols){ .items = items, .n = n, .total = total }, 0);
	fclose(f);
	assert_string_equal(out, text);
}

static void each_object_has_a_reason_and_what_helps(void **state)
{
	const struct symbolizer_options o = { .symfs = "/no/such/dir" };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct missing_object items[] = {
		{ tried(s, IMAGE_JIT, "//anon"), 30 },
		{ tried(s, IMAGE_USER, "/bin/gone"), 60 },
		{ tried(s, IMAGE_JIT, "[heap]"), 10 }, /* the same map */
	};

	(void)state;
	assert_says(items, 3, 1000,
		    "no symbols found in /bin/gone for 60 of 1000 samples: there is no such file "
		    "any more\n"
		    "  --symfs finds files below another directory; perf buildid-cache --add keeps "
		    "a file before it goes\n"
		    "no symbols found in /tmp/perf--5.map for 40 of 1000 samples: it is JIT code, "
		    "and no map has its names\n"
		    "  a map is written by node --perf-basic-prof, python3 -X perf, "
		    "DOTNET_PerfMapEnabled=1; for a running Java by jcmd PID Compiler.perfmap\n");
}

static void people_read_what_helps_first(void **state)
{
	const struct symbolizer_options o = { .symfs = "/no/such/dir" };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct missing_object items[] = { { tried(s, IMAGE_USER, "/bin/gone"), 60 } };
	_cleanup_(freep) char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);

	(void)state;
	missing_symbols_print(f, &(struct missing_symbols){ .items = items, .n = 1, .total = 1000 },
			      60);
	fclose(f);
	assert_string_equal(out, "To see function names of /bin/gone (60 of 1000 samples):\n"
				 "  --symfs finds files below another directory; perf\n"
				 "  buildid-cache --add keeps a file before it goes\n"
				 "  (there is no such file any more)\n");
}

static void what_can_have_no_names_is_passed_over(void **state)
{
	const struct symbolizer_options o = { .symfs = "/no/such/dir" };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct missing_object items[] = {
		{ tried(s, IMAGE_UNKNOWN, "[vsyscall]"), 500 },
		{ NULL, 100 },
		{ tried(s, IMAGE_USER, "/bin/rare"), 1 },
		{ tried(s, IMAGE_BPF, "bpf_prog_x"), 50 },
	};

	(void)state;
	assert_says(items, 4, 1000, "");
	assert_says(NULL, 0, 1000, "");
	assert_says(NULL, 0, 0, "");
}

static void names_cannot_command_the_terminal(void **state)
{
	const struct symbolizer_options o = { .symfs = "/no/such/dir" };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct missing_object items[] = { { tried(s, IMAGE_USER, "/x\033[2J"), 5 } };
	_cleanup_(freep) char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);

	(void)state;
	missing_symbols_print(f, &(struct missing_symbols){ .items = items, .n = 1, .total = 5 },
			      0);
	fclose(f);
	assert_null(strchr(out, '\033'));
}

static void only_the_worst_are_shown(void **state)
{
	const struct symbolizer_options o = { .symfs = "/no/such/dir" };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct missing_object items[8];
	_cleanup_(freep) char *out = NULL;
	size_t size, lines = 0;
	FILE *f = open_memstream(&out, &size);

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		char name[16];

		snprintf(name, sizeof(name), "/bin/%zu", i % 10);
		items[i] = (struct missing_object){ tried(s, IMAGE_USER, name), 10 + i };
	}
	missing_symbols_print(f, &(struct missing_symbols){ .items = items, .n = 8, .total = 100 },
			      0);
	fclose(f);
	for (const char *c = out; *c; c++)
		lines += *c == '\n';
	assert_int_equal(lines, 5 * 2 + 1);
	assert_non_null(strstr(out, "/bin/7 for 17 of 100"));
	assert_null(strstr(out, "/bin/2 "));
	assert_non_null(strstr(out, "no symbols found in 3 more, maybe"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_object_has_a_reason_and_what_helps),
		cmocka_unit_test(people_read_what_helps_first),
		cmocka_unit_test(what_can_have_no_names_is_passed_over),
		cmocka_unit_test(names_cannot_command_the_terminal),
		cmocka_unit_test(only_the_worst_are_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
