/* SPDX-License-Identifier: MIT */
#include "cli/option.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/number.h"
#include "base/similar.h"
#include "base/text.h"

#define NEEDS_VALUE "requires a value"

/* An option and the struct to which its offset applies (which differs for included sets). */
struct option_match {
	const struct option *option;
	char *base;
	bool negated;
	bool by_letter; /* typed as a switch: -F, and not --freq */
};

/*
 * The state of parsing. The tables are searched again for each word: they are short, and there is
 * no state to keep.
 */
struct option_parser {
	const struct option *table;
	char *opts;
	char **next; /* the remaining words */
	struct option_line *line;
	const struct option *exclusive; /* the one that was given, or NULL */
	struct option_match waiting;    /* the last OPTION_LATER without a value */
	enum option_result result;
	struct diag *diag;
};

static bool takes_value(const struct option *o)
{
	if (o->kind == OPTION_NOTHING)
		return o->arg;
	return o->kind >= OPTION_INT && !(o->flags & OPTION_NO_VALUE);
}

static bool can_negate(const struct option *o)
{
	return o->name && !(o->flags & OPTION_NO_NEGATION);
}

/* Replaces '_' by '-': "--show_nr_samples" is "--show-nr-samples". */
static char option_fold(char c)
{
	return c == '_' ? '-' : c;
}

static bool name_begins(const char *name, const char *typed, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!name[i] || option_fold(name[i]) != option_fold(typed[i]))
			return false;
	return true;
}

static bool name_equals(const char *name, const char *typed, size_t n)
{
	return strlen(name) == n && name_begins(name, typed, n);
}

static bool find_letter(const struct option *table, char *base, char letter,
			struct option_match *ret)
{
	for (const struct option *o = table; o->kind != OPTION_END; o++) {
		if (o->kind == OPTION_SET) {
			if (find_letter(o->sub, base + o->offset, letter, ret))
				return true;
		} else if (o->letter == letter) {
			*ret = (struct option_match){ o, base, false, true };
			return true;
		}
	}
	return false;
}

/*
 * The degree to which a typed long name matches one option: not, as a beginning, or exactly; plain
 * or negated.
 */
enum fit {
	FIT_NONE,
	FIT_PREFIX,
	FIT_EXACT
};

static enum fit fit_to(const char *name, const char *typed, size_t n)
{
	return name_equals(name, typed, n)   ? FIT_EXACT
	       : name_begins(name, typed, n) ? FIT_PREFIX
					     : FIT_NONE;
}

static enum fit option_fit(const struct option *o, const char *typed, size_t n, bool *ret_negated)
{
	enum fit best = fit_to(o->name, typed, n);

	*ret_negated = false;
	if (best != FIT_NONE || !can_negate(o))
		return best;
	*ret_negated = true;
	/* An option whose own name is no-x is negated by --x, and by --no-no-x. */
	if (!strncmp(o->name, "no-", 3))
		best = fit_to(o->name + 3, typed, n);
	if (best != FIT_NONE)
		return best;
	if (n > 3 && name_begins("no-", typed, 3))
		return fit_to(o->name, typed + 3, n - 3);
	return FIT_NONE;
}

struct option_search {
	const char *typed;
	size_t n;
	struct option_match exact, prefix;
	struct option_match other; /* a second option that the prefix matches */
};

/*
 * Adds a match by prefix. A plain match has priority over a negated one: --sam is not
 * --no-no-samples.
 */
static void option_add_prefix(struct option_search *s, struct option_match m)
{
	if (m.option->flags & (OPTION_HIDDEN | OPTION_WHOLE))
		return;
	if (!s->prefix.option || (s->prefix.negated && !m.negated)) {
		s->prefix = m;
		s->other.option = NULL;
	} else if (!s->other.option && s->prefix.negated == m.negated) {
		s->other = m;
	}
}

static void search_name(struct option_search *s, const struct option *table, char *base)
{
	for (const struct option *o = table; o->kind != OPTION_END; o++) {
		bool negated;

		if (o->kind == OPTION_SET) {
			search_name(s, o->sub, base + o->offset);
			continue;
		}
		if (!o->name)
			continue;

		enum fit how = option_fit(o, s->typed, s->n, &negated);
		struct option_match m = { o, base, negated, false };

		if (how == FIT_EXACT && (!s->exact.option || s->exact.negated))
			s->exact = m;
		else if (how == FIT_PREFIX)
			option_add_prefix(s, m);
	}
}

static void option_suggest(const struct option *o, void *arg)
{
	if (o->name && !(o->flags & OPTION_HIDDEN))
		similar_add(arg, o->name);
}

static void suggest_negated(const struct option *o, void *arg)
{
	if (can_negate(o))
		option_suggest(o, arg);
}

