/* SPDX-License-Identifier: MIT */
#include "cli/option-sift.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "cli/option.h"

struct sieve {
	const struct option *own, *other;
	char *const *next;
	size_t n_own, n_rest, n_pool;
	struct sifted_words *w;
};

/* The meaning of a word; without an option, the table does not know it. */
struct option_sift_meaning {
	const struct option *option;
	bool negated;
};

static void option_sift_give(struct sieve *s, bool own, const char *word)
{
	if (own)
		s->w->own[s->n_own++] = (char *)word;
	else
		s->w->rest[s->n_rest++] = (char *)word;
}

static bool needs_value(const struct option *o)
{
	if (o->kind == OPTION_NOTHING)
		return o->arg;
	return o->kind >= OPTION_INT && !(o->flags & OPTION_NO_VALUE);
}

/* True if the word after @m is its value. */
static bool takes_next(const struct option_sift_meaning *m, const char *next)
{
	if (!m->option || m->negated || !next || !needs_value(m->option))
		return false;
	if (!(m->option->flags & OPTION_OPTIONAL))
		return true;
	return m->option->takes && m->option->takes(next);
}

static const struct option *by_letter(const struct option *table, char letter)
{
	for (const struct option *o = table; o->kind != OPTION_END; o++) {
		const struct option *found = o->kind == OPTION_SET ? by_letter(o->sub, letter)
					     : o->letter == letter ? o
								   : NULL;

		if (found)
			return found;
	}
	return NULL;
}

struct option_sift_prefix {
	const char *typed;
	size_t n;
	const struct option *found;
};

static void look_for_prefix(const struct option *o, void *arg)
{
	struct option_sift_prefix *p = arg;

	if (!p->found && o->name && !strncmp(o->name, p->typed, p->n))
		p->found = o;
}

static struct option_sift_meaning option_sift_by_name(const struct option *table, const char *name)
{
	struct option_sift_meaning m = { .option = option_find(table, name) };

	if (!m.option && !strncmp(name, "no-", 3)) {
		m.option = option_find(table, name + 3);
		m.negated = m.option;
	}
	return m;
}

static struct option_sift_meaning by_prefix(const struct option *table, const char *name)
{
	struct option_sift_meaning m = { .negated = !strncmp(name, "no-", 3) };
	struct option_sift_prefix p = { .typed = name + (m.negated ? 3 : 0) };

	p.n = strlen(p.typed);
	if (p.n)
		option_for_each(table, look_for_prefix, &p);
	m.option = p.found;
	return m;
}

static void sift_long(struct sieve *s, const char *word)
{
	const char *equals = strchr(word, '=');
	size_t n = equals ? (size_t)(equals - word) - 2 : strlen(word) - 2;
	_cleanup_(freep) char *name = xstrndup(word + 2, n);
	struct option_sift_meaning mine = option_sift_by_name(s->own, name),
				   theirs = option_sift_by_name(s->other, name);
	bool own;

	if (!mine.option && !theirs.option) {
		mine = by_prefix(s->own, name);
		theirs = by_prefix(s->other, name);
	}
	own = mine.option;
	option_sift_give(s, own, word);
	if (!equals && takes_next(own ? &mine : &theirs, *s->next))
		option_sift_give(s, own, *s->next++);
}

/* Makes a word of one of the letters "-abc": "-a", "-b", "-c". */
static const char *letter_word(struct sieve *s, char letter, const char *value)
{
	char *word = s->w->pool + s->n_pool;
	size_t n = strlen(value);

	word[0] = '-';
	word[1] = letter;
	memcpy(word + 2, value, n + 1);
	s->n_pool += n + 3;
	return word;
}

static void sift_letters(struct sieve *s, const char *word)
{
	for (const char *c = word + 1; *c; c++) {
		struct option_sift_meaning m = { .option = by_letter(s->own, *c) };
		bool own = m.option || *c == 'h';
		const char *attached = c + 1;

		if (!own)
			m.option = by_letter(s->other, *c);
		/* An unknown letter is reported as it was typed. */
		if (!own && !m.option) {
			option_sift_give(s, false, letter_word(s, *c, attached));
			return;
		}
		if (m.option && *attached && takes_next(&m, attached)) {
			option_sift_give(s, own, letter_word(s, *c, attached));
			return;
		}
		option_sift_give(s, own, letter_word(s, *c, ""));
		if (!*attached && takes_next(&m, *s->next))
			option_sift_give(s, own, *s->next++);
	}
}

/* True for the old spelling -stdio. */
static bool has_one_dash(const struct option *table, const char *word)
{
	const struct option *o = option_find(table, word + 1);

	return o && o->flags & OPTION_ONE_DASH;
}

/* True for the words that every command answers itself. */
static bool is_common(const char *word)
{
	return !strcmp(word, "--help") || !strcmp(word, "--list-opts") ||
	       !strcmp(word, "--dump-opts") || !strcmp(word, "--list-cmds") ||
	       !strncmp(word, "--color", 7);
}

static void sift_word(struct sieve *s, const char *word)
{
	if (is_common(word))
		option_sift_give(s, true, word);
	else if (word[1] == '-')
		sift_long(s, word);
	else if (has_one_dash(s->other, word))
		option_sift_give(s, false, word);
	else
		sift_letters(s, word);
}

static void sift_init(struct sieve *s)
{
	size_t n = 0, letters = 0;

	for (char *const *w = s->next; *w; w++, n++)
		letters += strlen(*w);
	/* Letters that were typed together become words of two letters and a NUL each. */
	*s->w = (struct sifted_words){ .own = xcalloc(n + letters + 1, sizeof(char *)),
				       .rest = xcalloc(n + letters + 1, sizeof(char *)),
				       .pool = xcalloc(3 * (letters + 1), 1) };
}

void option_sift(const struct option *own, const struct option *other, char *const *words,
		 bool workload, struct sifted_words *ret)
{
	struct sieve s = { .own = own, .other = other, .next = words, .w = ret };

	sift_init(&s);
	while (*s.next) {
		const char *word = *s.next;

		if (!strcmp(word, "--") || (workload && (word[0] != '-' || !word[1])))
			break;
		s.next++;
		if (word[0] != '-' || !word[1])
			option_sift_give(&s, false, word);
		else
			sift_word(&s, word);
	}
	while (*s.next)
		option_sift_give(&s, false, *s.next++);
}

void sifted_words_done(struct sifted_words *w)
{
	free(w->own);
	free(w->rest);
	free(w->pool);
}
