/* SPDX-License-Identifier: MIT */
#include "event/ast.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "event/modifier.h"

/* More terms are a mistake or an attack; Linux's perf runs out of descriptors long before. */
#define TERMS_MAX 1000

struct event_parser {
	const char *text;
	const char *at;
	struct diag *diag;
};

static size_t event_parse_offset(const struct event_parser *p, const char *where)
{
	return (size_t)(where - p->text);
}

static struct text_span span_from(const struct event_parser *p, const char *start)
{
	return (struct text_span){ event_parse_offset(p, start), (size_t)(p->at - start) };
}

static char *event_parse_copy(const struct event_parser *p, struct text_span s)
{
	return xstrndup(p->text + s.at, s.length);
}

__attribute__((format(printf, 4, 5))) static int
event_parse_wrong(struct event_parser *p, const char *where, size_t length, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	_cleanup_(freep) char *what = xvasprintf(format, ap);
	va_end(ap);
	return diag_mark(p->diag, -EINVAL, p->text, event_parse_offset(p, where), length,
			 "event syntax error: %s", what);
}

/* Skips blanks, then takes @c if it is next. */
static bool event_parse_take(struct event_parser *p, char c)
{
	p->at = text_skip_blanks(p->at);
	if (*p->at != c)
		return false;
	p->at++;
	return true;
}

static bool event_parse_is_word_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_-.*?[]!", c));
}

/* Takes the run of name characters that starts here; it may be empty. */
static struct text_span event_parse_take_word(struct event_parser *p)
{
	const char *start = p->at;

	while (event_parse_is_word_char(*p->at))
		p->at++;
	return span_from(p, start);
}

/* Takes letters up to a delimiter; each must be a modifier. The run may be empty. */
static int take_modifiers(struct event_parser *p, char **ret, struct text_span *ret_span)
{
	p->at = text_skip_blanks(p->at);

	const char *start = p->at;

	/* The shell makes two words of --event=cycles:{k,u} unless it is quoted. */
	if (*start == '{')
		return event_parse_wrong(
			p, start, strcspn(start, "}") + !!strchr(start, '}'),
			"braces do not list modifiers: write both events, as in cycles:k,cycles:u");

	struct text_span s = event_parse_take_word(p);

	for (const char *c = start; c < p->at; c++)
		if (!modifier_is_letter(*c))
			return event_parse_wrong(p, c, 1, "unknown modifier '%c' (one of %s)", *c,
						 MODIFIER_LETTERS);
	if (event_parse_take(p, ':'))
		return event_parse_wrong(p, p->at - 1, 1,
					 "only one list of modifiers may follow an event");
	*ret = event_parse_copy(p, s);
	*ret_span = s;
	return 0;
}

/* Takes 'a:b', \'a:b\' or "a:b": any text between two equal quotes. */
static int event_parse_take_quoted(struct event_parser *p, struct event_term *t)
{
	const char *open = p->at;
	size_t mark = *p->at == '\\' ? 2 : 1;
	const char *close = strstr(open + mark, mark == 2 ? "\\'" : *open == '"' ? "\"" : "'");

	if (!close)
		return event_parse_wrong(p, open, mark, "this quote is never closed");
	if (close == open + mark)
		return event_parse_wrong(p, open, 2 * mark, "'%s' needs a value", t->name);
	t->value = xstrndup(open + mark, (size_t)(close - open) - mark);
	p->at = close + mark;
	t->value_span = span_from(p, open);
	return 0;
}

static bool is_value_char(char c)
{
	return event_parse_is_word_char(c) || (c && strchr(":%@", c));
}

static int event_parse_take_value(struct event_parser *p, struct event_term *t)
{
	p->at = text_skip_blanks(p->at);
	if (*p->at == '\'' || *p->at == '"' || (*p->at == '\\' && p->at[1] == '\''))
		return event_parse_take_quoted(p, t);

	const char *start = p->at;

	while (is_value_char(*p->at))
		p->at++;
	t->value_span = span_from(p, start);
	if (!t->value_span.length)
		return event_parse_wrong(p, start, *start ? 1 : 0, "'%s' needs a value", t->name);
	t->value = event_parse_copy(p, t->value_span);
	return 0;
}

