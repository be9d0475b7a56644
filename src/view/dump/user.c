/* SPDX-License-Identifier: MIT */
/* The fields of perf's own records. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "view/dump/dump.h"
#include "view/dump/line.h"

void dump_id_index(const struct dump_line *l)
{
	const struct words *e = &l->r.id_index.entries, *m = &l->r.id_index.machines;

	fprintf(l->out, " nr: %zu\n", e->n / 4);
	for (size_t i = 0; i < e->n / 4; i++) {
		fprintf(l->out,
			" ... id: %" PRIu64 "  idx: %" PRIu64 "  cpu: %" PRId64 "  tid: %" PRId64,
			words_get(e, 4 * i), words_get(e, 4 * i + 1),
			(int64_t)words_get(e, 4 * i + 2), (int64_t)words_get(e, 4 * i + 3));
		if (2 * i + 1 < m->n)
			fprintf(l->out, "  machine_pid: %" PRId64 "  vcpu: %" PRId64,
				(int64_t)words_get(m, 2 * i), (int64_t)words_get(m, 2 * i + 1));
		fputc('\n', l->out);
	}
}

void dump_trace_error(const struct record_auxtrace_error *e, FILE *out)
{
	fprintf(out, " %s error type %u time ", e->type == 1 ? "instruction trace" : "unknown",
		e->type);
	if (e->fmt && e->time)
		fprintf(out, "%" PRIu64 ".%09" PRIu64, e->time / 1000000000, e->time % 1000000000);
	else
		fputc('0', out);
	fprintf(out, " cpu %d pid %d tid %d ip %#" PRIx64 " code %u: ", (int)e->cpu, (int)e->pid,
		(int)e->tid, e->ip, e->code);
	dump_text(out, e->msg);
	fputc('\n', out);
}

void dump_auxtrace_error(const struct dump_line *l)
{
	dump_trace_error(&l->r.auxtrace_error, l->out);
}

void dump_thread_map(const struct dump_line *l)
{
	const struct record_thread_map *m = &l->r.thread_map;

	fprintf(l->out, " nr: %zu thread%s: ", m->n, m->n > 1 ? "s" : "");
	for (size_t i = 0; i < m->n; i++)
		fprintf(l->out, "%s%d", i ? ", " : "", (int)record_thread_map_get(m, i).pid);
	fputc('\n', l->out);
}

/* Joins CPUs to ranges as they come; -1 is any CPU. */
struct cpu_ranges {
	FILE *out;
	bool started;
	int first, last;
};

static void dump_user_print_range(const struct cpu_ranges *r)
{
	fprintf(r->out, "%d", r->first);
	if (r->last != r->first)
		fprintf(r->out, "-%d", r->last);
}

static void dump_user_add_cpu(void *arg, int cpu)
{
	struct cpu_ranges *r = arg;

	if (r->started && cpu == r->last + 1) {
		r->last = cpu;
		return;
	}
	if (r->started) {
		dump_user_print_range(r);
		fputc(',', r->out);
	}
	r->started = true;
	r->first = r->last = cpu;
}

static void print_cpus(const struct record_cpu_map *m, FILE *out)
{
	struct cpu_ranges r = { .out = out };

	record_cpu_map_for_each(m, dump_user_add_cpu, &r);
	if (r.started)
		dump_user_print_range(&r);
	fputc('\n', out);
}

void dump_cpu_map(const struct dump_line *l)
{
	fputs(": ", l->out);
	print_cpus(&l->r.cpu_map, l->out);
}

void dump_event_update(const struct dump_line *l)
{
	const struct record_event_update *u = &l->r.event_update;

	fprintf(l->out, "\n... id:    %" PRIu64 "\n", u->id);
	switch (u->kind) {
	case EVENT_UPDATE_SCALE:
		fprintf(l->out, "... scale: %f\n", u->scale);
		break;
	case EVENT_UPDATE_CPUS:
		fputs("... ", l->out);
		print_cpus(&u->cpus, l->out);
		break;
	case EVENT_UPDATE_UNIT:
	case EVENT_UPDATE_NAME:
		fputs(u->kind == EVENT_UPDATE_UNIT ? "... unit:  " : "... name:  ", l->out);
		dump_text(l->out, u->text);
		fputc('\n', l->out);
		break;
	default:
		fputs("... unknown type\n", l->out);
	}
}

void dump_time_conv(const struct dump_line *l)
{
	const struct record_time_conv *t = &l->r.time_conv;

	/* "Muliplier": scripts expect this spelling. */
	fprintf(l->out,
		"\n... Time Shift      %" PRIu64 "\n... Time Muliplier  %" PRIu64
		"\n... Time Zero       %" PRIu64 "\n",
		t->time_shift, t->time_mult, t->time_zero);
	if (t->is_long)
		fprintf(l->out,
			"... Time Cycles     %" PRIu64 "\n... Time Mask       %#" PRIx64
			"\n... Cap Time Zero   %d\n... Cap Time Short  %d\n",
			t->time_cycles, t->time_mask, t->cap_user_time_zero,
			t->cap_user_time_short);
	fputs(": unhandled!\n", l->out);
}
