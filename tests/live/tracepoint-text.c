/* SPDX-License-Identifier: MIT */
/*
 * usage: tracepoint-text TRACEFS <per_cpu/cpuN/trace_pipe_raw
 *
 * Prints the records of a raw trace buffer by our own plans, one "event: text" to a line, as the
 * kernel does in per_cpu/cpuN/trace. Reports on stderr the print fmts of the running kernel that
 * are not understood, and fails if one of them could be.
 */
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "tracepoint/format.h"
#include "tracepoint/plan.h"
#include "tracepoint/printk-formats.h"

enum {
	IDS_MAX = 1 << 16,
	PAGE_MAX = 1 << 20,
	FORMAT_MAX = 1 << 20,
	PAGE_HEADER = 16, /* time stamp, and a word whose low bits are the size of what follows */
};

/*
 * Record types of the ring buffer: see Documentation/trace/ring-buffer-design.rst, and
 * events/header_event.
 */
enum {
	TYPE_PADDING = 29,
	TYPE_TIME_EXTEND = 30,
	TYPE_TIME_STAMP = 31,
};

struct event {
	struct tracepoint_format *format;
	struct tracepoint_plan *plan;
};

struct symbol {
	uint64_t addr;
	char *name;
};

struct names {
	struct symbol *items;
	size_t n, room;
	struct printk_formats *strings;
};

static int by_addr(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void read_symbols(struct names *s)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	unsigned long long addr;
	char type, *name;

	while (f && fscanf(f, "%llx %c %ms%*[^\n]", &addr, &type, &name) == 3)
		*ARRAY_ADD(s) = (struct symbol){ addr, name };
	if (f)
		fclose(f);
	qsort(s->items, s->n, sizeof(s->items[0]), by_addr);
}

static const char *find_symbol(void *arg, uint64_t addr, uint64_t *ret_offset)
{
	const struct names *s = arg;
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->items[middle].addr <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || addr < 1UL << 63)
		return NULL;
	*ret_offset = addr - s->items[low - 1].addr;
	return s->items[low - 1].name;
}

static void read_strings(struct names *names, const char *tracefs)
{
	_cleanup_(freep) char *path = xasprintf("%s/printk_formats", tracefs);
	_cleanup_(freep) char *text = NULL;
	size_t n = 0;

	if (file_read(AT_FDCWD, path, FORMAT_MAX, &text, &n) >= 0)
		names->strings = printk_formats_new(text, n);
}

static const char *find_string(void *arg, uint64_t addr)
{
	const struct names *names = arg;

	return names->strings ? printk_formats_find(names->strings, addr) : NULL;
}

/*
 * True if the print fmt runs statements of the kernel (kvmmmu:* of x86_64). They take a word of the
 * record apart by a union that no format describes, and write directly into the trace's text.
 */
static bool writes_by_itself(const char *format)
{
	return strstr(format, "trace_seq_printf(p, ");
}

/*
 * Reads the format of an event. Returns false if a print fmt that can be understood is not, or one
 * that runs statements is.
 */
static bool read_event(const char *path, struct event *events)
{
	_cleanup_(freep) char *text = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct tracepoint_format *f = NULL;
	struct tracepoint_plan *plan;

	if (file_read(AT_FDCWD, path, FORMAT_MAX, &text, NULL) < 0 ||
	    tracepoint_format_parse(text, &f, &diag) < 0 || f->id >= IDS_MAX)
		return false;
	plan = tracepoint_plan_new(f, sizeof(long));
	events[f->id] = (struct event){ f, plan };
	if (writes_by_itself(text))
		return tracepoint_plan_problem(plan);
	if (tracepoint_plan_problem(plan))
		fprintf(stderr, "%s: %s\n", path, tracepoint_plan_problem(plan));
	return !tracepoint_plan_problem(plan);
}

static bool read_events(const char *tracefs, struct event *events)
{
	_cleanup_(freep) char *pattern = xasprintf("%s/events/*/*/format", tracefs);
	bool good = true;
	glob_t paths;

	if (glob(pattern, 0, NULL, &paths) != 0)
		return false;
	for (size_t i = 0; i < paths.gl_pathc; i++)
		good &= read_event(paths.gl_pathv[i], events);
	globfree(&paths);
	return good;
}

static void print_record(const struct event *events, const struct tracepoint_machine *m,
			 const uint8_t *record, size_t size)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	uint16_t id;

	memcpy(&id, record, sizeof(id));
	if (!events[id].plan)
		return;
	tracepoint_plan_print(events[id].plan, m, record, size, &out);
	printf("%s: %s\n", events[id].format->name, out.chars);
}

static void print_page(const struct event *events, const struct tracepoint_machine *m,
		       const uint8_t *page, size_t end)
{
	for (size_t at = PAGE_HEADER; at + 8 <= end;) {
		uint32_t head, length, type;

		memcpy(&head, page + at, 4);
		memcpy(&length, page + at + 4, 4);
		type = head & 31;
		at += 4;
		if (type == TYPE_TIME_EXTEND || type == TYPE_TIME_STAMP) {
			at += 4;
			continue;
		}
		if (type == TYPE_PADDING && !(head >> 5))
			return;
		if (type && type < TYPE_PADDING) {
			length = type * 4;
		} else {
			at += 4;
			/* only a record's length counts the length word itself */
			length -= type ? 0 : 4;
		}
		if (at + length > end)
			return;
		if (type < TYPE_PADDING)
			print_record(events, m, page + at, length);
		at += length;
	}
}

int main(int argc, char **argv)
{
	struct event *events = xcalloc(IDS_MAX, sizeof(*events));
	uint8_t *page = xmalloc(PAGE_MAX);
	struct names names = { 0 };
	const struct tracepoint_machine m = { .symbol = find_symbol,
					      .string = find_string,
					      .arg = &names };
	ssize_t n;

	if (argc != 2 || !read_events(argv[1], events))
		return 1;
	read_symbols(&names);
	read_strings(&names, argv[1]);
	while ((n = read(STDIN_FILENO, page, PAGE_MAX)) > PAGE_HEADER) {
		uint32_t commit;

		memcpy(&commit, page + 8, sizeof(commit));
		commit = PAGE_HEADER + (commit & 0xfffff);
		print_page(events, &m, page, commit < n ? commit : (size_t)n);
	}
	return 0;
}
