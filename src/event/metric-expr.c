/* SPDX-License-Identifier: MIT */
#include "event/metric-expr.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"

/* Deeper than any formula, and shallow enough to be safe for a hostile one. */
#define DEPTH_MAX 200

enum op {
	OP_NUMBER,
	OP_EVENT,
	OP_LITERAL,
	OP_EXPANDED, /* a name that was replaced by args[0] */
	OP_NEGATE,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE,
	OP_REMAINDER,
	OP_LESS,
	OP_GREATER,
	OP_AND,
	OP_XOR,
	OP_OR,
	OP_MIN,
	OP_MAX,
	OP_RATIO,
	OP_IF, /* args: the value if true, the condition, the value if false */
};

struct metric_expr {
	enum op op;
	double number;
	char *name; /* name of an event, or a literal */
	struct metric_expr *args[3];
};

void metric_expr_free(struct metric_expr *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(e->args); i++)
		metric_expr_free(e->args[i]);
	free(e->name);
	free(e);
}

struct metric_expr_parser {
	const char *text, *at;
	unsigned depth;
	struct diag *diag;
};

static int metric_expr_wrong(struct metric_expr_parser *p, const char *what)
{
	size_t length = *p->at ? 1 : 0;

	return diag_mark(p->diag, -EINVAL, p->text, (size_t)(p->at - p->text), length, "%s", what);
}

static bool metric_expr_take_char(struct metric_expr_parser *p, char c)
{
	p->at = text_skip_blanks(p->at);
	if (*p->at != c)
		return false;
	p->at++;
	return true;
}

/* True for characters that a name may have without a backslash; '@' stands for '/'. */
static bool in_name(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_.:@", c));
}

static bool metric_expr_take_word(struct metric_expr_parser *p, const char *word)
{
	size_t n = strlen(word);

	p->at = text_skip_blanks(p->at);
	if (strncmp(p->at, word, n) != 0 || in_name(p->at[n]) || p->at[n] == '\\')
		return false;
	p->at += n;
	return true;
}

static struct metric_expr *metric_expr_make(enum op op, struct metric_expr *a,
					    struct metric_expr *b)
{
	struct metric_expr *e = xcalloc(1, sizeof(*e));

	e->op = op;
	e->args[0] = a;
	e->args[1] = b;
	return e;
}

static int parse_if(struct metric_expr_parser *p, struct metric_expr **ret);

static int metric_expr_parse_number(struct metric_expr_parser *p, struct metric_expr **ret)
{
	char *end;
	double number = strtod(p->at, &end);

	if (end == p->at || !isfinite(number))
		return metric_expr_wrong(p, "not a number");
	*ret = metric_expr_make(OP_NUMBER, NULL, NULL);
	(*ret)->number = number;
	p->at = end;
	return 0;
}

/*
 * Parses a name and removes its escapes: \x is x, and @ is /. Terms between two @ may stand as they
 * are.
 */
static int metric_expr_parse_name(struct metric_expr_parser *p, enum op op,
				  struct metric_expr **ret)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	bool inside = false;

	for (;; p->at++) {
		char c = *p->at;

		if (c == '\\') {
			if (!p->at[1])
				return metric_expr_wrong(p, "nothing follows the backslash");
			c = *++p->at;
		} else if (c == '@') {
			inside = !inside;
			c = '/';
		} else if (!in_name(c) && !(inside && c && strchr("=,?", c))) {
			break;
		}
		text_add_char(&t, c);
	}
	if (!t.length)
		return metric_expr_wrong(p, "a number, an event or '(' is missing here");
	if (inside)
		return metric_expr_wrong(p, "'@' is missing here");
	*ret = metric_expr_make(op, NULL, NULL);
	(*ret)->name = text_take(&t);
	return 0;
}

/* Parses name(a, b), after the name. */
static int parse_call(struct metric_expr_parser *p, enum op op, struct metric_expr **ret)
{
	_cleanup_(metric_expr_freep) struct metric_expr *a = NULL, *b = NULL;
	int r;

	if (!metric_expr_take_char(p, '('))
		return metric_expr_wrong(p, "'(' is missing here");
	r = parse_if(p, &a);
	if (r < 0)
		return r;
	if (!metric_expr_take_char(p, ','))
		return metric_expr_wrong(p, "',' is missing here");
	r = parse_if(p, &b);
	if (r < 0)
		return r;
	if (!metric_expr_take_char(p, ')'))
		return metric_expr_wrong(p, "')' is missing here");
	*ret = metric_expr_make(op, TAKE(a), TAKE(b));
	return 0;
}

static int parse_negation(struct metric_expr_parser *p, struct metric_expr **ret);

static int parse_parenthesis(struct metric_expr_parser *p, struct metric_expr **ret)
{
	_cleanup_(metric_expr_freep) struct metric_expr *inner = NULL;
	int r = parse_if(p, &inner);

	if (r < 0)
		return r;
	if (!metric_expr_take_char(p, ')'))
		return metric_expr_wrong(p, "')' is missing here");
	*ret = TAKE(inner);
	return 0;
}

