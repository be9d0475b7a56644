/* SPDX-License-Identifier: MIT */
#include "tools/ftrace/settings-work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"

/* The number of CPUs in a word of a mask. */
#define MASK_BITS 32

void ftrace_request_done(struct ftrace_request *rq)
{
	target_done(&rq->target);
	free(rq->traced.items);
	free(rq->not_traced.items);
	free(rq->graphed.items);
	free(rq->not_graphed.items);
}

bool ftrace_request_has_command(const struct ftrace_request *rq)
{
	return rq->argv && rq->argv[0];
}

const char *ftrace_request_tracer(const struct ftrace_request *rq)
{
	if (rq->needs_graph || rq->graphed.n || rq->not_graphed.n)
		return FTRACE_GRAPH;
	if (rq->traced.n || rq->not_traced.n)
		return FTRACE_FUNCTION;
	return rq->tracer ? rq->tracer : FTRACE_GRAPH;
}

void ftrace_settings_done(struct ftrace_settings *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->items[i].value);
	free(s->items);
	*s = (struct ftrace_settings){ 0 };
}

/* Takes ownership of @value. */
static void ftrace_settings_add(struct ftrace_settings *s, const char *file, char *value,
				const char *option)
{
	*ARRAY_ADD(s) = (struct ftrace_setting){ .file = file, .value = value, .option = option };
}

static void ftrace_settings_add_flag(struct ftrace_settings *s, const char *file, bool on,
				     const char *option)
{
	ftrace_settings_add(s, file, xstrdup(on ? "1" : "0"), option);
}

static void ftrace_settings_add_number(struct ftrace_settings *s, const char *file, uint64_t n,
				       const char *option)
{
	ftrace_settings_add(s, file, xasprintf("%" PRIu64, n), n ? option : NULL);
}

static void ftrace_settings_add_list(struct ftrace_settings *s, const char *file,
				     const struct ftrace_functions *l, const char *option)
{
	ftrace_settings_add(s, file, xstrdup(""), NULL);
	for (size_t i = 0; i < l->n; i++) {
		ftrace_settings_add(s, file, xstrdup(l->items[i]), option);
		s->items[s->n - 1].is_added = true;
	}
}

static void ftrace_settings_add_tasks(struct ftrace_settings *s, const struct task_list *tasks)
{
	ftrace_settings_add(s, "set_ftrace_pid", xstrdup(""), NULL);
	for (size_t i = 0; i < tasks->n; i++) {
		ftrace_settings_add(s, "set_ftrace_pid", xasprintf("%d", (int)tasks->items[i].tid),
				    "-p");
		s->items[s->n - 1].is_added = true;
	}
}

/*
 * Returns the mask as text: "3", or, for more than 32 CPUs, words separated by commas, the highest
 * first.
 */
static char *mask_text(const struct cpu_list *cpus)
{
	size_t words = cpus->n ? cpus->items[cpus->n - 1] / MASK_BITS + 1 : 1;
	_cleanup_(freep) uint32_t *mask = xcalloc(words, sizeof(*mask));
	struct text out = TEXT_EMPTY;

	for (size_t i = 0; i < cpus->n; i++)
		mask[cpus->items[i] / MASK_BITS] |= 1U << cpus->items[i] % MASK_BITS;
	text_addf(&out, "%" PRIx32, mask[words - 1]);
	for (size_t i = words - 1; i-- > 0;)
		text_addf(&out, ",%08" PRIx32, mask[i]);
	return text_take(&out);
}

static void add_function_look(struct ftrace_settings *s, const struct ftrace_request *rq)
{
	const struct ftrace_function_look *l = &rq->function;

	ftrace_settings_add_flag(s, "options/function-fork", rq->inherit,
				 rq->inherit ? "--inherit" : NULL);
	ftrace_settings_add_flag(s, "options/func_stack_trace", l->call_graph,
				 l->call_graph ? "--func-opts call-graph" : NULL);
	ftrace_settings_add_flag(s, "options/irq-info", l->irq_info,
				 l->irq_info ? "--func-opts irq-info" : NULL);
}

/*
 * Adds the settings of function_graph. A setting that differs from its usual value carries the
 * option that asks for it.
 */
static void add_graph_look(struct ftrace_settings *s, const struct ftrace_graph_look *l)
{
	const struct {
		const char *file;
		bool on, usual;
		const char *option;
	} flags[] = {
		{ "options/sleep-time", !l->nosleep_time, true, "--graph-opts nosleep-time" },
		{ "options/funcgraph-irqs", !l->noirqs, true, "--graph-opts noirqs" },
		{ "options/funcgraph-proc", l->verbose, false, "--graph-opts verbose" },
		{ "options/funcgraph-abstime", l->verbose, false, "--graph-opts verbose" },
		{ "options/latency-format", l->verbose, false, "--graph-opts verbose" },
		{ "options/funcgraph-tail", l->tail, false, "--graph-opts tail" },
		{ "options/funcgraph-args", l->args, false, "--graph-opts args" },
		{ "options/funcgraph-retval", l->retval || l->retval_hex, false,
		  "--graph-opts retval" },
		{ "options/funcgraph-retval-hex", l->retval_hex, false, "--graph-opts retval-hex" },
		{ "options/funcgraph-retaddr", l->retaddr, false, "--graph-opts retaddr" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		ftrace_settings_add_flag(s, flags[i].file, flags[i].on,
					 flags[i].on != flags[i].usual ? flags[i].option : NULL);
	ftrace_settings_add_number(s, "max_graph_depth", l->depth, "--graph-opts depth");
	ftrace_settings_add_number(s, "tracing_thresh", l->thresh_us, "--graph-opts thresh");
}

void ftrace_settings_make(const struct ftrace_request *rq, const struct cpu_list *cpus,
			  const struct task_list *tasks, struct ftrace_settings *ret)
{
	struct ftrace_settings s = { 0 };
	bool is_graph = !strcmp(ftrace_request_tracer(rq), FTRACE_GRAPH);

	ftrace_settings_add_flag(&s, "tracing_on", false, NULL);
	ftrace_settings_add(&s, "tracing_cpumask", mask_text(cpus),
			    rq->target.cpus.n ? "-C" : NULL);
	ftrace_settings_add_tasks(&s, tasks);
	ftrace_settings_add_list(&s, "set_ftrace_filter", &rq->traced, "-T");
	ftrace_settings_add_list(&s, "set_ftrace_notrace", &rq->not_traced, "-N");
	add_function_look(&s, rq);
	if (is_graph) {
		ftrace_settings_add_list(&s, "set_graph_function", &rq->graphed, "-G");
		ftrace_settings_add_list(&s, "set_graph_notrace", &rq->not_graphed, "-g");
		add_graph_look(&s, &rq->graph);
	} else {
		ftrace_settings_add_flag(&s, "options/latency-format", false, NULL);
	}
	if (rq->buffer_kb)
		ftrace_settings_add_number(&s, "buffer_size_kb", rq->buffer_kb, "-m");
	ftrace_settings_add(&s, "current_tracer", xstrdup(ftrace_request_tracer(rq)), "-t");
	*ret = s;
}