static int unknown_option(struct option_parser *p, const char *name)
{
	int r = diag_set(p->diag, -EINVAL, "unknown option `%s'", name);
	/* --no-childern is similar to --no-children, and not to --children. */
	const char *no = !strncmp(name, "no-", 3) ? "no-" : "";
	struct similar near = { .typed = name + strlen(no) };
	struct text t = TEXT_EMPTY;

	option_for_each(p->table, *no ? suggest_negated : option_suggest, &near);
	if (!near.n && *no) {
		near.typed = name;
		no = "";
		option_for_each(p->table, option_suggest, &near);
	}
	for (size_t i = 0; i < near.n; i++)
		text_addf(&t, "%s--%s%s",
			  !i                ? ""
			  : i + 1 == near.n ? " or "
					    : ", ",
			  no, near.best[i].name);
	if (near.n)
		diag_hint(p->diag, "Did you mean %s?", t.chars);
	text_done(&t);
	return r;
}

/* Reports "switch `F' WHAT" or "option `freq' WHAT", as the option was typed. */
static int option_refuse(struct option_parser *p, const struct option_match *m, const char *what)
{
	const struct option *o = m->option;

	if (m->by_letter)
		return diag_set(p->diag, -EINVAL, "switch `%c' %s", o->letter, what);
	return diag_set(p->diag, -EINVAL, "option `%s' %s", o->name, what);
}

static int bad_value(struct option_parser *p, const struct option_match *m, const char *value,
		     int why)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_addf(&t, "expects a numerical value%s, not '%s'%s",
		  m->option->kind == OPTION_INT ? "" : " from 0 up", value,
		  why == -ERANGE ? " (too large)" : "");
	return option_refuse(p, m, t.chars);
}

/* Rejects two exclusive options; the same one twice is permitted. */
static int check_exclusive(struct option_parser *p, const struct option_match *m)
{
	const struct option *o = m->option, *other = p->exclusive;

	if (!(o->flags & OPTION_EXCLUSIVE) || m->negated)
		return 0;
	p->exclusive = o;
	if (!other || other == o)
		return 0;
	if (m->by_letter && other->letter)
		return diag_set(p->diag, -EINVAL, "switch `%c' cannot be used with switch `%c'",
				o->letter, other->letter);
	return diag_set(p->diag, -EINVAL, "option `%s' cannot be used with %s", o->name,
			other->name);
}

static void add_ignored(struct option_line *l, const struct option *o)
{
	for (size_t i = 0; i < l->n_ignored; i++)
		if (l->ignored[i] == o)
			return;
	if (l->n_ignored < OPTION_IGNORED_MAX)
		l->ignored[l->n_ignored++] = o;
}

static int option_store(struct option_parser *p, const struct option_match *m, const char *value)
{
	const struct option *o = m->option;
	void *field = m->base + o->offset;
	int r;

	p->line->about = o;
	r = check_exclusive(p, m);
	if (r < 0)
		return r;
	if (m->negated)
		value = NULL;
	if (o->flags & OPTION_QUIETS)
		p->line->quiet = !m->negated;
	switch (o->kind) {
	case OPTION_FLAG:
		*(bool *)field = !m->negated;
		break;
	case OPTION_CHOICE:
		*(enum choice *)field = m->negated ? CHOICE_NO : CHOICE_YES;
		break;
	case OPTION_COUNT:
		*(unsigned *)field = m->negated ? 0 : *(unsigned *)field + 1;
		break;
	case OPTION_INT:
		r = number_parse_signed(value ? value : "0", field);
		break;
	case OPTION_UINT:
		r = number_parse(value ? value : "0", field);
		break;
	case OPTION_STRING:
		*(const char **)field = value;
		break;
	case OPTION_CALL:
		return o->set(field, o, value, m->negated, p->diag);
	case OPTION_NOTHING:
		if (o->without_effect && !m->negated)
			add_ignored(p->line, o);
		break;
	default:
		break;
	}
	return r < 0 ? bad_value(p, m, value, r) : 0;
}

/* Stores the value of @m: attached to it, or the next word, or the default for a missing one. */
static int store_with_value(struct option_parser *p, const struct option_match *m,
			    const char *attached)
{
	const struct option *o = m->option;
	const char *value = attached;

	p->line->about = o;
	if (!takes_value(o) || m->negated)
		return option_store(p, m, NULL);
	if (!value && (o->flags & OPTION_OPTIONAL)) {
		if (o->takes && *p->next && o->takes(*p->next))
			value = *p->next++;
		else
			value = o->missing;
		if (value == o->missing && o->flags & OPTION_LATER)
			p->waiting = *m;
		return option_store(p, m, value);
	}
	if (!value)
		value = *p->next ? *p->next++ : NULL;
	return value ? option_store(p, m, value) : option_refuse(p, m, NEEDS_VALUE);
}

static int parse_long(struct option_parser *p, const char *word)
{
	const char *equals = strchr(word, '=');
	size_t n = equals ? (size_t)(equals - word) : strlen(word);
	struct option_search s = { .typed = word, .n = n };

	search_name(&s, p->table, p->opts);

	struct option_match m = s.exact.option ? s.exact : s.prefix;
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)(n < 60 ? n : 60), word);
	if (!m.option || !n)
		return unknown_option(p, name);
	if (!s.exact.option && s.other.option)
		return diag_set(p->diag, -EINVAL,
				"ambiguous option: %s (could be --%s%s or --%s%s)", name,
				s.prefix.negated ? "no-" : "", s.prefix.option->name,
				s.other.negated ? "no-" : "", s.other.option->name);
	if (equals && (!takes_value(m.option) || m.negated)) {
		p->line->about = m.option;
		return diag_set(p->diag, -EINVAL, "option `%s' takes no value", name);
	}
	return store_with_value(p, &m, equals ? equals + 1 : NULL);
}

