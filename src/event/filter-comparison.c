/* SPDX-License-Identifier: MIT */
#include "event/filter-internal.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/similar.h"
#include "base/text.h"
#include "tracepoint/format.h"

bool filter_starts_with(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

size_t filter_token_length(const char *s)
{
	size_t n = strcspn(s, " \t\n()=<>!~&|^,\"'");

	return n ? n : *s != '\0';
}

/* The kernel's buffers for a value: MAX_FILTER_STR_VAL, and num_buf of parse_pred(). */
#define STRING_LENGTH_MAX 255
#define NUMBER_LENGTH_MAX 23

/*
 * The values with which a field can be compared: the kernel's FILTER_* types, as far as they
 * differ.
 */
enum kind {
	KIND_NUMBER, /* also addresses, and arrays of other types than char */
	KIND_TEXT,
	KIND_CPUMASK,
	KIND_CPU,
	KIND_STACKTRACE, /* a number for the kernel, but not usefully comparable */
};

struct filter_comparison_operand {
	const char *at; /* its name in the text */
	size_t length;
	enum kind kind;
	uint32_t size;
	bool is_signed;
	const char *type; /* for messages */
	bool function;    /* FIELD.function */
};

enum op {
	OP_EQ,
	OP_NE,
	OP_GLOB,
	OP_LE,
	OP_LT,
	OP_GE,
	OP_GT,
	OP_AND,
	OPERATORS,
};

static const char operators[OPERATORS][3] = { "==", "!=", "~", "<=", "<", ">=", ">", "&" };

/* The kernel also decides by the text of the type (filter_assign_type()). */
static enum kind kind_of_type(const char *type)
{
	bool dynamic = strstr(type, "__data_loc") || strstr(type, "__rel_loc");

	if (dynamic && strstr(type, "cpumask_t"))
		return KIND_CPUMASK;
	if ((dynamic || strchr(type, '[')) && strstr(type, "char"))
		return KIND_TEXT;
	if (strcmp(type, "char *") == 0 || strcmp(type, "const char *") == 0)
		return KIND_TEXT;
	return KIND_NUMBER;
}

/* The fields that the kernel adds to every event (trace_define_generic_fields()). */
static const struct {
	const char *name;
	enum kind kind;
} generic_fields[] = {
	{ "CPU", KIND_CPU },
	{ "cpu", KIND_CPU },
	{ "COMM", KIND_TEXT },
	{ "comm", KIND_TEXT },
	{ "stacktrace", KIND_STACKTRACE },
	{ "STACKTRACE", KIND_STACKTRACE },
};

static bool filter_comparison_find_operand(const struct tracepoint_format *format, const char *name,
					   struct filter_comparison_operand *ret)
{
	const struct tracepoint_field *f = tracepoint_field_find(format, name);

	if (f) {
		ret->kind = kind_of_type(f->type);
		ret->size = f->size;
		ret->is_signed = f->is_signed;
		ret->type = f->type;
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(generic_fields); i++)
		if (strcmp(name, generic_fields[i].name) == 0) {
			ret->kind = generic_fields[i].kind;
			ret->is_signed = ret->kind == KIND_CPU;
			ret->type = ret->kind == KIND_CPU ? "int" : "char *";
			return true;
		}
	return false;
}

static void filter_comparison_hint_fields(const struct filter_parser *p)
{
	struct text own = TEXT_EMPTY, common = TEXT_EMPTY;

	for (size_t i = 0; i < p->format->n_fields; i++) {
		const struct tracepoint_field *f = &p->format->fields[i];
		struct text *t = f->is_common ? &common : &own;

		text_addf(t, "%s%s", t->length ? ", " : "", f->name);
	}
	if (own.length)
		diag_hint(p->diag, "fields of %s: %s", p->format->name, own.chars);
	else
		diag_hint(p->diag, "%s has no fields of its own", p->format->name);
	diag_hint(p->diag, "fields of every event: %s%sCPU, COMM, stacktrace", common.chars,
		  common.length ? ", " : "");
	text_done(&own);
	text_done(&common);
}

static int filter_comparison_refuse_field(const struct filter_parser *p, const char *name,
					  size_t length)
{
	struct similar similar = { .typed = name };
	int r = FILTER_REFUSE(p, p->at, length, "%s has no field '%s'", p->format->name, name);

	for (size_t i = 0; i < p->format->n_fields; i++)
		similar_add(&similar, p->format->fields[i].name);
	for (size_t i = 0; i < ARRAY_SIZE(generic_fields); i++)
		similar_add(&similar, generic_fields[i].name);

	_cleanup_(freep) char *phrase = similar_phrase(&similar);

	if (phrase)
		diag_hint(p->diag, "did you mean %s?", phrase);
	filter_comparison_hint_fields(p);
	return r;
}

/* Parses suffixes in the order in which the kernel does. */
static int take_suffixes(struct filter_parser *p, struct filter_comparison_operand *o)
{
	if (filter_starts_with(p->at, ".ustring"))
		p->at += strlen(".ustring");
	if (filter_starts_with(p->at, ".function")) {
		p->at += strlen(".function");
		o->function = true;
	}
	if (*p->at == '.' || strspn(p->at, FILTER_WORD))
		return FILTER_REFUSE(p, p->at, filter_token_length(p->at),
				     "only .ustring and .function may follow a field's name");
	if (*p->at == '[')
		return FILTER_REFUSE(p, p->at, 1, "the elements of an array cannot be compared");
	if (o->function && o->size != sizeof(long))
		return FILTER_REFUSE(
			p, o->at, o->length,
			"'%.*s' (%s) is not an address, so it cannot be compared with a function",
			(int)o->length, o->at, o->type);
	return 0;
}

static int filter_comparison_take_field(struct filter_parser *p,
					struct filter_comparison_operand *ret)
{
	struct filter_comparison_operand o = { .at = p->at, .length = strspn(p->at, FILTER_WORD) };
	_cleanup_(freep) char *name = xstrndup(o.at, o.length);

	if (!o.length)
		return FILTER_REFUSE(p, p->at, filter_token_length(p->at),
				     "a field's name is expected here");
	if (isdigit((unsigned char)*name) && !tracepoint_field_find(p->format, name)) {
		int r = FILTER_REFUSE(p, p->at, o.length,
				      "a comparison begins with a field's name");

		diag_hint(p->diag, "write the number last: FIELD OPERATOR NUMBER");
		return r;
	}
	if (!filter_comparison_find_operand(p->format, name, &o))
		return filter_comparison_refuse_field(p, name, o.length);
	p->at += o.length;

	int r = take_suffixes(p, &o);

	if (r < 0)
		return r;
	*ret = o;
	return 0;
}

/* Operators that users write by mistake. */
static const struct {
	const char *wrong, *right;
} corrections[] = {
	{ "=", "==" },   { "=>", ">=" }, { "=<", "<=" }, { "===", "==" },
	{ "!==", "!=" }, { "=!", "!=" }, { "<>", "!=" }, { "=~", "~" },
	{ "==~", "~" },  { "~=", "~" },  { "~~", "~" },
};

static int filter_comparison_refuse_operator(const struct filter_parser *p,
					     const struct filter_comparison_operand *o,
					     size_t length)
{
	const char *right = NULL;
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(corrections); i++)
		if (strlen(corrections[i].wrong) == length &&
		    memcmp(p->at, corrections[i].wrong, length) == 0)
			right = corrections[i].right;
	if (right)
		return FILTER_REFUSE(p, p->at, length, "'%.*s' is not an operator: write %s",
				     (int)length, p->at, right);
	if (length == 2 && filter_starts_with(p->at, "!~"))
		return FILTER_REFUSE(p, p->at, length,
				     "'!~' is not an operator: write !(%.*s ~ \"...\")",
				     (int)o->length, o->at);
	if (!length || filter_starts_with(p->at, "&&") || filter_starts_with(p->at, "||"))
		r = FILTER_REFUSE(p, p->at, filter_token_length(p->at),
				  "an operator and a value are expected after '%.*s'",
				  (int)o->length, o->at);
	else
		r = FILTER_REFUSE(p, p->at, length, "'%.*s' is not an operator", (int)length,
				  p->at);
	diag_hint(p->diag, "operators: == != < <= > >= & on numbers; == != ~ on text");
	return r;
}