static int event_parse_take_term(struct event_parser *p, struct event_term *t)
{
	p->at = text_skip_blanks(p->at);

	const char *start = p->at;

	/* "@sink" is for a PMU's driver. */
	p->at += *p->at == '@';
	(void)event_parse_take_word(p);
	t->name_span = span_from(p, start);
	if (!t->name_span.length)
		return event_parse_wrong(p, p->at, *p->at ? 1 : 0,
					 "a term (name or name=value) is missing here");
	t->name = event_parse_copy(p, t->name_span);
	return event_parse_take(p, '=') ? event_parse_take_value(p, t) : 0;
}

/* Takes a word up to a ',', '/' or one of @ends; commas within brackets belong to it. */
static struct text_span take_bpf_word(struct event_parser *p, const char *ends)
{
	const char *start = p->at;
	bool inside = false;

	for (; *p->at; p->at++) {
		if (*p->at == '[' || *p->at == ']')
			inside = *p->at == '[';
		else if (!inside && (isspace((unsigned char)*p->at) || strchr(ends, *p->at)))
			break;
	}
	return span_from(p, start);
}

/* Takes map:NAME.value[0,3...5]=7: names and indices that other terms do not have. */
static int take_bpf_term(struct event_parser *p, struct event_term *t)
{
	p->at = text_skip_blanks(p->at);
	t->name_span = take_bpf_word(p, "=,/");
	if (!t->name_span.length)
		return event_parse_wrong(p, p->at, *p->at ? 1 : 0,
					 "a term such as map:NAME.event=EVENT is missing here");
	t->name = event_parse_copy(p, t->name_span);
	if (!event_parse_take(p, '='))
		return 0;
	p->at = text_skip_blanks(p->at);
	t->value_span = take_bpf_word(p, ",/");
	if (!t->value_span.length)
		return event_parse_wrong(p, p->at, *p->at ? 1 : 0, "'%s' needs a value", t->name);
	t->value = event_parse_copy(p, t->value_span);
	return 0;
}

struct term_list {
	struct event_term *items;
	size_t n, room;
};

/* Takes the text after the opening slash, including the closing one. */
static int take_terms(struct event_parser *p, struct event_node *node)
{
	const char *open = p->at - 1;
	struct term_list l = { 0 };
	int r = 0;

	node->slashes = true;
	if (event_parse_take(p, '/'))
		return 0;
	do {
		if (l.n == TERMS_MAX) {
			r = event_parse_wrong(p, open, 1, "more than %d terms", TERMS_MAX);
			break;
		}
		r = node->syntax == EVENT_SYNTAX_BPF ? take_bpf_term(p, ARRAY_ADD(&l))
						     : event_parse_take_term(p, ARRAY_ADD(&l));
	} while (r >= 0 && event_parse_take(p, ','));
	node->terms = l.items;
	node->n_terms = l.n;
	if (r < 0 || event_parse_take(p, '/'))
		return r;
	if (!*p->at)
		return event_parse_wrong(p, open, 1, "this '/' is never closed");
	return event_parse_wrong(p, p->at, 1, "expected ',' or '/' here");
}

/* Takes [ '/' terms '/' modifiers ] or [ ':' modifiers ], which may follow any event. */
static int take_tail(struct event_parser *p, struct event_node *node)
{
	if (event_parse_take(p, ':'))
		return take_modifiers(p, &node->modifiers, &node->modifiers_span);
	if (!event_parse_take(p, '/'))
		return 0;

	int r = take_terms(p, node);

	if (r < 0)
		return r;
	p->at = text_skip_blanks(p->at);
	if (*p->at == ':')
		return event_parse_wrong(p, p->at, 1, "modifiers follow the '/' without a colon");
	if (event_parse_is_word_char(*p->at))
		return take_modifiers(p, &node->modifiers, &node->modifiers_span);
	return 0;
}

