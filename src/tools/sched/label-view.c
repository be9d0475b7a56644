/* SPDX-License-Identifier: MIT */
#include "tools/sched/label-view.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "tools/sched/timehist-tasks-model.h"

void task_labels_done(struct task_labels *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->items[i].chars);
	free(l->items);
}

static void make_label(struct task_label *label, const struct timehist_task *t)
{
	struct text text = TEXT_EMPTY;

	if (t->comm)
		escape_terminal(&text, t->comm, strlen(t->comm));
	else
		text_addf(&text, ":%d", t->tid);
	if (t->pid != TIMEHIST_NO_PID && t->pid != t->tid)
		text_addf(&text, "[%d/%d]", t->tid, t->pid);
	else if (t->pid != TIMEHIST_NO_PID)
		text_addf(&text, "[%d]", t->tid);
	if (text.length > TASK_LABEL_MAX)
		text_filled(&text, text.chars + TASK_LABEL_MAX);
	free(label->chars);
	label->length = (uint32_t)text.length;
	label->comm = t->comm;
	label->pid = t->pid;
	label->chars = text_take(&text);
}

const struct task_label *task_label(struct task_labels *l, const struct timehist_task *t)
{
	struct task_label *label;

	while (l->n <= t->index)
		ARRAY_ADD(l);
	label = &l->items[t->index];
	if (!label->length || label->comm != t->comm || label->pid != t->pid)
		make_label(label, t);
	return label;
}
