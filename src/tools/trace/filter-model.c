/* SPDX-License-Identifier: MIT */
#include "tools/trace/filter-model.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "tools/trace/kept-call-model.h"
#include "tools/trace/filter-tree-model.h"
#include "tools/trace/tasks-model.h"

/* The length to which texts are compared. */
#define TEXT_MAX PATH_MAX

enum answer {
	NO,
	YES,
	OPEN, /* the end of the call decides */
};

static enum answer trace_filter_answer_of(bool b)
{
	return b ? YES : NO;
}

void trace_filter_free(struct trace_filter *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->comparisons.n; i++) {
		for (unsigned abi = 0; abi < SYSCALL_N_ABIS; abi++)
			free(f->comparisons.items[i].calls[abi]);
		free(f->comparisons.items[i].text);
	}
	free(f->comparisons.items);
	free(f->nodes.items);
	free(f);
}

static bool is_signed(enum arg_kind kind)
{
	switch (kind) {
	case ARG_INT:
	case ARG_FD:
	case ARG_DIRFD:
	case ARG_PID:
	case ARG_UID:
	case ARG_SIGNAL:
	case ARG_SECONDS:
		return true;
	default:
		return false;
	}
}

/* True if @order fits to @op. @order is less than, equal to or greater than 0. */
static bool is_in_order(enum filter_op op, int order)
{
	switch (op) {
	case FILTER_LT:
		return order < 0;
	case FILTER_LE:
		return order <= 0;
	case FILTER_GT:
		return order > 0;
	default:
		return order >= 0;
	}
}

/*
 * Compares a word, of which the lowest @bytes count. An unsigned word with all bits set equals -1.
 */
static bool trace_filter_compare(enum filter_op op, uint64_t word, int64_t value, unsigned bytes,
				 bool has_sign)
{
	uint64_t mask = bytes >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
	uint64_t a = word & mask, b = (uint64_t)value & mask;

	if (op == FILTER_EQ)
		return a == b;
	if (op == FILTER_NE)
		return a != b;
	if (op == FILTER_AND)
		return a & b;
	if (!has_sign)
		return is_in_order(op, (a > (uint64_t)value) - (a < (uint64_t)value));

	int64_t number = bytes >= 8 ? (int64_t)a : (int32_t)a;

	return is_in_order(op, (number > value) - (number < value));
}

static bool compare_text(const struct filter_comparison *c, const char *text)
{
	if (c->op == FILTER_GLOB)
		return glob_matches(c->text, text);
	return !strcmp(c->text, text) == (c->op == FILTER_EQ);
}

/* Compares the bytes to which argument @i points, as text. */
static enum answer compare_memory(const struct filter_comparison *f, const struct trace_call *c,
				  unsigned i)
{
	const struct call_data *d = trace_call_data(c, i, 0);
	char text[TEXT_MAX + 1];
	size_t n;

	if (!d || (d->flags & CALL_DATA_FAULT)) {
		bool comes_later = !c->exit_ns && (c->desc->args[i].when & COPY_AT_EXIT);

		return comes_later ? OPEN : NO;
	}
	n = d->size < TEXT_MAX ? d->size : TEXT_MAX;
	memcpy(text, d->bytes, n);
	text[n] = '\0';
	return trace_filter_answer_of(compare_text(f, text));
}

static enum answer compare_arg(const struct filter_comparison *f, const struct filter_call *fc,
			       struct trace_tasks *tasks, const struct trace_call *c)
{
	unsigned i = fc->arg - 1U;
	const struct syscall_arg *arg = &c->desc->args[i];
	const char *path;

	if (!c->has_enter)
		return NO;
	if (!f->text)
		return trace_filter_answer_of(
			fc->has_value && trace_filter_compare(f->op, c->args[i], fc->value,
							      arg->bytes, is_signed(arg->kind)));
	if (arg->kind != ARG_FD && arg->kind != ARG_DIRFD)
		return compare_memory(f, c, i);
	path = tasks ? trace_task_file(tasks, c->task, (int32_t)c->args[i]) : NULL;
	return trace_filter_answer_of(path && compare_text(f, path));
}

static bool compare_number(const struct filter_comparison *f, const struct trace_call *c,
			   uint64_t number)
{
	return f->has_value[c->abi] &&
	       trace_filter_compare(f->op, number, f->value[c->abi], 8, true);
}

static enum answer compare_field(const struct filter_comparison *f, const struct trace_call *c)
{
	switch (f->field) {
	case FILTER_COMM:
		return trace_filter_answer_of(compare_text(f, c->task->comm));
	case FILTER_PID:
		return trace_filter_answer_of(compare_number(f, c, c->task->pid));
	case FILTER_TID:
		return trace_filter_answer_of(compare_number(f, c, c->task->tid));
	case FILTER_CPU:
		return trace_filter_answer_of(compare_number(f, c, c->cpu));
	case FILTER_RET:
		if (!c->exit_ns)
			return OPEN;
		return trace_filter_answer_of(compare_number(f, c, (uint64_t)c->result));
	default:
		if (!c->exit_ns)
			return OPEN;
		if (!c->enter_ns || c->exit_ns < c->enter_ns)
			return NO;
		return trace_filter_answer_of(compare_number(f, c, c->exit_ns - c->enter_ns));
	}
}

static enum answer trace_filter_comparison(const struct trace_filter *f,
					   const struct filter_comparison *cmp,
					   struct trace_tasks *tasks, const struct trace_call *c)
{
	const struct filter_call *calls = cmp->calls[c->abi];
	const struct filter_call *fc = NULL;

	if (calls && c->desc && c->nr >= 0 && (unsigned)c->nr < f->n_calls[c->abi])
		fc = &calls[c->nr];
	if (fc && fc->arg)
		return compare_arg(cmp, fc, tasks, c);
	return cmp->has_field ? compare_field(cmp, c) : NO;
}

/* Evaluates @node. The depth of a tree is limited by its number of nodes: FILTER_NODES_MAX. */
static enum answer trace_filter_answer(const struct trace_filter *f, uint16_t node,
				       struct trace_tasks *tasks, const struct trace_call *c)
{
	const struct filter_node *n = &f->nodes.items[node];
	enum answer decides = n->kind == FILTER_NODE_AND ? NO : YES, left, right;

	if (n->kind == FILTER_NODE_COMPARISON)
		return trace_filter_comparison(f, &f->comparisons.items[n->left], tasks, c);
	left = trace_filter_answer(f, n->left, tasks, c);
	if (n->kind == FILTER_NODE_NOT)
		return left == OPEN ? OPEN : trace_filter_answer_of(left == NO);
	if (left == decides)
		return left;
	right = trace_filter_answer(f, n->right, tasks, c);
	if (right == decides)
		return right;
	return left == OPEN || right == OPEN ? OPEN : right;
}

bool trace_filter_passes(const struct trace_filter *f, struct trace_tasks *tasks,
			 const struct trace_call *c)
{
	return c->abi < SYSCALL_N_ABIS && trace_filter_answer(f, f->root, tasks, c) == YES;
}