/* Takes an address or a length. */
static int event_parse_take_number(struct event_parser *p, const char *what, uint64_t *ret)
{
	const char *start = p->at;
	struct text_span s = event_parse_take_word(p);
	_cleanup_(freep) char *word = event_parse_copy(p, s);
	int r = number_parse(word, ret);

	if (r == -ERANGE)
		return event_parse_wrong(p, start, s.length, "%s does not fit 64 bits", what);
	if (r < 0)
		return event_parse_wrong(p, start, s.length, "%s must be a number such as 0x1000",
					 what);
	return 0;
}

/*
 * True if modifiers follow: word:X is a tracepoint unless X consists of modifiers only and nothing
 * more belongs to the event. An empty X is an empty list of modifiers.
 */
static bool at_modifiers(const struct event_parser *p)
{
	char next = p->at[strspn(p->at, MODIFIER_LETTERS)];

	return !event_parse_is_word_char(next) && next != ':' && next != '/';
}

/*
 * Takes the text after "mem:". Access letters and modifiers may share a word (rwu), as they always
 * could.
 */
static int take_breakpoint(struct event_parser *p, struct event_node *node)
{
	node->syntax = EVENT_SYNTAX_BREAKPOINT;

	int r = event_parse_take_number(p, "the address", &node->address);

	if (r < 0)
		return r;
	if (*p->at == '/' && isdigit((unsigned char)p->at[1])) {
		p->at++;
		r = event_parse_take_number(p, "the length", &node->breakpoint_size);
		if (r < 0)
			return r;
	}
	if (*p->at == ':' && strspn(p->at + 1, "rwx")) {
		const char *start = ++p->at;

		p->at += strspn(start, "rwx");
		node->access = event_parse_copy(p, span_from(p, start));
		for (const char *c = start; c < p->at; c++)
			if (memchr(start, *c, (size_t)(c - start)))
				return event_parse_wrong(p, c, 1, "'%c' is given twice", *c);
		if (event_parse_is_word_char(*p->at))
			return take_modifiers(p, &node->modifiers, &node->modifiers_span);
	}
	return take_tail(p, node);
}

static int take_numeric(struct event_parser *p, struct event_node *node, struct text_span type)
{
	_cleanup_(freep) char *word = event_parse_copy(p, type);

	node->syntax = EVENT_SYNTAX_NUMERIC;
	if (number_parse(word, &node->type) < 0 || node->type > UINT32_MAX)
		return event_parse_wrong(p, p->text + type.at, type.length,
					 "an event type is a number of 32 bits");
	if (!isdigit((unsigned char)*p->at))
		return event_parse_wrong(p, p->at, *p->at ? 1 : 0,
					 "type:config needs a number after the colon");

	int r = event_parse_take_number(p, "the config", &node->config);

	node->name_span.length = event_parse_offset(p, p->at) - type.at;
	return r < 0 ? r : take_tail(p, node);
}

/* True for names of libpfm4, which are in capitals; those of tracepoints never are. */
static bool is_of_pfm(const struct event_parser *p, struct text_span word)
{
	bool capitals = false;

	for (size_t i = 0; i < word.length; i++) {
		if (islower((unsigned char)p->text[word.at + i]))
			return false;
		capitals |= isupper((unsigned char)p->text[word.at + i]) != 0;
	}
	return capitals;
}

/*
 * Takes the further parts of libpfm4's names: the event after its PMU (skl::EVENT), more unit masks
 * (EVENT:MASK:MASK) and its own modifiers with values (c=1).
 */