static int metric_expr_parse_operand(struct metric_expr_parser *p, struct metric_expr **ret)
{
	p->at = text_skip_blanks(p->at);
	if (*p->at == '-')
		return parse_negation(p, ret);
	if (metric_expr_take_char(p, '('))
		return parse_parenthesis(p, ret);
	if (*p->at == '#') {
		p->at++;
		return metric_expr_parse_name(p, OP_LITERAL, ret);
	}
	if (isdigit((unsigned char)*p->at) || *p->at == '.')
		return metric_expr_parse_number(p, ret);
	if (metric_expr_take_word(p, "min"))
		return parse_call(p, OP_MIN, ret);
	if (metric_expr_take_word(p, "max"))
		return parse_call(p, OP_MAX, ret);
	if (metric_expr_take_word(p, "d_ratio"))
		return parse_call(p, OP_RATIO, ret);
	return metric_expr_parse_name(p, OP_EVENT, ret);
}

static int parse_negation(struct metric_expr_parser *p, struct metric_expr **ret)
{
	struct metric_expr *inner;
	int r;

	p->at++;
	if (++p->depth > DEPTH_MAX)
		return metric_expr_wrong(p, "too deeply nested");
	r = metric_expr_parse_operand(p, &inner);
	p->depth--;
	if (r >= 0)
		*ret = metric_expr_make(OP_NEGATE, inner, NULL);
	return r;
}

/* Operators between two values, lowest precedence first; all are left-associative. */
static const struct {
	const char chars[4];
	enum op ops[3];
} levels[] = {
	{ "|", { OP_OR } },
	{ "^", { OP_XOR } },
	{ "&", { OP_AND } },
	{ "<>", { OP_LESS, OP_GREATER } },
	{ "+-", { OP_ADD, OP_SUBTRACT } },
	{ "*/%", { OP_MULTIPLY, OP_DIVIDE, OP_REMAINDER } },
};

static int parse_level(struct metric_expr_parser *p, size_t level, struct metric_expr **ret)
{
	_cleanup_(metric_expr_freep) struct metric_expr *left = NULL;
	int r;

	if (level == ARRAY_SIZE(levels))
		return metric_expr_parse_operand(p, ret);
	r = parse_level(p, level + 1, &left);
	if (r < 0)
		return r;
	for (;;) {
		struct metric_expr *right;
		const char *found;

		p->at = text_skip_blanks(p->at);
		found = *p->at ? strchr(levels[level].chars, *p->at) : NULL;
		if (!found)
			break;
		p->at++;
		r = parse_level(p, level + 1, &right);
		if (r < 0)
			return r;
		left = metric_expr_make(levels[level].ops[found - levels[level].chars], TAKE(left),
					right);
	}
	*ret = TAKE(left);
	return 0;
}

/* Parses `a if condition else b`, where b may be another choice. */
static int parse_choice(struct metric_expr_parser *p, struct metric_expr **ret)
{
	_cleanup_(metric_expr_freep) struct metric_expr *a = NULL, *condition = NULL, *b = NULL;
	int r = parse_level(p, 0, &a);

	if (r < 0)
		return r;
	if (metric_expr_take_word(p, "if")) {
		r = parse_level(p, 0, &condition);
		if (r < 0)
			return r;
		if (!metric_expr_take_word(p, "else"))
			return metric_expr_wrong(p, "'else' is missing here");
		r = parse_if(p, &b);
		if (r < 0)
			return r;
		a = metric_expr_make(OP_IF, TAKE(a), TAKE(condition));
		a->args[2] = TAKE(b);
	}
	*ret = TAKE(a);
	return 0;
}

static int parse_if(struct metric_expr_parser *p, struct metric_expr **ret)
{
	int r;

	if (++p->depth > DEPTH_MAX)
		return metric_expr_wrong(p, "too deeply nested");
	r = parse_choice(p, ret);
	p->depth--;
	return r;
}

int metric_expr_parse(const char *text, struct metric_expr **ret, struct diag *diag)
{
	struct metric_expr_parser p = { .text = text, .at = text, .diag = diag };
	_cleanup_(metric_expr_freep) struct metric_expr *e = NULL;
	int r = parse_if(&p, &e);

	if (r < 0)
		return r;
	p.at = text_skip_blanks(p.at);
	if (*p.at)
		return metric_expr_wrong(&p, "an operator is missing here");
	*ret = TAKE(e);
	return 0;
}

/* Converts as C does, but is defined for values that do not fit. */
static int64_t to_bits(double x)
{
	return isnan(x) ? 0 : x >= 0x1p62 ? INT64_MAX : x <= -0x1p62 ? INT64_MIN : (int64_t)x;
}

