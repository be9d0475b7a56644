/* SPDX-License-Identifier: MIT */
/*
 * Why tracepoint text is not left to libtraceevent: its time, and ours, to take in every format of
 * the running kernel, and to print a raw_syscalls:sys_enter. Built and run by
 * bench/tracepoint-text.
 */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/text.h"
#include "tracepoint/format.h"
#include "tracepoint/plan.h"

#define PRINTS 200000

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct formats {
	char **texts;
	size_t *lengths;
	size_t n;
};

static struct formats formats_read(void)
{
	struct formats f = { 0 };
	glob_t g;

	if (glob("/sys/kernel/tracing/events/*/*/format", 0, NULL, &g))
		return f;
	f.texts = calloc(g.gl_pathc, sizeof(*f.texts));
	f.lengths = calloc(g.gl_pathc, sizeof(*f.lengths));
	for (size_t i = 0; i < g.gl_pathc; i++)
		if (file_read(-1, g.gl_pathv[i], 1 << 20, &f.texts[f.n], &f.lengths[f.n]) >= 0)
			f.n++;
	globfree(&g);
	return f;
}

static const char *find(const struct formats *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (!strncmp(f->texts[i], name, strlen(name)))
			return f->texts[i];
	return NULL;
}

static void parse_all(const struct formats *f)
{
	struct tep_handle *tep = tep_alloc();
	struct diag diag = { 0 };
	size_t refused = 0, ours_refused = 0;
	double start = now_s(), theirs, ours;

	for (size_t i = 0; i < f->n; i++) {
		struct tep_event *e = NULL;

		refused += tep_parse_format(tep, &e, f->texts[i], f->lengths[i], "any") != 0 ||
			   (e && e->flags & TEP_EVENT_FL_FAILED);
	}
	theirs = now_s() - start;

	start = now_s();
	for (size_t i = 0; i < f->n; i++) {
		struct tracepoint_format *format;
		struct tracepoint_plan *plan;

		if (tracepoint_format_parse(f->texts[i], &format, &diag) < 0) {
			ours_refused++;
			continue;
		}
		plan = tracepoint_plan_new(format, sizeof(long));
		ours_refused += tracepoint_plan_problem(plan) != NULL;
		tracepoint_plan_free(plan);
		tracepoint_format_free(format);
	}
	ours = now_s() - start;
	printf("%-28s %9.1f ms %9.1f ms %7.1fx   refused: %zu and %zu of %zu\n", "all formats",
	       ours * 1e3, theirs * 1e3, theirs / ours, ours_refused, refused, f->n);
	diag_done(&diag);
	tep_free(tep);
}

static void print_one(const struct formats *f)
{
	struct tep_handle *tep = tep_alloc();
	struct tracepoint_machine machine = { 0 };
	struct text out = TEXT_EMPTY;
	struct diag diag = { 0 };
	struct tracepoint_format *format = NULL;
	struct tep_event *e = NULL;
	struct trace_seq seq;
	struct tracepoint_plan *plan;
	uint64_t raw[8] = { 0, 63, 3, 0xffffd1234560, 512, 0, 0x7f, 1 };
	struct tep_record record = { .data = raw, .size = sizeof(raw) };
	const char *text = find(f, "name: sys_enter\n");
	double start, theirs, ours;

	if (!text || tep_parse_format(tep, &e, text, strlen(text), "raw_syscalls") ||
	    tracepoint_format_parse(text, &format, &diag) < 0) {
		puts("raw_syscalls:sys_enter is not there");
		return;
	}
	*(uint16_t *)raw = (uint16_t)format->id;
	plan = tracepoint_plan_new(format, sizeof(long));
	trace_seq_init(&seq);

	start = now_s();
	for (int i = 0; i < PRINTS; i++) {
		trace_seq_reset(&seq);
		tep_print_event(tep, &seq, &record, "%s", TEP_PRINT_INFO);
	}
	theirs = now_s() - start;
	start = now_s();
	for (int i = 0; i < PRINTS; i++) {
		text_clear(&out);
		tracepoint_plan_print(plan, &machine, raw, sizeof(raw), &out);
	}
	ours = now_s() - start;
	trace_seq_terminate(&seq);
	printf("%-28s %9.1f ns %9.1f ns %7.1fx   %s\n", "raw_syscalls:sys_enter",
	       ours * 1e9 / PRINTS, theirs * 1e9 / PRINTS, theirs / ours,
	       strcmp(out.chars, seq.buffer) ? "the texts DIFFER" : "same text");
	trace_seq_destroy(&seq);
	tracepoint_plan_free(plan);
	tracepoint_format_free(format);
	text_done(&out);
	diag_done(&diag);
	tep_free(tep);
}

int main(void)
{
	struct formats f = formats_read();

	if (!f.n) {
		puts("tracefs cannot be read: nothing to measure");
		return EXIT_FAILURE;
	}
	printf("%-28s %12s %12s %8s\n", "tracepoint text", "ours", "libtraceevent", "ratio");
	parse_all(&f);
	print_one(&f);
	return EXIT_SUCCESS;
}