static void take_pfm_parts(struct event_parser *p, struct text_span *name)
{
	while (*p->at == ':' && event_parse_is_word_char(p->at[1])) {
		const char *colon = p->at++;

		if (name->length && at_modifiers(p)) {
			p->at = colon;
			return;
		}
		event_parse_take_word(p);
		if (*p->at == '=' && isdigit((unsigned char)p->at[1])) {
			p->at++;
			event_parse_take_word(p);
		}
		name->length = event_parse_offset(p, p->at) - name->at;
	}
}

static int event_parse_take_tracepoint(struct event_parser *p, struct event_node *node,
				       struct text_span system)
{
	const char *start = p->at;
	struct text_span name = event_parse_take_word(p);

	if (!name.length || is_of_pfm(p, system))
		take_pfm_parts(p, &name);
	if (!name.length)
		return event_parse_wrong(p, start, *start ? 1 : 0,
					 "a modifier or a tracepoint's name is missing after ':'");
	node->syntax = EVENT_SYNTAX_TRACEPOINT;
	node->system = event_parse_copy(p, system);
	node->name = event_parse_copy(p, name);
	node->name_span = (struct text_span){ system.at, name.at + name.length - system.at };
	return take_tail(p, node);
}

/*
 * Returns the end of the path that starts here: after the first ".c" or ".o" that ends a name.
 * NULL: it is not the path of a BPF source or object.
 */
static const char *bpf_path_end(const char *start)
{
	size_t n = strcspn(start, ",{}=:\" \t\n");

	for (size_t i = 1; i + 2 <= n; i++) {
		const char *end = start + i + 2;

		if (start[i] == '.' && (start[i + 1] == 'c' || start[i + 1] == 'o') &&
		    (end == start + n || *end == '/' || *end == ':'))
			return end;
	}
	return NULL;
}

/* True if there is a path, with any ending. "./x" and "/x" can be nothing else. */
static bool at_path(const char *at)
{
	return *at == '/' || (*at == '.' && (at[1] == '/' || at[1] == '.'));
}

/* Takes a BPF source or object with its terms. 0: there is none here; 1: taken. */
static int take_bpf(struct event_parser *p, struct event_node *node)
{
	const char *start = p->at, *end = bpf_path_end(start);

	if (!end && !at_path(start))
		return 0;
	if (!end)
		return event_parse_wrong(
			p, start, strcspn(start, ",{} \t\n"),
			"a BPF program as an event is a file that ends in .c or .o");
	p->at = end;
	node->syntax = EVENT_SYNTAX_BPF;
	node->name_span = span_from(p, start);
	node->name = event_parse_copy(p, node->name_span);

	int r = take_tail(p, node);

	return r < 0 ? r : 1;
}

static bool event_parse_all_digits(const struct event_parser *p, struct text_span s)
{
	return s.length && isdigit((unsigned char)p->text[s.at]) &&
	       (s.length == strspn(p->text + s.at, "0123456789") ||
		!strncasecmp(p->text + s.at, "0x", 2));
}

static int missing_event(struct event_parser *p)
{
	if (!*p->at)
		return event_parse_wrong(p, p->at, 0, "an event is missing here");
	if (*p->at == '{')
		return event_parse_wrong(p, p->at, 1, "groups cannot be nested");
	return event_parse_wrong(p, p->at, 1, "an event cannot begin with '%c'", *p->at);
}

static int take_event_kind(struct event_parser *p, struct event_node *node)
{
	int bpf = take_bpf(p, node);

	if (bpf)
		return bpf < 0 ? bpf : 0;
	/* "%sdt_x:y" was once needed to name an SDT event; the sign no longer has a meaning. */
	if (*p->at == '%' && event_parse_is_word_char(p->at[1]))
		p->at++;

	if (!event_parse_is_word_char(*p->at) || *p->at == '.')
		return missing_event(p);

	struct text_span word = event_parse_take_word(p);

	node->name_span = word;

	const char *after = p->at;

	if (event_parse_take(p, ':')) {
		p->at = text_skip_blanks(p->at);
		if (word.length == 3 && !memcmp(p->text + word.at, "mem", 3))
			return take_breakpoint(p, node);
		if (event_parse_all_digits(p, word))
			return take_numeric(p, node, word);
		if (!at_modifiers(p))
			return event_parse_take_tracepoint(p, node, word);
		p->at = after;
	}
	node->name = event_parse_copy(p, word);

	int r = take_tail(p, node);

	node->syntax = node->slashes ? EVENT_SYNTAX_PMU : EVENT_SYNTAX_WORD;
	return r;
}