static int unknown_letter(struct option_parser *p, const char *word, const char *at)
{
	int r = isprint((unsigned char)*at) ? diag_set(p->diag, -EINVAL, "unknown switch `%c'", *at)
					    : diag_set(p->diag, -EINVAL, "unknown switch '\\x%02x'",
						       (unsigned char)*at);

	/* -verbose: the user probably meant --verbose. */
	if (at == word && word[1] && option_find(p->table, word))
		diag_hint(p->diag, "Did you mean --%s?", word);
	/* -g=dwarf */
	if (at > word && *at == '=')
		diag_hint(p->diag, "-%c takes no value.", at[-1]);
	return r;
}

/* True if the text attached to a letter is its value ("-x,") and not the next letter ("-ag"). */
static bool is_value(const struct option *o, const char *attached)
{
	if (!takes_value(o))
		return false;
	return !(o->flags & OPTION_OPTIONAL) || !o->takes || !*attached || o->takes(attached);
}

/* Parses one word of bundled letters: -ag, -nv, -F99, -x, */
static int parse_letters(struct option_parser *p, const char *word)
{
	for (const char *c = word; *c; c++) {
		struct option_match m;
		int r;

		if (!find_letter(p->table, p->opts, *c, &m)) {
			if (*c != 'h')
				return unknown_letter(p, word, c);
			p->result = OPTION_RESULT_HELP;
			return 0;
		}
		if (is_value(m.option, c + 1))
			return store_with_value(p, &m, c[1] ? c + 1 : NULL);
		r = option_store(p, &m, takes_value(m.option) ? m.option->missing : NULL);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Parses the words that every command understands, independently of its table. */
static bool parse_common(struct option_parser *p, const char *word)
{
	static const struct {
		const char *word;
		enum option_result result;
	} common[] = {
		{ "--help", OPTION_RESULT_MANUAL },
		{ "--list-opts", OPTION_RESULT_LIST_OPTS },
		{ "--dump-opts", OPTION_RESULT_DUMP_OPTS },
		{ "--list-cmds", OPTION_RESULT_LIST_CMDS },
	};

	/* perf itself has --list-cmds as an option of its own. */
	for (size_t i = 0; i < ARRAY_SIZE(common); i++) {
		if (!strcmp(word, common[i].word) && !option_find(p->table, word + 2)) {
			p->result = common[i].result;
			return true;
		}
	}
	return false;
}

static int option_parse_word(struct option_parser *p, const char *word)
{
	if (parse_common(p, word))
		return 0;
	if (word[1] == '-')
		return parse_long(p, word + 2);

	const struct option *old = option_find(p->table, word + 1);

	if (old && (old->flags & OPTION_ONE_DASH))
		return parse_long(p, word + 1);
	return parse_letters(p, word + 1);
}

int option_parse(const struct option *table, void *opts, char **argv, enum option_stop stop,
		 struct option_line *ret_line, struct diag *diag)
{
	struct option_parser p = {
		.table = table, .opts = opts, .next = argv, .line = ret_line, .diag = diag
	};
	int argc = 0;

	*ret_line = (struct option_line){ 0 };
	while (*p.next && p.result == OPTION_RESULT_OK) {
		char *word = *p.next++;

		if (word[0] != '-' || !word[1]) {
			argv[argc++] = word;
			if (stop == OPTION_STOP_POSITIONAL)
				break;
			continue;
		}
		if (!strcmp(word, "--"))
			break;
		ret_line->about = NULL;
		if (option_parse_word(&p, word) < 0)
			return -EINVAL;
	}
	while (*p.next)
		argv[argc++] = *p.next++;
	argv[argc] = NULL;
	ret_line->argc = argc;
	if (p.waiting.option && !argc && p.result == OPTION_RESULT_OK) {
		ret_line->about = p.waiting.option;
		return option_refuse(&p, &p.waiting, NEEDS_VALUE);
	}
	return (int)p.result;
}

void option_for_each(const struct option *table, void (*fn)(const struct option *o, void *arg),
		     void *arg)
{
	for (const struct option *o = table; o->kind != OPTION_END; o++) {
		if (o->kind == OPTION_SET)
			option_for_each(o->sub, fn, arg);
		else
			fn(o, arg);
	}
}

const struct option *option_find(const struct option *table, const char *name)
{
	for (const struct option *o = table; o->kind != OPTION_END; o++) {
		const struct option *found = NULL;

		if (o->kind == OPTION_SET)
			found = option_find(o->sub, name);
		else if (o->name && name_equals(o->name, name, strlen(name)))
			found = o;
		if (found)
			return found;
	}
	return NULL;
}