static bool metric_expr_combine(enum op op, double a, double b, double *ret)
{
	if ((op == OP_DIVIDE && b == 0) || (op == OP_REMAINDER && to_bits(b) == 0))
		return false;
	switch (op) {
	case OP_ADD:
		*ret = a + b;
		break;
	case OP_SUBTRACT:
		*ret = a - b;
		break;
	case OP_MULTIPLY:
		*ret = a * b;
		break;
	case OP_DIVIDE:
		*ret = a / b;
		break;
	case OP_REMAINDER:
		*ret = to_bits(b) == -1 ? 0 : (double)(to_bits(a) % to_bits(b));
		break;
	case OP_LESS:
		*ret = a < b;
		break;
	case OP_GREATER:
		*ret = a > b;
		break;
	case OP_AND:
		*ret = (double)(to_bits(a) & to_bits(b));
		break;
	case OP_XOR:
		*ret = (double)(to_bits(a) ^ to_bits(b));
		break;
	case OP_OR:
		*ret = (double)(to_bits(a) | to_bits(b));
		break;
	case OP_MIN:
		*ret = a < b ? a : b;
		break;
	case OP_MAX:
		*ret = a > b ? a : b;
		break;
	case OP_RATIO:
		*ret = b == 0 ? 0 : a / b;
		break;
	default:
		return false;
	}
	return isfinite(*ret);
}

bool metric_expr_value(const struct metric_expr *e, const struct metric_inputs *in, double *ret)
{
	double a, b;

	switch (e->op) {
	case OP_NUMBER:
		*ret = e->number;
		return true;
	case OP_EVENT:
		return in->event && in->event(in->arg, e->name, ret);
	case OP_LITERAL:
		return in->literal && in->literal(in->arg, e->name, ret);
	case OP_EXPANDED:
		return metric_expr_value(e->args[0], in, ret);
	case OP_NEGATE:
		if (!metric_expr_value(e->args[0], in, &a))
			return false;
		*ret = -a;
		return true;
	case OP_IF:
		if (!metric_expr_value(e->args[1], in, &b))
			return false;
		return metric_expr_value(e->args[b != 0 ? 0 : 2], in, ret);
	default:
		return metric_expr_value(e->args[0], in, &a) &&
		       metric_expr_value(e->args[1], in, &b) &&
		       metric_expr_combine(e->op, a, b, ret);
	}
}

static void metric_expr_choose(struct metric_expr *e)
{
	static const struct metric_inputs nothing;
	double condition;
	struct metric_expr *chosen;

	if (!metric_expr_value(e->args[1], &nothing, &condition))
		return;
	chosen = TAKE(e->args[condition != 0 ? 0 : 2]);
	for (size_t i = 0; i < ARRAY_SIZE(e->args); i++) {
		metric_expr_free(e->args[i]);
		e->args[i] = NULL;
	}
	e->op = OP_EXPANDED;
	e->args[0] = chosen;
}

void metric_expr_settle(struct metric_expr *e,
			bool (*literal)(void *arg, const char *name, double *ret), void *arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(e->args); i++)
		if (e->args[i])
			metric_expr_settle(e->args[i], literal, arg);
	if (e->op == OP_LITERAL && literal(arg, e->name, &e->number))
		e->op = OP_NUMBER;
	else if (e->op == OP_IF)
		metric_expr_choose(e);
}

void metric_expr_for_each_event(const struct metric_expr *e,
				void (*fn)(const char *event, void *arg), void *arg)
{
	if (e->op == OP_EVENT)
		fn(e->name, arg);
	for (size_t i = 0; i < ARRAY_SIZE(e->args); i++)
		if (e->args[i])
			metric_expr_for_each_event(e->args[i], fn, arg);
}

/*
 * True if @event is already in the comma-separated @list. PMU terms have commas too, and slashes.
 */
static bool metric_expr_listed(const char *list, const char *event)
{
	size_t n = strlen(event);

	for (const char *at = list; (at = strstr(at, event)); at++)
		if ((at == list || at[-1] == ',') && (!at[n] || at[n] == ','))
			return true;
	return false;
}

static void metric_expr_add_event(const char *event, void *arg)
{
	struct text *t = arg;

	if (metric_expr_listed(t->chars, event))
		return;
	if (t->length)
		text_add_char(t, ',');
	text_add(t, event);
}

void metric_expr_events(const struct metric_expr *e, struct text *t)
{
	metric_expr_for_each_event(e, metric_expr_add_event, t);
}

int metric_expr_expand(struct metric_expr *e,
		       int (*expand)(void *arg, const char *name, struct metric_expr **ret),
		       void *arg)
{
	int r = 0;

	if (e->op == OP_EVENT) {
		r = expand(arg, e->name, &e->args[0]);
		if (e->args[0])
			e->op = OP_EXPANDED;
		return r;
	}
	for (size_t i = 0; i < ARRAY_SIZE(e->args) && r >= 0; i++)
		if (e->args[i])
			r = metric_expr_expand(e->args[i], expand, arg);
	return r;
}