static int event_parse_take_event(struct event_parser *p, struct event_node *node)
{
	p->at = text_skip_blanks(p->at);

	const char *start = p->at;
	int r = take_event_kind(p, node);

	node->span = span_from(p, start);
	/* Blanks were skipped in search of more text: they are not part of the event. */
	while (node->span.length &&
	       isspace((unsigned char)p->text[node->span.at + node->span.length - 1]))
		node->span.length--;
	return r;
}

/* Takes a group, after the opening brace. */
static int take_group(struct event_parser *p, struct event_item *item, const char *open)
{
	int r;

	item->group = true;
	do {
		r = event_parse_take_event(p, ARRAY_ADD(item));
	} while (r >= 0 && event_parse_take(p, ','));
	if (r < 0)
		return r;
	if (!event_parse_take(p, '}'))
		return *p->at ? event_parse_wrong(p, p->at, 1, "expected ',' or '}' here")
			      : event_parse_wrong(p, open, 1, "this '{' is never closed");
	if (!event_parse_take(p, ':'))
		return 0;
	r = take_modifiers(p, &item->modifiers, &item->modifiers_span);
	if (r >= 0 && !item->modifiers[0])
		return event_parse_wrong(p, p->at, *p->at ? 1 : 0,
					 "the group's modifiers are missing");
	return r;
}

/* True for "name {": a word, then an opening brace. */
static bool at_named_group(struct event_parser *p, struct text_span *ret_name)
{
	struct event_parser ahead = *p;

	*ret_name = event_parse_take_word(&ahead);
	if (!event_parse_take(&ahead, '{'))
		return false;
	p->at = ahead.at;
	return true;
}

static int event_parse_take_item(struct event_parser *p, struct event_item *item)
{
	struct text_span name;

	p->at = text_skip_blanks(p->at);
	if (!at_named_group(p, &name))
		return event_parse_take_event(p, ARRAY_ADD(item));
	if (name.length)
		item->group_name = event_parse_copy(p, name);
	return take_group(p, item, p->at - 1);
}

int event_ast_parse(const char *text, struct event_ast *ret, struct diag *diag)
{
	struct event_ast ast = { .source = xstrdup(text) };
	struct event_parser p = { .text = ast.source, .at = ast.source, .diag = diag };
	int r;

	do {
		r = event_parse_take_item(&p, ARRAY_ADD(&ast));
	} while (r >= 0 && event_parse_take(&p, ','));
	if (r >= 0 && *p.at)
		r = event_parse_wrong(&p, p.at, 1, "expected ',' or the end here");
	if (r < 0) {
		event_ast_done(&ast);
		return r;
	}
	*ret = ast;
	return 0;
}

static void event_node_done(struct event_node *node)
{
	for (size_t i = 0; i < node->n_terms; i++) {
		free(node->terms[i].name);
		free(node->terms[i].value);
	}
	free(node->terms);
	free(node->name);
	free(node->system);
	free(node->access);
	free(node->modifiers);
}

void event_ast_done(struct event_ast *ast)
{
	for (size_t i = 0; i < ast->n; i++) {
		struct event_item *item = &ast->items[i];

		for (size_t j = 0; j < item->n; j++)
			event_node_done(&item->items[j]);
		free(item->items);
		free(item->group_name);
		free(item->modifiers);
	}
	free(ast->items);
	free(ast->source);
	*ast = (struct event_ast){ 0 };
}
