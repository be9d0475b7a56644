/* SPDX-License-Identifier: MIT */
#include "tools/lock/contention-view.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"

static void contention_add_name(struct text *t, const char *name)
{
	escape_terminal(t, name, strlen(name));
}

static void contention_add_heads(const struct contention_view *v, struct text *t)
{
	lock_columns_add_heads(&v->columns, t);
	switch (v->by) {
	case LOCK_BY_TASK:
		text_addf(t, "  %10s   %s\n\n", "pid", v->owners ? "owner" : "comm");
		break;
	case LOCK_BY_ADDR:
		text_addf(t, "  %16s   %s\n\n", "address", "symbol");
		break;
	case LOCK_BY_CGROUP:
		text_addf(t, "  %s\n\n", "cgroup");
		break;
	default:
		text_addf(t, "  %10s   %s\n\n", "type", "caller");
	}
}

static void contention_add_frame(const struct contention_view *v, const struct lock_row *row,
				 uint64_t ip, struct text *t)
{
	struct lock_symbol sym;

	if (!v->names->symbol(v->names->arg, row->pid, ip, &sym))
		return;
	contention_add_name(t, sym.name);
	if (sym.offset)
		text_addf(t, "+0x%" PRIx64, sym.offset);
}

static void contention_add_stack(const struct contention_view *v, const struct lock_row *row,
				 struct text *t)
{
	for (size_t i = 0; i < row->n_stack; i++) {
		text_addf(t, "\t\t\t0x%" PRIx64 "  ", row->stack[i]);
		contention_add_frame(v, row, row->stack[i], t);
		text_add_char(t, '\n');
	}
}

static void contention_add_row(const struct contention_view *v, const struct lock_row *row,
			       struct text *t)
{
	const char *type = lock_type_name(row->flags);

	lock_columns_add_values(&v->columns, row, t);
	switch (v->by) {
	case LOCK_BY_TASK:
		text_addf(t, "  %10" PRId32 "   ", (int32_t)row->tid);
		contention_add_name(t, row->name);
		break;
	case LOCK_BY_ADDR:
		text_addf(t, "  %016" PRIx64 "   ", row->addr);
		contention_add_name(t, row->name);
		text_addf(t, " (%s)", lock_type_of_lock(row->flags));
		break;
	case LOCK_BY_CGROUP:
		text_add(t, "  ");
		contention_add_name(t, row->name);
		break;
	default:
		text_addf(t, "  %10s   ", type);
		contention_add_name(t, row->name);
	}
	text_add_char(t, '\n');
	if (v->stacks)
		contention_add_stack(v, row, t);
}

static void add_csv_heads(const struct contention_view *v, struct text *t)
{
	const char *sep = v->separator;

	text_add(t, "# output: ");
	lock_columns_add_csv_heads(&v->columns, sep, t);
	switch (v->by) {
	case LOCK_BY_TASK:
		text_addf(t, "pid%s %s", sep, v->owners ? "owner" : "comm");
		break;
	case LOCK_BY_ADDR:
		text_addf(t, "address%s symbol%s type", sep, sep);
		break;
	case LOCK_BY_CGROUP:
		text_add(t, "cgroup");
		break;
	default:
		text_addf(t, "type%s caller", sep);
		if (v->stacks)
			text_addf(t, "%s stacktrace", sep);
	}
	text_add_char(t, '\n');
}