/* Checks that the operator can be used with the field, whatever the value. */
static int check_operator(const struct filter_parser *p, const struct filter_comparison_operand *o,
			  const char *at, enum op op)
{
	size_t length = strlen(operators[op]);

	if (o->function && op != OP_EQ && op != OP_NE)
		return FILTER_REFUSE(p, at, length,
				     "a function can be compared with == and != only");
	if (o->function)
		return 0;
	if (o->kind == KIND_TEXT && op != OP_EQ && op != OP_NE && op != OP_GLOB)
		return FILTER_REFUSE(p, at, length, "'%.*s' is text, which takes ==, != and ~ only",
				     (int)o->length, o->at);
	if (o->kind != KIND_TEXT && op == OP_GLOB)
		return FILTER_REFUSE(p, at, length, "~ is for text, and '%.*s' is a number (%s)",
				     (int)o->length, o->at, o->type);
	return 0;
}

static int filter_comparison_take_operator(struct filter_parser *p,
					   const struct filter_comparison_operand *o, enum op *ret)
{
	size_t length = strspn(p->at, "=<>!~&|^");

	for (enum op op = 0; op < OPERATORS; op++) {
		if (strlen(operators[op]) != length || memcmp(p->at, operators[op], length) != 0)
			continue;

		int r = check_operator(p, o, p->at, op);

		if (r < 0)
			return r;
		p->at += length;
		*ret = op;
		return 0;
	}
	return filter_comparison_refuse_operator(p, o, length);
}

