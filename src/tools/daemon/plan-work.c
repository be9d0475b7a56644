/* SPDX-License-Identifier: MIT */
#include "tools/daemon/plan-work.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/similar.h"
#include "base/text.h"

#define PREFIX "session-"

/*
 * The data that a session may keep is divided into this number of files, if its line does not say
 * otherwise.
 */
#define PIECES 16

/*
 * The least size and time of a file. A file that is switched more often consists mostly of its
 * header.
 */
#define PIECE_BYTES_MIN (1 << 20)
#define PIECE_S_MIN     10

static void session_plan_done(struct daemon_session_plan *s)
{
	free(s->name);
	free(s->run);
	free(s->origin);
	daemon_words_done(&s->words);
}

void daemon_plan_done(struct daemon_plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		session_plan_done(&p->items[i]);
	free(p->items);
	free(p->base);
	*p = (struct daemon_plan){ 0 };
}

const struct daemon_session_plan *daemon_plan_find(const struct daemon_plan *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->items[i].name, name))
			return &p->items[i];
	return NULL;
}

bool daemon_name_is_valid(const char *name)
{
	size_t n = 0;

	for (; name[n]; n++)
		if (n == DAEMON_NAME_MAX ||
		    (!isalnum((unsigned char)name[n]) && name[n] != '-' && name[n] != '_'))
			return false;
	return n > 0;
}

int daemon_parse_time(const char *text, uint64_t *ret_s)
{
	static const struct {
		char unit;
		uint64_t seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	size_t digits = strspn(text, "0123456789");
	_cleanup_(freep) char *number = xstrndup(text, digits);
	uint64_t n;
	int r = number_parse(number, &n);

	if (r < 0)
		return r;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (units[i].unit != text[digits] || text[digits + 1])
			continue;
		if (!n || n > INT64_MAX / units[i].seconds)
			return -ERANGE;
		*ret_s = n * units[i].seconds;
		return 0;
	}
	return -EINVAL;
}

/* Marks @length characters at @offset of the value. */
static int daemon_plan_refuse(struct diag *diag, const struct daemon_setting *s, size_t offset,
			      size_t length, const char *what)
{
	return diag_mark(diag, -EINVAL, s->value, offset, length, "%s:%u:%zu: %s.%s: %s", s->origin,
			 s->line, s->column + offset, s->section, s->name, what);
}

static int daemon_plan_take_text(char **field, const struct daemon_setting *s, struct diag *diag)
{
	if (!*s->value)
		return daemon_plan_refuse(diag, s, 0, 0, "there is nothing after the =");
	free(*field);
	*field = xstrdup(s->value);
	return 0;
}

static int daemon_plan_take_size(uint64_t *field, const struct daemon_setting *s, struct diag *diag)
{
	uint64_t bytes;
	int r = number_parse_size(s->value, &bytes);

	if (r >= 0 && bytes >= PIECE_BYTES_MIN) {
		*field = bytes;
		return 0;
	}
	r = daemon_plan_refuse(diag, s, 0, strlen(s->value), "this is not a size of 1M or more");
	diag_hint(diag, "A size is a number with B, K, M or G behind it: 1G");
	return r;
}

static int daemon_plan_take_time(uint64_t *field, const struct daemon_setting *s, struct diag *diag)
{
	int r = daemon_parse_time(s->value, field);

	if (r >= 0)
		return 0;
	r = daemon_plan_refuse(diag, s, 0, strlen(s->value), "this is not a time");
	diag_hint(diag, "A time is a number with s, m, h or d after it: 2h");
	return r;
}

static int daemon_plan_take_run(struct daemon_session_plan *p, const struct daemon_setting *s,
				struct diag *diag)
{
	size_t at = 0;
	int r = daemon_plan_take_text(&p->run, s, diag);

	if (r < 0)
		return r;
	daemon_words_done(&p->words);
	r = daemon_words_split(&p->words, p->run, &at);
	if (r == -E2BIG)
		return daemon_plan_refuse(diag, s, at, 0, "this line has too many words");
	if (r >= 0 && !p->words.n)
		return daemon_plan_refuse(diag, s, 0, 0, "there are no words between the quotes");
	return r < 0 ? daemon_plan_refuse(diag, s, at, 1, "this quote has no end") : 0;
}

/* Refuses a name that is not one of @known, which ends with NULL. */
static int daemon_plan_refuse_name(struct diag *diag, const struct daemon_setting *s,
				   const char *const *known)
{
	struct similar similar = { .typed = s->name };
	_cleanup_(freep) char *phrase = NULL;
	_cleanup_(text_done) struct text names = TEXT_EMPTY;

	for (; *known; known++) {
		similar_add(&similar, *known);
		text_addf(&names, "%s%s", names.length ? ", " : "", *known);
	}
	diag_mark(diag, -EINVAL, s->name, 0, strlen(s->name), "%s:%u: [%s] has no variable '%s'",
		  s->origin, s->line, s->section, s->name);
	phrase = similar_phrase(&similar);
	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	else
		diag_hint(diag, "It has %s.", names.chars);
	return -EINVAL;
}

static int add_daemon(struct daemon_plan *p, const struct daemon_setting *s, struct diag *diag)
{
	static const char *const known[] = { "base", "max-size", NULL };

	if (!strcasecmp(s->name, "base"))
		return daemon_plan_take_text(&p->base, s, diag);
	if (!strcasecmp(s->name, "max-size"))
		return daemon_plan_take_size(&p->max_bytes, s, diag);
	return daemon_plan_refuse_name(diag, s, known);
}