static void add_csv_row(const struct contention_view *v, const struct lock_row *row, struct text *t)
{
	const char *sep = v->separator, *type = lock_type_name(row->flags);

	lock_columns_add_csv_values(&v->columns, row, sep, t);
	switch (v->by) {
	case LOCK_BY_TASK:
		text_addf(t, "%" PRId32 "%s ", (int32_t)row->tid, sep);
		contention_add_name(t, row->name);
		break;
	case LOCK_BY_ADDR:
		text_addf(t, "%" PRIx64 "%s ", row->addr, sep);
		contention_add_name(t, row->name);
		text_addf(t, "%s %s", sep, lock_type_of_lock(row->flags));
		break;
	case LOCK_BY_CGROUP:
		contention_add_name(t, row->name);
		break;
	default:
		text_addf(t, "%s%s ", type, sep);
		contention_add_name(t, row->name);
	}
	for (size_t i = 0; v->stacks && i < row->n_stack; i++) {
		text_addf(t, "%s", i ? ":" : sep);
		text_add(t, i ? "" : " ");
		contention_add_frame(v, row, row->stack[i], t);
	}
	text_add_char(t, '\n');
}

static void add_csv_trailer(const struct contention_view *v, const struct lock_shown *shown,
			    const struct lock_failures *f, struct text *t)
{
	const struct {
		const char *name;
		uint64_t n;
	} counts[] = {
		{ v->counted ? "task" : "acquire", v->counted ? f->task : f->acquire },
		{ v->counted ? "stack" : "acquired", v->counted ? f->stack : f->acquired },
		{ v->counted ? "time" : "contended", v->counted ? f->time : f->contended },
		{ v->counted ? "data" : "release", v->counted ? f->data : f->release },
	};

	text_addf(t, "# debug: total=%" PRIu64 "%s bad=%" PRIu64, shown->rows, v->separator,
		  shown->bad_rows);
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		text_addf(t, "%s bad_%s=%" PRIu64, v->separator, counts[i].name, counts[i].n);
	text_add_char(t, '\n');
}

/*
 * Appends the trailer of waits that were counted in the kernel. The base of its rate is all waits
 * that were seen.
 */
static void add_counted_trailer(const struct lock_shown *shown, const struct lock_failures *f,
				struct text *t)
{
	uint64_t all = shown->rows + shown->bad_rows;

	text_addf(t,
		  "\n=== output for debug ===\n\nbad: %" PRIu64 ", total: %" PRIu64
		  "\nbad rate: %.2f %%\nhistogram of failure reasons\n",
		  shown->bad_rows, all, all ? 100.0 * (double)shown->bad_rows / (double)all : 0);
	text_addf(t,
		  " %10s: %" PRIu64 "\n %10s: %" PRIu64 "\n %10s: %" PRIu64 "\n %10s: %" PRIu64
		  "\n",
		  "task", f->task, "stack", f->stack, "time", f->time, "data", f->data);
}

static void add_trailer(const struct contention_view *v, const struct lock_shown *shown,
			const struct lock_failures *f, struct text *t)
{
	bool failed = v->counted ? shown->bad_rows : lock_failures_any(f);

	if (v->quiet || (!v->trailer && !failed))
		return;
	if (v->separator)
		add_csv_trailer(v, shown, f, t);
	else if (v->counted)
		add_counted_trailer(shown, f, t);
	else
		lock_trailer_add(shown, f, t);
}

void contention_print(FILE *out, const struct contention_view *v, const struct lock_row *rows,
		      size_t n, const struct lock_failures *failures)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct lock_shown shown = { 0 };

	if (!v->quiet && v->separator)
		add_csv_heads(v, &t);
	else if (!v->quiet)
		contention_add_heads(v, &t);
	for (size_t i = 0; i < n; i++) {
		bool is_shown = !v->entries || i < v->entries;

		/* The trailer is about the shown rows. For CSV it is about all rows, as in 7.2. */
		if (is_shown || v->separator) {
			shown.rows++;
			shown.bad_rows += rows[i].is_broken;
		}
		if (is_shown && v->separator)
			add_csv_row(v, &rows[i], &t);
		else if (is_shown)
			contention_add_row(v, &rows[i], &t);
	}
	if (v->counted)
		shown.bad_rows = failures->task + failures->stack + failures->time + failures->data;
	add_trailer(v, &shown, failures, &t);
	fwrite(t.chars, 1, t.length, out);
}
