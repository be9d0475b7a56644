/* SPDX-License-Identifier: MIT */
#include "event/data-filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/similar.h"
#include "base/text.h"
#include "kernel/cgroup.h"
#include "wire/attr.h"

static const struct {
	const char *name;
	enum data_filter_term term;
	uint64_t sample_type;
	const char *bit;
	const char *option;
} terms[] = {
#define TERM(name_, term_, type_, bit_, option_)                                                   \
	{ name_, DATA_FILTER_##term_, type_, bit_, option_ },
#define VALUE(name_, term_, number_)
#include "event/data-filter.def"
#undef TERM
#undef VALUE
};

static const struct {
	const char *name;
	enum data_filter_term term;
	uint64_t number;
} values[] = {
#define TERM(name_, term_, type_, bit_, option_)
#define VALUE(name_, term_, number_) { name_, DATA_FILTER_##term_, number_ },
#include "event/data-filter.def"
#undef TERM
#undef VALUE
};

static const char operators[DATA_FILTER_OPS][3] = {
	[DATA_FILTER_EQ] = "==", [DATA_FILTER_NE] = "!=", [DATA_FILTER_GT] = ">",
	[DATA_FILTER_GE] = ">=", [DATA_FILTER_LT] = "<",  [DATA_FILTER_LE] = "<=",
	[DATA_FILTER_AND] = "&",
};

struct data_filter_parser {
	const char *text, *at;
	struct data_filter_items items;
	struct diag *diag;
};

#define REFUSE(p, from, length, ...)                                                               \
	diag_mark((p)->diag, -EINVAL, (p)->text, (size_t)((from) - (p)->text), length, __VA_ARGS__)

static bool data_filter_is_word(const char *name, const char *s, size_t n)
{
	return strlen(name) == n && !strncmp(name, s, n);
}

const char *data_filter_term_name(uint32_t term)
{
	for (size_t i = 0; i < ARRAY_SIZE(terms); i++)
		if (terms[i].term == term)
			return terms[i].name;
	return "?";
}

static void data_filter_hint_terms(struct diag *diag, const char *s, size_t n)
{
	_cleanup_(freep) char *typed = xstrndup(s, n);
	struct similar similar = { .typed = typed };

	for (size_t i = 0; i < ARRAY_SIZE(terms); i++)
		similar_add(&similar, terms[i].name);

	_cleanup_(freep) char *phrase = similar_phrase(&similar);

	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	else
		diag_hint(diag, "There are ip, id, tid, pid, cpu, time, addr, period, weight, "
				"mem_op and more: see --filter in 'perf record --help'.");
}

static int data_filter_take_term(struct data_filter_parser *p, uint32_t *ret)
{
	const char *s = p->at;
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	if (!n)
		return REFUSE(p, s, *s != '\0', "a term is expected here, such as period");
	for (size_t i = 0; i < ARRAY_SIZE(terms); i++)
		if (data_filter_is_word(terms[i].name, s, n)) {
			*ret = terms[i].term;
			p->at += n;
			return 0;
		}
	REFUSE(p, s, n, "samples have no '%.*s'", (int)n, s);
	data_filter_hint_terms(p->diag, s, n);
	return -EINVAL;
}

static int data_filter_take_operator(struct data_filter_parser *p, uint32_t *ret)
{
	size_t n = strspn(p->at, "=!<>&~|");

	for (uint32_t i = 0; i < DATA_FILTER_OPS; i++)
		if (data_filter_is_word(operators[i], p->at, n)) {
			*ret = i;
			p->at += n;
			return 0;
		}
	if (n == 1 && *p->at == '=')
		return REFUSE(p, p->at, n, "write == to compare");
	if (n)
		return REFUSE(p, p->at, n,
			      "there is no operator '%.*s': only ==, !=, >, >=, <, <= and &",
			      (int)n, p->at);
	return REFUSE(p, p->at, 0, "an operator is expected here: ==, !=, >, >=, <, <= or &");
}

static bool find_value(uint32_t term, const char *s, size_t n, uint64_t *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (values[i].term == term && data_filter_is_word(values[i].name, s, n)) {
			*ret = values[i].number;
			return true;
		}
	return false;
}

static int data_filter_refuse_value(struct data_filter_parser *p, uint32_t term, const char *s,
				    size_t n)
{
	_cleanup_(freep) char *typed = xstrndup(s, n);
	struct similar similar = { .typed = typed };
	bool named = false;

	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (values[i].term == term) {
			named = true;
			similar_add(&similar, values[i].name);
		}

	_cleanup_(freep) char *phrase = similar_phrase(&similar);

	REFUSE(p, s, n, "'%s' is no %s of %s", typed, named ? "number or value" : "number",
	       data_filter_term_name(term));
	if (phrase)
		diag_hint(p->diag, "Did you mean %s?", phrase);
	return -EINVAL;
}

static int data_filter_find_cgroup(struct data_filter_parser *p, const char *s, size_t n,
				   uint64_t *ret)
{
	_cleanup_(freep) char *name = xstrndup(s, n);
	struct cgroup c = { .fd = -1 };
	int r = cgroup_open(NULL, name, &c, p->diag);

	if (r >= 0)
		*ret = c.id;
	cgroup_done(&c);
	return r;
}

static int data_filter_take_value(struct data_filter_parser *p, uint32_t term, uint64_t *ret)
{
	const char *s = p->at;
	size_t n = strcspn(s, " \t\n,|");
	_cleanup_(freep) char *word = xstrndup(s, n);

	p->at += n;
	if (!n)
		return REFUSE(p, s, 0, "a value is expected here");
	if (term == DATA_FILTER_CGROUP)
		return data_filter_find_cgroup(p, s, n, ret);
	if (find_value(term, s, n, ret) || number_parse(word, ret) >= 0)
		return 0;
	return data_filter_refuse_value(p, term, s, n);
}

/* Parses the text after a comparison: the end (0), a comma or ||. */
static int data_filter_take_joint(struct data_filter_parser *p, char *ret)
{
	p->at = text_skip_blanks(p->at);
	*ret = *p->at;
	if (!*p->at)
		return 0;
	if (*p->at == ',') {
		p->at++;
		return 0;
	}
	if (p->at[0] == '|' && p->at[1] == '|') {
		p->at += 2;
		return 0;
	}
	if (!strncmp(p->at, "&&", 2))
		return REFUSE(p, p->at, 2, "write a comma where both must hold");
	return REFUSE(p, p->at, 1, "',' (and) or '||' (or) is expected here");
}

static int data_filter_take_item(struct data_filter_parser *p, char *ret_joint)
{
	struct data_filter_item item = { 0 };
	const char *begin;
	uint64_t value = 0;
	int r;

	p->at = text_skip_blanks(p->at);
	begin = p->at;
	r = data_filter_take_term(p, &item.term);
	p->at = text_skip_blanks(p->at);
	if (r >= 0)
		r = data_filter_take_operator(p, &item.op);
	p->at = text_skip_blanks(p->at);
	if (r >= 0)
		r = data_filter_take_value(p, item.term, &value);
	if (r >= 0)
		r = data_filter_take_joint(p, ret_joint);
	if (r < 0)
		return r;
	item.value = value;
	item.ends_group = *ret_joint != '|';
	if (p->items.n == DATA_FILTER_ITEMS_MAX)
		return diag_mark(p->diag, -E2BIG, p->text, (size_t)(begin - p->text), 1,
				 "a filter has at most %d conditions", DATA_FILTER_ITEMS_MAX);
	p->items.items[p->items.n++] = item;
	return 0;
}

int data_filter_parse(struct data_filter_items *f, const char *text, struct diag *diag)
{
	struct data_filter_parser p = { .text = text, .at = text, .items = *f, .diag = diag };
	char joint = 0;
	int r;

	p.at = text_skip_blanks(p.at);
	if (!*p.at)
		return REFUSE(&p, p.at, 0, "the filter is empty");
	do {
		r = data_filter_take_item(&p, &joint);
	} while (r >= 0 && joint);
	if (r >= 0)
		*f = p.items;
	return r;
}

int data_filter_check(const struct data_filter_items *f, const struct attr *attr, const char *name,
		      struct diag *diag)
{
	for (uint32_t i = 0; i < f->n; i++)
		for (size_t j = 0; j < ARRAY_SIZE(terms); j++) {
			if (terms[j].term != f->items[i].term || !terms[j].sample_type ||
			    attr->sample_type & terms[j].sample_type)
				continue;
			diag_set(diag, -EINVAL, "%s event does not have %s", name, terms[j].bit);
			if (terms[j].option)
				diag_hint(diag, " Hint: please add %s option to perf record.",
					  terms[j].option);
			return -EINVAL;
		}
	return 0;
}
