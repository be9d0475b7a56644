/* SPDX-License-Identifier: MIT */
#include "view/report/tasks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"

/* The column where the names of tasks begin, and that of their maps. */
#define MAPS_COLUMN 32

/* Nobody forks so deep, but a file may say so, and each level costs a blank on every line. */
#define INDENT_MAX 256

struct node {
	struct task task;
	struct node *parent; /* NULL: the root, or not linked yet */
	struct node *first_child, *last_child, *next;
	bool linked;
	bool on_path; /* waits for its ancestors to be linked */
};

struct tree {
	struct {
		struct node *items;
		size_t n, room;
	} tasks;
	struct u64_map by_tid;
	struct {
		struct node **items;
		size_t n, room;
	} path;
	struct node root; /* of those whose parent is not known */
};

static void add_task(void *arg, const struct task *t)
{
	struct tree *tree = arg;

	ARRAY_ADD(&tree->tasks)->task = *t;
}

/*
 * Linux's perf keeps tasks in 256 lists by the lower byte of the tid, and that shows: among those
 * with one parent, the first is the one that is met first, or a descendant of whose is.
 */
static int by_list(const void *a, const void *b)
{
	const struct node *x = a, *y = b;
	uint32_t p = x->task.tid, q = y->task.tid;

	if ((p ^ q) & 0xff)
		return (p & 0xff) < (q & 0xff) ? -1 : 1;
	return p < q ? -1 : p > q;
}

static struct node *parent_of(const struct tree *tree, const struct node *n)
{
	return n->task.ptid < 0 ? NULL : u64_map_find(&tree->by_tid, (uint64_t)n->task.ptid);
}

static void append(struct node *parent, struct node *n)
{
	if (parent->last_child)
		parent->last_child->next = n;
	else
		parent->first_child = n;
	parent->last_child = n;
	n->parent = parent;
	n->linked = true;
	n->on_path = false;
}

/*
 * Links @n behind its parent's other children, and before it those of its ancestors that are not. A
 * damaged file may make a task its own ancestor: the last that is new counts as nobody's child.
 */
static void link_task(struct tree *tree, struct node *n)
{
	struct node *parent = &tree->root;

	for (; n && !n->linked && !n->on_path; n = parent_of(tree, n)) {
		n->on_path = true;
		*ARRAY_ADD(&tree->path) = n;
	}
	if (n && n->linked)
		parent = n;
	while (tree->path.n) {
		struct node *child = tree->path.items[--tree->path.n];

		append(parent, child);
		parent = child;
	}
}

static void tree_build(struct tree *tree, const struct session *s)
{
	machine_tasks(s, add_task, tree);
	qsort(tree->tasks.items, tree->tasks.n, sizeof(tree->tasks.items[0]), by_list);
	for (size_t i = 0; i < tree->tasks.n; i++)
		u64_map_put(&tree->by_tid, tree->tasks.items[i].task.tid, &tree->tasks.items[i]);
	for (size_t i = 0; i < tree->tasks.n; i++)
		link_task(tree, &tree->tasks.items[i]);
}

static void tree_done(struct tree *tree)
{
	u64_map_done(&tree->by_tid);
	free(tree->path.items);
	free(tree->tasks.items);
}

static void print_text(FILE *out, const char *s)
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
	print_text(p->out, image_long_name(m->image));
	fputc('\n', p->out);
}

static void print_task(const struct session *s, const struct task *t, int level, bool with_maps,
		       FILE *out)
{
	fprintf(out, "%10" PRId32 " %8" PRId32 " %8" PRId64 " |%*s", (int32_t)t->pid,
		(int32_t)t->tid, t->ptid, level, "");
	print_text(out, machine_comm(s, t->pid, t->tid, 0));
	fputc('\n', out);
	if (with_maps)
		machine_maps(s, t->pid, print_map,
			     &(struct map_printer){ out, MAPS_COLUMN + level });
}

/* The node that follows @n from the root down; NULL: it was the last. */
static const struct node *next_of(const struct node *n, unsigned *level)
{
	if (n->first_child) {
		++*level;
		return n->first_child;
	}
	while (n && !n->next) {
		n = n->parent;
		--*level;
	}
	return n ? n->next : NULL;
}

void report_tasks_print(const struct session *s, bool with_maps, FILE *out)
{
	_cleanup_(tree_done) struct tree tree = { 0 };
	unsigned level = 0;

	tree_build(&tree, s);
	fprintf(out, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	for (const struct node *n = tree.root.first_child; n; n = next_of(n, &level))
		print_task(s, &n->task, (int)(level < INDENT_MAX ? level : INDENT_MAX), with_maps,
			   out);
}
