/* SPDX-License-Identifier: MIT */
#include "tools/report/tasks-view.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"
#include "tools/report/task-tree-model.h"

/* The column in which the names of tasks begin, and that of their maps. */
#define MAPS_COLUMN 32

/*
 * The maximum indentation. Real trees are not that deep, but a file may claim it, and each level
 * costs a blank on every line.
 */
#define INDENT_MAX 256

static void report_tasks_print_text(FILE *out, const char *s)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	escape_terminal(&t, s, strlen(s));
	fputs(t.chars, out);
}

struct map_printer {
	FILE *out;
	int column;
};

static void print_map(void *arg, const struct map *m)
{
	const struct map_printer *p = arg;

	fprintf(p->out, "%*s%" PRIx64 "-%" PRIx64 " %c%c%c%c %08" PRIx64 " %" PRIu64 " ", p->column,
		"", m->start, m->end, m->prot & PROT_READ ? 'r' : '-',
		m->prot & PROT_WRITE ? 'w' : '-', m->prot & PROT_EXEC ? 'x' : '-',
		m->flags & MAP_SHARED ? 's' : 'p', m->pgoff, m->ino);
	report_tasks_print_text(p->out, image_long_name(m->image));
	fputc('\n', p->out);
}

static void report_tasks_print_task(const struct session *s, const struct task_node *n,
				    bool with_maps, FILE *out)
{
	const struct task *t = &n->task;
	int level = (int)(n->level < INDENT_MAX ? n->level : INDENT_MAX);

	fprintf(out, "%10" PRId32 " %8" PRId32 " %8" PRId64 " |%*s", (int32_t)t->pid,
		(int32_t)t->tid, t->ptid, level, "");
	report_tasks_print_text(out, machine_comm(s, t->pid, t->tid, 0));
	fputc('\n', out);
	if (with_maps)
		machine_maps(s, t->pid, print_map,
			     &(struct map_printer){ out, MAPS_COLUMN + level });
}

void report_tasks_print(const struct session *s, bool with_maps, FILE *out)
{
	_cleanup_(task_tree_done) struct task_tree tree;

	task_tree_init(&tree, s);
	fprintf(out, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	for (size_t i = 0; i < tree.n; i++)
		report_tasks_print_task(s, &tree.items[i], with_maps, out);
}
