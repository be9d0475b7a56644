/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "arch/syscall/values.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "tools/trace/filter-tree-model.h"

#define SIGNALS_MAX 64
#define ERRORS_MAX  4095
#define TERMS_MAX   32

/* CREAT|EXCL|0x40: each term is a name or a number. */
struct term {
	const char *at;
	size_t length; /* includes the sign */
	char name[64]; /* "": the term is a number */
	bool is_negative;
	uint64_t number;
};

struct terms {
	struct term items[TERMS_MAX];
	size_t n;
};

/* The context in which a name is looked up. */
struct trace_filter_value_meaning {
	enum syscall_abi abi;
	const struct syscall_arg *arg; /* NULL: the result of a call */
};

static bool trace_filter_value_signal_number(enum syscall_abi abi, const char *name, uint64_t *ret)
{
	for (int i = 1; i <= SIGNALS_MAX; i++) {
		const char *known = signal_name(abi, i);

		if (known && (!strcmp(known, name) || !strcmp(known + strlen("SIG"), name))) {
			*ret = (uint64_t)i;
			return true;
		}
	}
	return false;
}

static bool error_number(enum syscall_abi abi, const char *name, uint64_t *ret)
{
	for (int i = 1; i <= ERRORS_MAX; i++) {
		const char *known = errno_name(abi, i);

		if (known && !strcmp(known, name)) {
			*ret = (uint64_t)i;
			return true;
		}
	}
	return false;
}

static bool name_means(const struct trace_filter_value_meaning *m, const char *name, uint64_t *ret)
{
	if (!m->arg)
		return error_number(m->abi, name, ret);
	if (m->arg->values && value_table_number(m->arg->values, name, ret))
		return true;
	if (m->arg->kind == ARG_SIGNAL || m->arg->kind == ARG_CLONE)
		return trace_filter_value_signal_number(m->abi, name, ret);
	if (m->arg->kind == ARG_DIRFD && (!strcmp(name, "CWD") || !strcmp(name, "AT_FDCWD"))) {
		*ret = (uint64_t)AT_FDCWD;
		return true;
	}
	*ret = 0;
	return m->arg->kind >= ARG_PATH && !strcmp(name, "NULL");
}

/* Computes the value of all terms together. False: a name is invalid in this context. */
static bool terms_value(const struct terms *t, const struct trace_filter_value_meaning *m,
			int64_t *ret)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t->n; i++) {
		uint64_t value = t->items[i].number;

		if (*t->items[i].name && !name_means(m, t->items[i].name, &value))
			return false;
		sum |= t->items[i].is_negative ? -value : value;
	}
	*ret = (int64_t)sum;
	return true;
}

/* Calls @each for every argument to which the comparison applies. */
static void each_arg(const struct filter_reader *p, struct filter_comparison *c,
		     void (*each)(void *arg, const struct trace_filter_value_meaning *m,
				  struct filter_call *call),
		     void *arg)
{
	for (unsigned abi = 0; abi < SYSCALL_N_ABIS; abi++)
		for (unsigned nr = 0; c->calls[abi] && nr < p->filter->n_calls[abi]; nr++) {
			struct filter_call *call = &c->calls[abi][nr];

			if (call->arg)
				each(arg,
				     &(struct trace_filter_value_meaning){
					     .abi = abi,
					     .arg = &syscall_find(abi, nr)->args[call->arg - 1] },
				     call);
		}
}

struct binding {
	const struct terms *terms;
	bool found;
};

static void bind_call(void *arg, const struct trace_filter_value_meaning *m,
		      struct filter_call *call)
{
	struct binding *b = arg;

	call->has_value = terms_value(b->terms, m, &call->value);
	b->found |= call->has_value;
}

