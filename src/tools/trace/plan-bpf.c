/* SPDX-License-Identifier: MIT */
#include "tools/trace/plan-bpf.h"

#include <string.h>

/* Bytes of structs, arrays of numbers and the like. */
#define STRUCT_MAX 512

/* Bytes of each string of argv at least: cut earlier they say too little. */
#define ARGV_MIN 256

static uint16_t trace_plan_limit_of(const struct syscall_arg *arg, uint32_t string_limit)
{
	/* With its NUL, which is copied but not kept. */
	uint32_t limit = string_limit < TRACE_PIECE_MAX ? string_limit : TRACE_PIECE_MAX;

	switch (arg->copy) {
	case COPY_STRING:
		return TRACE_PIECE_MAX;
	case COPY_STRINGS:
		return (uint16_t)(limit > ARGV_MIN ? limit : ARGV_MIN);
	case COPY_BYTES:
		return (uint16_t)(arg->kind == ARG_BUFFER ? limit : STRUCT_MAX);
	default:
		return (uint16_t)limit;
	}
}

static struct trace_copy trace_plan_copy_of(const struct syscall_desc *desc, unsigned i,
					    const struct syscall_arg *arg, uint32_t string_limit)
{
	return (struct trace_copy){
		.arg = (uint8_t)i,
		.copy = arg->copy,
		.when = arg->when,
		.length = arg->length,
		.length_arg = arg->length_arg,
		.length_is_32bit = arg->length_arg < SYSCALL_ARGS_MAX &&
				   desc->args[arg->length_arg].bytes == 4,
		/* Members of an iovec are counted, not its bytes. */
		.element_bytes =
			arg->copy == COPY_IOVEC || !arg->element_bytes ? 1 : arg->element_bytes,
		.size = arg->size,
		.limit = trace_plan_limit_of(arg, string_limit),
	};
}

/* Does the argument get the two descriptors that pipe() and socketpair() make? */
static bool is_fd_pair(const struct syscall_desc *desc, const struct syscall_arg *arg)
{
	return arg->kind == ARG_NUMBERS && arg->when == COPY_AT_EXIT &&
	       arg->length == LENGTH_FIXED && arg->size == 2 * sizeof(int32_t) &&
	       (!strncmp(desc->name, "pipe", 4) || !strcmp(desc->name, "socketpair"));
}

struct trace_plan trace_plan_of(const struct syscall_desc *desc, uint32_t string_limit)
{
	struct trace_plan plan = { 0 };

	if (!desc)
		return plan;
	plan.no_return = desc->no_return;
	plan.returns_fd = desc->returns_fd;
	plan.is_exec = !strcmp(desc->name, "execve") || !strcmp(desc->name, "execveat");
	for (unsigned i = 0; i < desc->n_args && i < TRACE_ARGS_MAX; i++) {
		if (desc->args[i].copy == COPY_NONE)
			continue;
		if (is_fd_pair(desc, &desc->args[i])) {
			plan.has_fd_pair = true;
			plan.fd_pair_arg = (uint8_t)i;
		}
		plan.copies[plan.n_copies++] = trace_plan_copy_of(desc, i, &desc->args[i],
								  string_limit);
		plan.copies_at |= desc->args[i].when;
	}
	for (unsigned i = 0; i < desc->n_variants; i++)
		if (desc->variants[i].arg.copy != COPY_NONE) {
			plan.command_arg = desc->command_arg + 1;
			plan.copies_at |= desc->variants[i].arg.when;
		}
	return plan;
}

bool trace_plan_makes_files(const struct trace_plan *plan)
{
	return plan->returns_fd || plan->has_fd_pair;
}

int trace_variants_each(enum syscall_abi abi, uint32_t string_limit,
			int (*put)(void *arg, const struct trace_variant *v), void *arg)
{
	int r = 0;

	for (unsigned nr = 0; nr < syscall_count(abi) && nr < TRACE_CALLS_MAX; nr++) {
		const struct syscall_desc *d = syscall_find(abi, nr);

		for (unsigned i = 0; d && i < d->n_variants && r >= 0; i++) {
			const struct syscall_variant *v = &d->variants[i];
			struct trace_variant found = {
				.key = { .plan = nr, .command = v->command },
				.copy = trace_plan_copy_of(d, d->variant_arg, &v->arg,
							   string_limit),
			};

			if (v->arg.copy != COPY_NONE)
				r = put(arg, &found);
		}
	}
	return r;
}

void trace_plans_fill(enum syscall_abi abi, uint32_t string_limit,
		      struct trace_plan ret[TRACE_CALLS_MAX])
{
	for (unsigned nr = 0; nr < TRACE_CALLS_MAX; nr++)
		ret[nr] = trace_plan_of(nr < syscall_count(abi) ? syscall_find(abi, nr) : NULL,
					string_limit);
}
