/* SPDX-License-Identifier: MIT */
#include "view/missing-symbols.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "buildid/debug-package.h"
#include "symbol/symbolizer.h"

#define SHOWN_MAX 5

/* Fewer than one in so many samples are not worth a line. */
#define SHARE_MIN 200

struct advice {
	const char *why;  /* "...: it is stripped"; NULL: nothing is to be said */
	const char *help; /* NULL: nothing helps, or print_help() knows more */
};

static const struct advice advices[] = {
	[IMAGE_NO_FILE] = { "there is no such file any more",
			    "--symfs finds files below another directory; perf buildid-cache "
			    "--add keeps a file before it goes" },
	[IMAGE_DELETED] = { "it was deleted or replaced while it ran",
			    "record again, or give the old file to perf buildid-cache --add" },
	[IMAGE_ELSEWHERE] = { "it is in a container that is gone",
			      "report while the container runs, or give its root with --symfs" },
	[IMAGE_REPLACED] = { "the file there is not the one that ran, which was replaced or is in "
			     "a container",
			     "record again; perf record without -B keeps a copy of what ran" },
	[IMAGE_OTHER_BUILD] = { "the file there is another build than the recorded one",
				"give the old file to perf buildid-cache --add, or record again" },
	[IMAGE_STRIPPED] = { "it is stripped", NULL },
	[IMAGE_ONLY_PUBLIC] = { "it is stripped but for what other files call", NULL },
	[IMAGE_NOT_ELF] = { "it is no ELF file, or a damaged one", NULL },
	[IMAGE_UNREADABLE] = { "this user may not read it", "run perf as root" },
	[IMAGE_HIDDEN] = { "the kernel hides its addresses (kptr_restrict)",
			   "as root: sysctl kernel.kptr_restrict=0" },
	[IMAGE_NO_MAP] = { "it was compiled while it ran, and nothing names it",
			   "a map is written by node --perf-basic-prof, python3 -X perf, "
			   "DOTNET_PerfMapEnabled=1, a perf-map agent of Java" },
	[IMAGE_BAD_MAP] = { "it does not hold names of compiled code", NULL },
	[IMAGE_FOREIGN_MAP] = { "another user wrote it", "-f reads it nevertheless" },
	[IMAGE_NOT_BUILT_IN] = { "this perf was built without a library that it takes to read it",
				 "perf version --build-options tells which are in" },
	[IMAGE_ANONYMOUS] = { NULL, NULL },
};

static const struct advice kernel_elsewhere = {
	"neither its list of symbols nor its vmlinux is here",
	"give one with --kallsyms or -k; perf archive packs it on the machine of the recording"
};

static struct advice advice_of(const struct image *im)
{
	enum image_missing why = im ? image_unnamed_reason(im) : IMAGE_ANONYMOUS;

	if (im && image_kind(im) == IMAGE_KERNEL &&
	    (why == IMAGE_NO_FILE || why == IMAGE_OTHER_BUILD))
		return kernel_elsewhere;
	return why < ARRAY_SIZE(advices) ? advices[why] : advices[IMAGE_ANONYMOUS];
}

static int by_name(const void *a, const void *b)
{
	const struct missing_object *x = a, *y = b;

	return strcmp(image_wanted_path(x->image), image_wanted_path(y->image));
}

/* Most samples first. */
static int by_samples(const void *a, const void *b)
{
	const struct missing_object *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return by_name(a, b);
}

static bool is_stripped(const struct image *im)
{
	enum image_missing why = image_unnamed_reason(im);

	return image_kind(im) == IMAGE_USER && (why == IMAGE_STRIPPED || why == IMAGE_ONLY_PUBLIC);
}

static void print_debug_package(FILE *err, const struct image *im, bool named)
{
	_cleanup_(freep) char *command = debug_package_command(image_name(im), named);
	_cleanup_(text_done) struct text shown = TEXT_EMPTY;
	const char *server = debug_package_server();

	if (!command) {
		fputs("link it without -s, and do not strip it\n", err);
		return;
	}
	escape_terminal(&shown, command, strlen(command));
	fprintf(err, "its debug symbols: %s", shown.chars);
	if (server)
		fprintf(err, "; or set DEBUGINFOD_URLS=%s to fetch them", server);
	fputc('\n', err);
}

/* All in one line, which begins as that of Linux's perf: users' tests let such lines pass. */
static void print_stripped(FILE *err, const struct missing_object *o, const char *name,
			   const struct missing_symbols *m)
{
	fprintf(err,
		"no symbols found in %s, maybe install a debug package? %" PRIu64 " of %" PRIu64
		" samples: %s; ",
		name, o->samples, m->total, advice_of(o->image).why);
	print_debug_package(err, o->image, m->by_name);
}

static void print_object(FILE *err, const struct missing_object *o, const struct missing_symbols *m)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;
	struct advice advice = advice_of(o->image);
	const char *wanted = image_wanted_path(o->image), *refusal = image_refusal(o->image);

	escape_terminal(&name, wanted, strlen(wanted));
	if (is_stripped(o->image)) {
		print_stripped(err, o, name.chars, m);
		return;
	}
	fprintf(err, "no symbols found in %s for %" PRIu64 " of %" PRIu64 " samples: %s\n",
		name.chars, o->samples, m->total, refusal ? refusal : advice.why);
	if (advice.help)
		fprintf(err, "  %s\n", advice.help);
}

/* Leaves those of which something is to be said, each file once: one map names several images. */
static void merge(struct missing_symbols *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		if (m->items[i].image && advice_of(m->items[i].image).why)
			m->items[n++] = m->items[i];
	if (n)
		qsort(m->items, n, sizeof(m->items[0]), by_name);
	m->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (m->n && by_name(&m->items[m->n - 1], &m->items[i]) == 0)
			m->items[m->n - 1].samples += m->items[i].samples;
		else
			m->items[m->n++] = m->items[i];
	}
}

void missing_symbols_print(FILE *err, struct missing_symbols *m)
{
	size_t n = 0;

	merge(m);
	if (m->n)
		qsort(m->items, m->n, sizeof(m->items[0]), by_samples);
	while (n < m->n && m->items[n].samples && m->items[n].samples >= m->total / SHARE_MIN)
		n++;
	for (size_t i = 0; i < n && i < SHOWN_MAX; i++)
		print_object(err, &m->items[i], m);
	if (n > SHOWN_MAX)
		fprintf(err, "and in %zu more\n", n - SHOWN_MAX);
}

static void print_remark(struct image *im, void *arg)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;
	const char *remark = image_remark(im), *path = image_long_name(im);

	if (!remark)
		return;
	escape_terminal(&name, path, strlen(path));
	fprintf(arg, "%s: %s\n", name.chars, remark);
}

void symbol_remarks_print(FILE *err, struct symbolizer *s)
{
	symbolizer_for_each(s, print_remark, err);
}
