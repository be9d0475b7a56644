/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "base/text.h"
#include "tools/trace/filter-model.h"
#include "tools/trace/filter-tree-model.h"

#define FIELD_NAMES_MAX 40

static const struct {
	const char *name;
	uint8_t field;
} own_fields[] = {
	{ "ret", FILTER_RET },   { "duration", FILTER_DURATION }, { "comm", FILTER_COMM },
	{ "pid", FILTER_PID },   { "tid", FILTER_TID },           { "cpu", FILTER_CPU },
	{ "COMM", FILTER_COMM }, { "common_pid", FILTER_TID },    { "CPU", FILTER_CPU },
};
/* The number of fields that a hint lists. The others have the names of the kernel's filters. */
#define OWN_FIELDS_SHOWN 6

static const char operators[FILTER_N_OPS][3] = { "==", "!=", "<", "<=", ">", ">=", "&", "~" };

static size_t trace_filter_parse_word_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

/* Returns the length of the token at @s; 0 at the end. */
static size_t token_length(const char *s)
{
	size_t n = strcspn(s, " \t\n()=<>!~&|,\"'");

	return n ? n : *s != '\0';
}

bool filter_scope_has(const struct trace_filter_scope *scope, enum syscall_abi abi, unsigned nr)
{
	const uint64_t *wanted = scope->wanted[abi];

	return scope->has_abi[abi] && (!wanted || wanted[nr / 64] >> nr % 64 & 1);
}

static int trace_filter_parse_add_node(struct filter_reader *p, const char *at,
				       struct filter_node n, uint16_t *ret)
{
	if (p->filter->nodes.n >= FILTER_NODES_MAX)
		return FILTER_TREE_REFUSE(p, at, 0, "the filter has too many comparisons");
	*ret = (uint16_t)p->filter->nodes.n;
	*ARRAY_ADD(&p->filter->nodes) = n;
	return 0;
}

/* Finds the argument with the name @name in each call. True if there is any. */
static bool bind_args(struct filter_reader *p, struct filter_comparison *c, const char *name,
		      enum syscall_abi abi)
{
	unsigned n = p->filter->n_calls[abi];
	bool found = false;

	c->calls[abi] = xcalloc(n + 1, sizeof(*c->calls[abi]));
	for (unsigned nr = 0; nr < n; nr++) {
		const struct syscall_desc *d = syscall_find(abi, nr);

		if (!d || !filter_scope_has(p->scope, abi, nr))
			continue;
		for (unsigned i = 0; i < d->n_args; i++)
			if (!strcmp(d->args[i].name, name)) {
				c->calls[abi][nr].arg = (uint8_t)(i + 1);
				found = true;
			}
	}
	return found;
}

/* Calls @each with the name of every argument of the calls in scope. */
static void each_name(const struct filter_reader *p, void (*each)(void *arg, const char *name),
		      void *arg)
{
	for (unsigned abi = 0; abi < SYSCALL_N_ABIS; abi++)
		for (unsigned nr = 0; p->scope->has_abi[abi] && nr < p->filter->n_calls[abi];
		     nr++) {
			const struct syscall_desc *d = syscall_find(abi, nr);

			if (!d || !filter_scope_has(p->scope, abi, nr))
				continue;
			for (unsigned i = 0; i < d->n_args; i++)
				each(arg, d->args[i].name);
		}
}

static void rank_name(void *arg, const char *name)
{
	similar_add(arg, name);
}

struct few_names {
	const char *items[FIELD_NAMES_MAX];
	size_t n;
	bool has_more;
};

static void trace_filter_parse_add_name(void *arg, const char *name)
{
	struct few_names *f = arg;

	for (size_t i = 0; i < f->n; i++)
		if (!strcmp(f->items[i], name))
			return;
	if (f->n < FIELD_NAMES_MAX)
		f->items[f->n++] = name;
	else
		f->has_more = true;
}

static void trace_filter_parse_hint_fields(const struct filter_reader *p)
{
	struct few_names names = { .n = 0 };
	struct text t = TEXT_EMPTY;

	each_name(p, trace_filter_parse_add_name, &names);
	for (size_t i = 0; i < names.n; i++)
		text_addf(&t, "%s%s", i ? ", " : "", names.items[i]);
	if (names.n)
		diag_hint(p->diag, "arguments: %s%s", t.chars, names.has_more ? ", ..." : "");
	text_clear(&t);
	for (size_t i = 0; i < OWN_FIELDS_SHOWN; i++)
		text_addf(&t, "%s%s", i ? ", " : "", own_fields[i].name);
	diag_hint(p->diag, "of every call: %s", t.chars);
	text_done(&t);
}