static int refuse_session(struct diag *diag, const struct daemon_setting *s, size_t length)
{
	diag_mark(diag, -EINVAL, s->section, strlen(PREFIX), length,
		  "%s:%u: '%s' is not a name for a session: it becomes the name of a folder",
		  s->origin, s->line, s->section + strlen(PREFIX));
	diag_hint(diag, "A name has up to %d letters, digits, - and _.", DAEMON_NAME_MAX);
	return -EINVAL;
}

/* Finds the session of @s, which is added if it is new. */
static int daemon_plan_session_of(struct daemon_plan *p, const struct daemon_setting *s,
				  struct daemon_session_plan **ret, struct diag *diag)
{
	const char *name = s->section + strlen(PREFIX);
	struct daemon_session_plan *session;

	if (!daemon_name_is_valid(name))
		return refuse_session(diag, s, strlen(name));
	session = (struct daemon_session_plan *)daemon_plan_find(p, name);
	if (!session && p->n == DAEMON_SESSIONS_MAX)
		return diag_set(diag, -E2BIG, "%s:%u: more than %d sessions", s->origin, s->line,
				DAEMON_SESSIONS_MAX);
	if (!session) {
		session = ARRAY_ADD(p);
		session->name = xstrdup(name);
		session->origin = xstrdup(s->origin);
		session->line = s->line;
	}
	*ret = session;
	return 0;
}

static int daemon_plan_add_session(struct daemon_plan *p, const struct daemon_setting *s,
				   struct diag *diag)
{
	static const char *const known[] = { "run", "keep", "max-size", NULL };
	struct daemon_session_plan *session = NULL;
	int r = daemon_plan_session_of(p, s, &session, diag);

	if (r < 0)
		return r;
	if (!strcasecmp(s->name, "run"))
		return daemon_plan_take_run(session, s, diag);
	if (!strcasecmp(s->name, "keep"))
		return daemon_plan_take_time(&session->keep_s, s, diag);
	if (!strcasecmp(s->name, "max-size"))
		return daemon_plan_take_size(&session->max_bytes, s, diag);
	return daemon_plan_refuse_name(diag, s, known);
}

int daemon_plan_add(struct daemon_plan *p, const struct daemon_setting *s, struct diag *diag)
{
	if (!strcmp(s->section, "daemon"))
		return add_daemon(p, s, diag);
	if (!strncmp(s->section, PREFIX, strlen(PREFIX)))
		return daemon_plan_add_session(p, s, diag);
	return 0;
}

/*
 * True if the line has the option @name, before a `--`, and before words of a workload that may
 * look like it.
 */
static bool daemon_plan_has_option(const struct daemon_words *w, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < w->n && strcmp(w->items[i], "--"); i++)
		if (!strncmp(w->items[i], name, length) &&
		    (w->items[i][length] == '\0' || w->items[i][length] == '='))
			return true;
	return false;
}

/* Puts @word, which @w then owns, in front. */
static void put_first(struct daemon_words *w, char *word)
{
	w->items = array_reserve(w->items, &w->room, w->n + 2, sizeof(w->items[0]));
	memmove(&w->items[1], &w->items[0], (w->n + 1) * sizeof(w->items[0]));
	w->items[0] = word;
	w->n++;
}

/* Returns the smaller of two limits, of which 0 means none. */
static uint64_t daemon_plan_tighter(uint64_t a, uint64_t b)
{
	return !a || (b && b < a) ? b : a;
}

static uint64_t at_least(uint64_t n, uint64_t least)
{
	return n < least ? least : n;
}

/*
 * Adds an option to switch files. If only the time is limited, files are switched by time.
 * Otherwise they are switched by size, because that limit must hold however much is recorded.
 */
static void daemon_plan_add_switch(struct daemon_session_plan *s, uint64_t max_bytes)
{
	uint64_t bytes = at_least(daemon_plan_tighter(s->max_bytes, max_bytes) / PIECES,
				  PIECE_BYTES_MIN);
	uint64_t seconds = at_least(s->keep_s / PIECES, PIECE_S_MIN);

	if ((!s->max_bytes && !max_bytes && !s->keep_s) ||
	    daemon_plan_has_option(&s->words, "--switch-output"))
		return;
	put_first(&s->words,
		  s->max_bytes || max_bytes
			  ? xasprintf("--switch-output=%lluK", (unsigned long long)bytes >> 10)
			  : xasprintf("--switch-output=%llus", (unsigned long long)seconds));
}

int daemon_plan_check(struct daemon_plan *p, struct diag *diag)
{
	for (size_t i = 0; i < p->n; i++) {
		struct daemon_session_plan *s = &p->items[i];

		if (!s->run) {
			diag_set(diag, -EINVAL, "%s:%u: [" PREFIX "%s] has no 'run'", s->origin,
				 s->line, s->name);
			diag_hint(diag, "run = what follows 'perf record': run = -a -g");
			return -EINVAL;
		}
		if (daemon_plan_has_option(&s->words, "--control"))
			return diag_set(diag, -EINVAL,
					"%s:%u: session '%s': --control is the daemon's own",
					s->origin, s->line, s->name);
		daemon_plan_add_switch(s, p->max_bytes);
	}
	return 0;
}
