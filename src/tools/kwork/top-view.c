/* SPDX-License-Identifier: MIT */
#include "tools/kwork/top-view.h"

#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "base/text.h"
#include "tools/kwork/usage-model.h"

#define BAR        30
#define NAME_WIDTH 16

static double kwork_top_percent(uint64_t ns, uint64_t whole_ns)
{
	return whole_ns ? 100 * (double)ns / (double)whole_ns : 0;
}

static void kwork_top_add_cpu(struct text *t, const struct kwork_cpu_use *c)
{
	uint64_t bars = c->share * BAR / 10000;

	text_addf(t, "%%Cpu%-4" PRIu32 "[", c->cpu);
	for (uint64_t i = 0; i < BAR; i++)
		text_add_char(t, i < bars ? '|' : ' ');
	text_addf(t, " %3" PRIu64 ".%02" PRIu64 "%%]\n", c->share / 100, c->share % 100);
}

static void kwork_top_add_task(struct text *t, const struct kwork_task_use *task)
{
	size_t from;

	text_addf(t, " %8" PRIu32 "  %3" PRIu64 ".%02" PRIu64 "  %13.3f ms  ", task->tid,
		  task->share / 100, task->share % 100, (double)task->run_ns / 1e6);
	from = t->length;
	escape_terminal(t, task->name, strlen(task->name));
	text_pad(t, from, NAME_WIDTH, 0, ' ');
	text_add_char(t, '\n');
}

void kwork_top_add(struct text *t, const struct kwork_usage_rows *r, unsigned long max_tasks)
{
	text_addf(t, "\nTotal  : %10.3f ms, %zu cpus\n", (double)r->time_ns / 1e6, r->n_cpus);
	text_addf(t, "%%Cpu(s): %6.2f%% id, %6.2f%% hi, %6.2f%% si\n",
		  kwork_top_percent(r->idle_ns, r->time_ns),
		  kwork_top_percent(r->irq_ns, r->time_ns),
		  kwork_top_percent(r->softirq_ns, r->time_ns));
	for (size_t i = 0; i < r->n_cpus; i++)
		kwork_top_add_cpu(t, &r->cpus[i]);
	text_add(t, "\n      PID    %CPU           RUNTIME  COMMAND         \n"
		    "  ----------------------------------------------------\n");
	for (size_t i = 0; i < r->n_tasks && i < max_tasks; i++)
		kwork_top_add_task(t, &r->tasks[i]);
	text_add_char(t, '\n');
}