static int trace_filter_parse_refuse_field(const struct filter_reader *p, const char *name)
{
	struct similar similar = { .typed = name };
	int r = FILTER_TREE_REFUSE(p, p->at, strlen(name),
				   "no chosen system call has an argument '%s'", name);

	each_name(p, rank_name, &similar);
	for (size_t i = 0; i < OWN_FIELDS_SHOWN; i++)
		similar_add(&similar, own_fields[i].name);

	_cleanup_(freep) char *phrase = similar_phrase(&similar);

	if (phrase)
		diag_hint(p->diag, "did you mean %s?", phrase);
	trace_filter_parse_hint_fields(p);
	return r;
}

static int trace_filter_parse_read_field(struct filter_reader *p, struct filter_comparison *c)
{
	size_t length = trace_filter_parse_word_length(p->at);
	_cleanup_(freep) char *name = xstrndup(p->at, length);
	bool found = false;

	if (!length || isdigit((unsigned char)*name))
		return FILTER_TREE_REFUSE(p, p->at, token_length(p->at),
					  "a comparison begins with the name of an argument");
	for (size_t i = 0; i < ARRAY_SIZE(own_fields); i++)
		if (!strcmp(name, own_fields[i].name)) {
			c->field = own_fields[i].field;
			c->has_field = found = true;
		}
	for (unsigned abi = 0; abi < SYSCALL_N_ABIS; abi++)
		if (p->scope->has_abi[abi])
			found |= bind_args(p, c, name, abi);
	if (!found)
		return trace_filter_parse_refuse_field(p, name);
	p->at += length;
	return 0;
}

/* Common mistakes and their corrections. */
static const struct {
	const char *wrong, *right;
} corrections[] = {
	{ "=", "==" }, { "=>", ">=" }, { "=<", "<=" },  { "<>", "!=" },
	{ "=~", "~" }, { "~=", "~" },  { "===", "==" },
};

static int trace_filter_parse_refuse_operator(const struct filter_reader *p, size_t length)
{
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(corrections); i++)
		if (strlen(corrections[i].wrong) == length &&
		    !strncmp(p->at, corrections[i].wrong, length))
			return FILTER_TREE_REFUSE(p, p->at, length,
						  "'%.*s' is not an operator: write %s",
						  (int)length, p->at, corrections[i].right);
	if (!length || !strncmp(p->at, "&&", 2) || !strncmp(p->at, "||", 2))
		r = FILTER_TREE_REFUSE(p, p->at, token_length(p->at),
				       "an operator and a value are expected here");
	else
		r = FILTER_TREE_REFUSE(p, p->at, length, "'%.*s' is not an operator", (int)length,
				       p->at);
	diag_hint(p->diag, "operators: == != < <= > >= & on numbers; == != ~ on text");
	return r;
}

static int read_operator(struct filter_reader *p, struct filter_comparison *c)
{
	size_t length = strspn(p->at, "=<>!~&|^");

	for (unsigned op = 0; op < FILTER_N_OPS; op++)
		if (strlen(operators[op]) == length && !strncmp(p->at, operators[op], length)) {
			c->op = (uint8_t)op;
			p->at += length;
			return 0;
		}
	return trace_filter_parse_refuse_operator(p, length);
}

static int read_comparison(struct filter_reader *p, uint16_t *ret)
{
	const char *field = p->at;
	size_t index = p->filter->comparisons.n;
	struct filter_comparison *c = ARRAY_ADD(&p->filter->comparisons);
	size_t length = trace_filter_parse_word_length(field);
	int r = trace_filter_parse_read_field(p, c);

	if (r < 0)
		return r;
	p->at = text_skip_blanks(p->at);
	r = read_operator(p, c);
	if (r < 0)
		return r;
	p->at = text_skip_blanks(p->at);
	r = filter_read_value(p, c, field, length);
	if (r < 0)
		return r;
	return trace_filter_parse_add_node(
		p, field,
		(struct filter_node){ .kind = FILTER_NODE_COMPARISON, .left = (uint16_t)index },
		ret);
}