/* Parses a number as the kernel's kstrtoull() with base 0 does. */
static int parse_magnitude(const char *s, uint64_t *ret)
{
	bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	char *end;

	if (!isdigit((unsigned char)*s))
		return -EINVAL;
	errno = 0;
	*ret = strtoull(s, &end, hex ? 16 : s[0] == '0' ? 8 : 10);
	return *end ? -EINVAL : -errno;
}

static int filter_comparison_take_function(struct filter_parser *p)
{
	bool is_address = isdigit((unsigned char)*p->at);
	size_t length = strspn(p->at, is_address ? FILTER_WORD : FILTER_WORD ".");
	_cleanup_(freep) char *name = xstrndup(p->at, length);
	uint64_t address;

	if (*p->at == '"' || *p->at == '\'')
		return FILTER_REFUSE(p, p->at, 1, "write the function's name without quotes");
	if (!length)
		return FILTER_REFUSE(p, p->at, filter_token_length(p->at),
				     "a function's name is expected here");
	if (is_address && (length > NUMBER_LENGTH_MAX || parse_magnitude(name, &address) < 0))
		return FILTER_REFUSE(p, p->at, length, "'%s' is not an address", name);
	p->at += length;
	return 0;
}

/* Parses a CPU's number, or N for the last one. */
static bool filter_comparison_take_cpu(const char **s, uint64_t *ret)
{
	uint64_t cpu = 0;

	if (**s == 'N') {
		*ret = UINT64_MAX;
		++*s;
		return true;
	}
	if (!isdigit((unsigned char)**s))
		return false;
	for (; isdigit((unsigned char)**s); ++*s)
		if (cpu < UINT32_MAX)
			cpu = cpu * 10 + (uint64_t)(**s - '0');
	*ret = cpu;
	return true;
}

/*
 * Parses "5", "0-3", "0-7:1/2" (one of every two) or "all", as the kernel's bitmap_parselist()
 * does.
 */
static bool take_cpu_region(const char **s)
{
	uint64_t first = 0, last = UINT64_MAX, used, group;

	if (filter_starts_with(*s, "all")) {
		*s += strlen("all");
	} else {
		if (!filter_comparison_take_cpu(s, &first))
			return false;
		if (**s != '-')
			return true;
		++*s;
		if (!filter_comparison_take_cpu(s, &last))
			return false;
	}
	if (**s != ':')
		return first <= last;
	++*s;
	if (!filter_comparison_take_cpu(s, &used) || *(*s)++ != '/' ||
	    !filter_comparison_take_cpu(s, &group))
		return false;
	return first <= last && used <= group && group;
}

static int filter_comparison_take_cpus(struct filter_parser *p,
				       const struct filter_comparison_operand *o, enum op op)
{
	const char *start = p->at, *s = start + strlen("CPUS");
	const char *close = strchr(s, '}');

	if (o->kind == KIND_TEXT || o->kind == KIND_STACKTRACE)
		return FILTER_REFUSE(p, start, filter_token_length(start),
				     "'%.*s' cannot be a set of CPUs", (int)o->length, o->at);
	if (op != OP_EQ && op != OP_NE && op != OP_AND)
		return FILTER_REFUSE(p, start, filter_token_length(start),
				     "a set of CPUs can be compared with ==, != and & only");
	if (*s != '{' || !close)
		return FILTER_REFUSE(p, start, filter_token_length(start),
				     "write a set of CPUs as CPUS{0-3,5}");
	for (s++; s < close;) {
		const char *region = s;

		if (isspace((unsigned char)*s) || *s == ',')
			s++;
		else if (!take_cpu_region(&s) || !strchr(" \t\n,}", *s))
			return FILTER_REFUSE(p, region, strcspn(region, " \t\n,}"),
					     "this is not a range of CPUs");
	}
	if (close[-1] == '{')
		return FILTER_REFUSE(p, start, (size_t)(close + 1 - start),
				     "the set of CPUs is empty");
	p->at = close + 1;
	return 0;
}