static bool bind_terms(const struct filter_reader *p, struct filter_comparison *c,
		       const struct terms *t)
{
	struct binding b = { .terms = t };

	each_arg(p, c, bind_call, &b);
	for (unsigned abi = SYSCALL_ABI_NONE; c->has_field && abi < SYSCALL_N_ABIS; abi++) {
		bool has_names = c->field == FILTER_RET && abi != SYSCALL_ABI_NONE;
		bool only_numbers = true;

		for (size_t i = 0; i < t->n; i++)
			only_numbers &= !*t->items[i].name;
		c->has_value[abi] = (has_names || only_numbers) &&
				    terms_value(t,
						&(struct trace_filter_value_meaning){ .abi = abi },
						&c->value[abi]);
		b.found |= c->has_value[abi];
	}
	return b.found;
}

static void trace_filter_value_rank_values(void *arg, const struct trace_filter_value_meaning *m,
					   struct filter_call *call)
{
	(void)call;
	for (size_t i = 0; m->arg->values && i < m->arg->values->n; i++)
		similar_add(arg, m->arg->values->names[i].name);
}

static void rank_errors(struct similar *s)
{
	for (int i = 1; i <= ERRORS_MAX; i++) {
		const char *name = errno_name(SYSCALL_ABI_X86_64, i);

		if (name)
			similar_add(s, name);
	}
}

static int trace_filter_value_refuse_name(const struct filter_reader *p,
					  struct filter_comparison *c, const struct term *t,
					  const char *field, size_t field_length)
{
	struct similar similar = { .typed = t->name };
	int r = FILTER_TREE_REFUSE(p, t->at, t->length, "'%s' is not a value of '%.*s'", t->name,
				   (int)field_length, field);

	each_arg(p, c, trace_filter_value_rank_values, &similar);
	if (c->has_field && c->field == FILTER_RET)
		rank_errors(&similar);

	_cleanup_(freep) char *phrase = similar_phrase(&similar);

	if (phrase)
		diag_hint(p->diag, "did you mean %s?", phrase);
	else
		diag_hint(p->diag, "write a number, or text in quotes");
	return r;
}

/* Returns the first term whose name is invalid in every context, or just the first one. */
static const struct term *trace_filter_value_unknown_term(const struct filter_reader *p,
							  struct filter_comparison *c,
							  const struct terms *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct terms one = { .items = { t->items[i] }, .n = 1 };

		if (!bind_terms(p, c, &one))
			return &t->items[i];
	}
	return &t->items[0];
}

static int trace_filter_value_read_number(struct filter_reader *p, struct term *t)
{
	char *end;
	bool is_octal = p->at[0] == '0' && isdigit((unsigned char)p->at[1]);

	errno = 0;
	t->number = strtoull(p->at, &end, is_octal ? 8 : 0);
	if (errno || isalnum((unsigned char)*end) || *end == '_' || *end == '.') {
		t->length += strcspn(p->at, " \t\n()=<>!~&|,\"'");
		return FILTER_TREE_REFUSE(p, t->at, t->length, "'%.*s' is not a number",
					  (int)t->length, t->at);
	}
	t->length += (size_t)(end - p->at);
	p->at = end;
	return 0;
}

static int read_term(struct filter_reader *p, struct term *t)
{
	size_t n = 0;

	*t = (struct term){ .at = p->at, .is_negative = *p->at == '-' };
	p->at += t->is_negative;
	t->length = t->is_negative;
	if (isdigit((unsigned char)*p->at))
		return trace_filter_value_read_number(p, t);
	while (isalnum((unsigned char)p->at[n]) || p->at[n] == '_')
		n++;
	t->length += n;
	if (!n || n >= sizeof(t->name))
		return FILTER_TREE_REFUSE(p, t->at, t->length, "a value is expected here");
	memcpy(t->name, p->at, n);
	p->at += n;
	return 0;
}

static int read_terms(struct filter_reader *p, struct terms *t)
{
	int r;

	do {
		if (t->n == TERMS_MAX)
			return FILTER_TREE_REFUSE(p, p->at, 0, "too many values are joined by |");
		p->at += t->n != 0;
		r = read_term(p, &t->items[t->n++]);
	} while (r >= 0 && p->at[0] == '|' && p->at[1] != '|');
	return r;
}

static const struct {
	const char *unit;
	double ns;
} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "", 1e6 } };

