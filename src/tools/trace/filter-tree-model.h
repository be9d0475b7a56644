/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Internals of filter.h, which filter-parse.c, filter-value.c and filter.c share. No other file
 * includes this.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/syscall/syscall.h"

/* The calls to which a filter applies. */
struct trace_filter_scope {
	bool has_abi[SYSCALL_N_ABIS];
	const uint64_t *wanted[SYSCALL_N_ABIS]; /* a bit for each of
							  syscall_count(); NULL: all */
};

enum filter_op {
	FILTER_EQ,
	FILTER_NE,
	FILTER_LT,
	FILTER_LE,
	FILTER_GT,
	FILTER_GE,
	FILTER_AND,
	FILTER_GLOB,
	FILTER_N_OPS,
};

enum filter_field {
	FILTER_ARG, /* an argument, in calls that have it */
	FILTER_RET,
	FILTER_DURATION,
	FILTER_COMM,
	FILTER_PID,
	FILTER_TID,
	FILTER_CPU,
};

/* The meaning of a comparison for the call with one number. */
struct filter_call {
	uint8_t arg;    /* 1 + its index; 0: the call has no such argument */
	bool has_value; /* the names in the value are valid for it */
	int64_t value;
};

struct filter_comparison {
	uint8_t field;  /* enum filter_field, for calls without such an argument */
	bool has_field; /* false: only arguments have this name */
	uint8_t op;     /* enum filter_op */
	struct filter_call *calls[SYSCALL_N_ABIS]; /* by number; NULL: no call is in scope */
	bool has_value[SYSCALL_N_ABIS];            /* with has_field: for programs of this ABI */
	int64_t value[SYSCALL_N_ABIS];
	char *text; /* NULL: the value is a number */
};

enum filter_node_kind {
	FILTER_NODE_COMPARISON, /* left: the comparison's index */
	FILTER_NODE_AND,
	FILTER_NODE_OR,
	FILTER_NODE_NOT, /* left: the negated node */
};

struct filter_node {
	uint8_t kind;
	uint16_t left, right; /* indices of nodes */
};

#define FILTER_NODES_MAX 256
#define FILTER_DEPTH_MAX 32

struct trace_filter {
	unsigned n_calls[SYSCALL_N_ABIS];
	struct {
		struct filter_comparison *items;
		size_t n, room;
	} comparisons;
	struct {
		struct filter_node *items;
		size_t n, room;
	} nodes;
	uint16_t root;
};

struct filter_reader {
	const char *text, *at; /* the whole text, and the part that is not read yet */
	const struct trace_filter_scope *scope;
	struct trace_filter *filter;
	struct diag *diag;
	unsigned depth;
};

/*
 * Returns -EINVAL, with @length characters at @start marked. It is a macro so that formats are
 * checked.
 */
#define FILTER_TREE_REFUSE(p, start, length, ...)                                                  \
	diag_mark((p)->diag, -EINVAL, (p)->text, (size_t)((start) - (p)->text), length, __VA_ARGS__)

/* True if the call @nr of @abi is in scope. */
bool filter_scope_has(const struct trace_filter_scope *scope, enum syscall_abi abi, unsigned nr);

/* Parses the value of @c, from its first character on. */
int filter_read_value(struct filter_reader *p, struct filter_comparison *c, const char *field,
		      size_t field_length);
