/* SPDX-License-Identifier: MIT */
/*
 * Tracepoint text by our plans and by libtraceevent: to take in all formats of this kernel, and to
 * print a record. Answers: how many formats are understood; the length of what is printed.
 *
 * Needs: libtraceevent
 */
#include <event-parse.h>
#include <glob.h>
#include <string.h>
#include <trace-seq.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/text.h"
#include "tracepoint/format.h"
#include "tracepoint/plan.h"
#include "versus.h"

#define PRINTS 200000

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

static uint64_t all_by_library(const void *question)
{
	const struct formats *f = question;
	struct tep_handle *tep = tep_alloc();
	uint64_t understood = 0;

	for (size_t i = 0; i < f->n; i++) {
		struct tep_event *e = NULL;

		understood += !tep_parse_format(tep, &e, f->texts[i], f->lengths[i], "any") &&
			      !(e && e->flags & TEP_EVENT_FL_FAILED);
	}
	tep_free(tep);
	return understood;
}

static uint64_t all_by_us(const void *question)
{
	const struct formats *f = question;
	struct diag diag = { 0 };
	uint64_t understood = 0;

	for (size_t i = 0; i < f->n; i++) {
		struct tracepoint_format *format;
		struct tracepoint_plan *plan;

		if (tracepoint_format_parse(f->texts[i], &format, &diag) < 0)
			continue;
		plan = tracepoint_plan_new(format, sizeof(long));
		understood += !tracepoint_plan_problem(plan);
		tracepoint_plan_free(plan);
		tracepoint_format_free(format);
	}
	diag_done(&diag);
	return understood;
}

/* raw_syscalls:sys_enter, a read(3, ...). */
static const uint64_t record[8] = { 0, 63, 3, 0xffffd1234560, 512, 0, 0x7f, 1 };

static uint64_t print_by_library(const void *question)
{
	struct tep_handle *tep = tep_alloc();
	struct tep_event *e = NULL;
	uint64_t raw[8];
	struct tep_record r = { .data = raw, .size = sizeof(raw) };
	struct trace_seq seq;

	if (tep_parse_format(tep, &e, question, strlen(question), "raw_syscalls"))
		return VERSUS_NONE;
	memcpy(raw, record, sizeof(raw));
	*(uint16_t *)raw = (uint16_t)e->id;
	trace_seq_init(&seq);
	for (int i = 0; i < PRINTS; i++) {
		trace_seq_reset(&seq);
		tep_print_event(tep, &seq, &r, "%s", TEP_PRINT_INFO);
	}
	trace_seq_terminate(&seq);
	return strlen(seq.buffer);
}

static uint64_t print_by_us(const void *question)
{
	struct tracepoint_machine machine = { 0 };
	struct text out = TEXT_EMPTY;
	struct diag diag = { 0 };
	struct tracepoint_format *format;
	struct tracepoint_plan *plan;

	if (tracepoint_format_parse(question, &format, &diag) < 0)
		return VERSUS_NONE;
	plan = tracepoint_plan_new(format, sizeof(long));
	for (int i = 0; i < PRINTS; i++) {
		text_clear(&out);
		tracepoint_plan_print(plan, &machine, record, sizeof(record), &out);
	}
	return strlen(out.chars);
}

int main(void)
{
	struct formats f = formats_read();
	const char *text = find(&f, "name: sys_enter\n");

	if (!text) {
		puts("tracefs cannot be read: no text of tracepoints to measure");
		return EXIT_SUCCESS;
	}
	versus_title("tracepoint text", "libtraceevent");
	printf("formats there are: %zu\n", f.n);
	versus("all formats", all_by_us, all_by_library, &f, 1);
	versus("print raw_syscalls:sys_enter", print_by_us, print_by_library, text, PRINTS);
	return EXIT_SUCCESS;
}