static int read_duration(struct filter_reader *p, struct filter_comparison *c)
{
	const char *at = p->at;
	size_t digits = strspn(at, "0123456789."), length = digits;
	_cleanup_(freep) char *number = xstrndup(at, digits);
	char *end;
	double value = strtod(number, &end);

	while (isalnum((unsigned char)at[length]))
		length++;
	for (size_t i = 0; digits && !*end && i < ARRAY_SIZE(units); i++) {
		if (strlen(units[i].unit) != length - digits ||
		    strncmp(at + digits, units[i].unit, length - digits) != 0)
			continue;
		value *= units[i].ns;
		for (unsigned abi = 0; abi < SYSCALL_N_ABIS; abi++) {
			c->has_value[abi] = true;
			c->value[abi] = value < 9e18 ? (int64_t)value : INT64_MAX;
		}
		p->at += length;
		return 0;
	}
	return FILTER_TREE_REFUSE(p, at, length, "a duration is expected here: 10ms, 5us, 1.5s");
}

static void trace_filter_value_find_text(void *arg, const struct trace_filter_value_meaning *m,
					 struct filter_call *call)
{
	bool *is_text = arg;

	(void)call;
	switch (m->arg->kind) {
	case ARG_FD:
	case ARG_DIRFD:
	case ARG_PATH:
	case ARG_STRING:
	case ARG_BUFFER:
		*is_text = true;
		break;
	default:
		break;
	}
}

static bool can_be_text(const struct filter_reader *p, struct filter_comparison *c)
{
	bool is_text = c->has_field && c->field == FILTER_COMM;

	each_arg(p, c, trace_filter_value_find_text, &is_text);
	return is_text;
}

static int trace_filter_value_read_text(struct filter_reader *p, struct filter_comparison *c,
					const char *field, size_t field_length)
{
	const char *at = p->at, *end = strchr(at + 1, *at);

	if (!end)
		return FILTER_TREE_REFUSE(p, at, strlen(at), "the closing %c is missing", *at);
	if (!can_be_text(p, c))
		return FILTER_TREE_REFUSE(p, at, (size_t)(end + 1 - at),
					  "'%.*s' is a number: write its value without quotes",
					  (int)field_length, field);
	if (c->op != FILTER_EQ && c->op != FILTER_NE && c->op != FILTER_GLOB)
		return FILTER_TREE_REFUSE(p, at, (size_t)(end + 1 - at),
					  "text takes ==, != and ~ only");
	c->text = xstrndup(at + 1, (size_t)(end - at - 1));
	p->at = end + 1;
	/* Numeric fields cannot be compared with text. */
	c->has_field &= c->field == FILTER_COMM;
	return 0;
}

int filter_read_value(struct filter_reader *p, struct filter_comparison *c, const char *field,
		      size_t field_length)
{
	struct terms terms = { .n = 0 };
	const char *at = p->at;
	int r;

	if (*at == '"' || *at == '\'')
		return trace_filter_value_read_text(p, c, field, field_length);
	if (c->op == FILTER_GLOB)
		return FILTER_TREE_REFUSE(p, at, strcspn(at, " \t\n()&|"),
					  "~ compares with text in quotes");
	if (c->has_field && c->field == FILTER_DURATION)
		return read_duration(p, c);
	if (c->has_field && c->field == FILTER_COMM)
		return FILTER_TREE_REFUSE(p, at, strcspn(at, " \t\n()&|"),
					  "'%.*s' is text: write its value in quotes",
					  (int)field_length, field);
	r = read_terms(p, &terms);
	if (r < 0)
		return r;
	if (!bind_terms(p, c, &terms))
		return trace_filter_value_refuse_name(
			p, c, trace_filter_value_unknown_term(p, c, &terms), field, field_length);
	if (c->has_field && c->field == FILTER_RET && *terms.items[0].name &&
	    !terms.items[0].is_negative)
		return FILTER_TREE_REFUSE(p, at, terms.items[0].length,
					  "calls return errors as negative numbers: write -%s",
					  terms.items[0].name);
	return 0;
}