static int read_or(struct filter_reader *p, uint16_t *ret);

static int read_parentheses(struct filter_reader *p, uint16_t *ret)
{
	const char *open = p->at++;
	int r = read_or(p, ret);

	if (r < 0)
		return r;
	p->at = text_skip_blanks(p->at);
	if (*p->at != ')')
		return FILTER_TREE_REFUSE(p, open, 1, "this ( is never closed");
	p->at++;
	return 0;
}

static int read_operand(struct filter_reader *p, uint16_t *ret)
{
	const char *at;
	uint16_t node;
	int r;

	p->at = text_skip_blanks(p->at);
	at = p->at;
	if (p->depth >= FILTER_DEPTH_MAX)
		return FILTER_TREE_REFUSE(p, at, *at != '\0', "the filter is nested too deeply");
	if (!*at || *at == ')' || !strncmp(at, "&&", 2) || !strncmp(at, "||", 2))
		return FILTER_TREE_REFUSE(p, at, token_length(at), "a comparison is expected here");
	if (*at != '!' && *at != '(')
		return read_comparison(p, ret);
	p->depth++;
	if (*at == '(') {
		r = read_parentheses(p, ret);
	} else {
		p->at++;
		r = read_operand(p, &node);
		if (r >= 0)
			r = trace_filter_parse_add_node(
				p, at,
				(struct filter_node){ .kind = FILTER_NODE_NOT, .left = node }, ret);
	}
	p->depth--;
	return r;
}

/* Parses operands joined by @joint, which are evaluated from left to right. */
static int read_chain(struct filter_reader *p, const char *joint, enum filter_node_kind kind,
		      int (*read)(struct filter_reader *p, uint16_t *ret), uint16_t *ret)
{
	int r = read(p, ret);

	while (r >= 0) {
		uint16_t left = *ret, right;
		const char *at;

		p->at = text_skip_blanks(p->at);
		at = p->at;
		if (strncmp(at, joint, 2) != 0)
			break;
		p->at += 2;
		r = read(p, &right);
		if (r >= 0)
			r = trace_filter_parse_add_node(p, at,
							(struct filter_node){ .kind = (uint8_t)kind,
									      .left = left,
									      .right = right },
							ret);
	}
	return r;
}

static int read_and(struct filter_reader *p, uint16_t *ret)
{
	return read_chain(p, "&&", FILTER_NODE_AND, read_operand, ret);
}

static int read_or(struct filter_reader *p, uint16_t *ret)
{
	return read_chain(p, "||", FILTER_NODE_OR, read_and, ret);
}

static int refuse_rest(const struct filter_reader *p)
{
	if (*p->at == ')')
		return FILTER_TREE_REFUSE(p, p->at, 1, "this ) has no ( before it");
	if (*p->at == '&' || *p->at == '|')
		return FILTER_TREE_REFUSE(p, p->at, 1, "write %c%c to join two comparisons", *p->at,
					  *p->at);
	if (strchr("=<>!~", *p->at))
		return FILTER_TREE_REFUSE(p, p->at, strspn(p->at, "=<>!~"),
					  "the result of a comparison cannot be compared again");
	return FILTER_TREE_REFUSE(p, p->at, token_length(p->at), "&& or || is expected here");
}

int trace_filter_parse(const char *text, const struct trace_filter_scope *scope,
		       struct trace_filter **ret, struct diag *diag)
{
	_cleanup_(trace_filter_freep) struct trace_filter *f = xcalloc(1, sizeof(*f));
	struct filter_reader p = {
		.text = text, .at = text, .scope = scope, .filter = f, .diag = diag
	};
	int r;

	for (unsigned abi = SYSCALL_ABI_NONE + 1; abi < SYSCALL_N_ABIS; abi++)
		f->n_calls[abi] = syscall_count(abi);
	p.at = text_skip_blanks(p.at);
	if (!*p.at)
		return diag_set(diag, -EINVAL, "the filter is empty");
	r = read_or(&p, &f->root);
	if (r < 0)
		return r;
	p.at = text_skip_blanks(p.at);
	if (*p.at)
		return refuse_rest(&p);
	*ret = TAKE(f);
	return 0;
}