static int take_string(struct filter_parser *p, const struct filter_comparison_operand *o)
{
	const char *start = p->at, *close = strchr(start + 1, *start);
	size_t length = close ? (size_t)(close + 1 - start) : strlen(start);

	if (!close)
		return FILTER_REFUSE(p, start, length, "the closing %c is missing", *start);
	if (o->kind != KIND_TEXT)
		return FILTER_REFUSE(p, start, length, "'%.*s' is a number (%s), not text",
				     (int)o->length, o->at, o->type);
	if (length - 2 > STRING_LENGTH_MAX)
		return FILTER_REFUSE(p, start, length,
				     "the text is longer than the %d characters that "
				     "the kernel compares",
				     STRING_LENGTH_MAX);
	p->at = close + 1;
	return 0;
}

/* Rejects a negative number: its bits in an unsigned field depend on the field's width. */
static int refuse_negative(const struct filter_parser *p, const struct filter_comparison_operand *o,
			   size_t length, uint64_t magnitude)
{
	uint64_t mask = o->size < 8 ? (1ULL << 8 * o->size) - 1 : UINT64_MAX;
	int r = FILTER_REFUSE(p, p->at, length, "'%.*s' (%s) is unsigned: it is never negative",
			      (int)o->length, o->at, o->type);

	if (o->size == 1 || o->size == 2 || o->size == 4 || o->size == 8)
		diag_hint(p->diag, "the same %u bits without a sign: 0x%llx", 8 * o->size,
			  (unsigned long long)(-magnitude & mask));
	return r;
}

static int check_number(const struct filter_parser *p, const struct filter_comparison_operand *o,
			const char *number)
{
	bool negative = number[0] == '-';
	size_t length = strlen(number);
	uint64_t magnitude, limit = o->is_signed ? (uint64_t)INT64_MAX + negative : UINT64_MAX;
	int r = parse_magnitude(number + negative, &magnitude);

	if (r == -EINVAL) {
		FILTER_REFUSE(p, p->at, length, "'%s' is not a whole number", number);
		diag_hint(p->diag, "numbers: 12, -12, 0x1f, 017 (octal)");
		return r;
	}
	if (r < 0 || magnitude > limit || length > NUMBER_LENGTH_MAX)
		return FILTER_REFUSE(p, p->at, length, "the number %s is too large", number);
	if (negative && !o->is_signed)
		return refuse_negative(p, o, length, magnitude);
	return 0;
}

static int filter_comparison_take_number(struct filter_parser *p,
					 const struct filter_comparison_operand *o)
{
	bool negative = *p->at == '-';
	size_t length = negative + strspn(p->at + negative, FILTER_WORD ".");
	_cleanup_(freep) char *number = xstrndup(p->at, length);

	if (o->kind == KIND_TEXT) {
		int r = FILTER_REFUSE(p, p->at, length, "'%.*s' is text, not a number",
				      (int)o->length, o->at);

		diag_hint(p->diag, "compare it with text in quotes: \"%s\"", number);
		return r;
	}

	int r = check_number(p, o, number);

	if (r >= 0)
		p->at += length;
	return r;
}

static int filter_comparison_refuse_value(const struct filter_parser *p,
					  const struct filter_comparison_operand *o)
{
	size_t length = filter_token_length(p->at);
	_cleanup_(freep) char *word = xstrndup(p->at, length);

	if (!length || strchr(")&|", *p->at))
		return FILTER_REFUSE(p, p->at, 0, "a value is expected here");
	if (o->kind == KIND_TEXT)
		return FILTER_REFUSE(p, p->at, length, "text needs quotes: write \"%s\"", word);
	if (tracepoint_field_find(p->format, word))
		return FILTER_REFUSE(
			p, p->at, length,
			"a field can be compared with a constant, not with another field");
	return FILTER_REFUSE(p, p->at, length, "'%s' is not a number", word);
}

static int filter_comparison_take_value(struct filter_parser *p,
					const struct filter_comparison_operand *o, enum op op)
{
	if (o->function)
		return filter_comparison_take_function(p);
	if (filter_starts_with(p->at, "CPUS"))
		return filter_comparison_take_cpus(p, o, op);
	if (*p->at == '"' || *p->at == '\'')
		return take_string(p, o);
	if (*p->at == '-' || isdigit((unsigned char)*p->at))
		return filter_comparison_take_number(p, o);
	return filter_comparison_refuse_value(p, o);
}

int filter_take_comparison(struct filter_parser *p)
{
	struct filter_comparison_operand o = { 0 };
	enum op op = OP_EQ;
	int r = filter_comparison_take_field(p, &o);

	if (r < 0)
		return r;
	p->at = text_skip_blanks(p->at);
	r = filter_comparison_take_operator(p, &o, &op);
	if (r < 0)
		return r;
	p->at = text_skip_blanks(p->at);
	return filter_comparison_take_value(p, &o, op);
}
