/* SPDX-License-Identifier: MIT */
#include "store/url.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "store/store.h"

/* Returns the length of the store's scheme with which @text begins; 0: none. */
static size_t scheme_length(const char *text)
{
	size_t n = strcspn(text, ":");

	return text[n] && fleet_has_scheme(text, n) ? n : 0;
}

bool fleet_is_url(const char *text)
{
	size_t n = scheme_length(text);

	return n && (!strncmp(text, "sqlite:", 7) || !strncmp(text + n, "://", 3));
}

static int store_url_digit_of(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
				      : -1;
}

/*
 * Replaces %20 and similar codes by their bytes; the caller frees the result. NULL: %00, or no
 * digits.
 */
static char *store_url_decode(const char *s, size_t n)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	for (size_t i = 0; i < n; i++) {
		int high, low;

		if (s[i] != '%') {
			text_add_char(&t, s[i]);
			continue;
		}
		if (n - i < 3)
			return NULL;
		high = store_url_digit_of(s[i + 1]);
		low = store_url_digit_of(s[i + 2]);
		if (high < 0 || low < 0 || high + low == 0)
			return NULL;
		text_add_char(&t, (char)(high << 4 | low));
		i += 2;
	}
	return text_take(&t);
}

char *fleet_url_by(const char *text, const char *what)
{
	return xasprintf("%s%cby=%s", text, strchr(text, '?') ? '&' : '?', what);
}

int64_t fleet_age(const char *s)
{
	static const struct {
		char letter;
		int64_t seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 }, { 'w', 604800 } };
	char *end;
	int64_t n;

	if (*s < '0' || *s > '9')
		return -1;
	errno = 0;
	n = strtoll(s, &end, 10);
	for (size_t i = 0; !errno && i < ARRAY_SIZE(units); i++)
		if (*end == units[i].letter && !end[1] && n <= INT64_MAX / units[i].seconds / 4)
			return n * units[i].seconds;
	return -1;
}

/*
 * Parses a moment: an age, @SECONDS, or a date of UTC with or without a time of day. -1: none of
 * them.
 */
static int64_t parse_moment(const char *s, int64_t now)
{
	static const char *const formats[] = { "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M",
					       "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d" };
	int64_t age = fleet_age(s);

	if (age >= 0)
		return now > age ? now - age : 0;
	if (*s == '@' && s[1] >= '0' && s[1] <= '9') {
		char *end;
		int64_t n;

		errno = 0;
		n = strtoll(s + 1, &end, 10);
		return errno || *end || n > INT64_MAX / 2 ? -1 : n;
	}
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		struct tm tm = { 0 };
		const char *end = strptime(s, formats[i], &tm);

		if (end && (!*end || !strcmp(end, "Z")))
			return timegm(&tm) < 0 ? -1 : timegm(&tm);
	}
	return -1;
}

static char **store_url_text_of(struct fleet_filter *f, const char *name, size_t n)
{
	const struct {
		const char *name;
		char **text;
	} words[] = { { "host", &f->host },
		      { "service", &f->service },
		      { "container", &f->container },
		      { "comm", &f->comm },
		      { "event", &f->event } };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i].name) == n && !strncmp(words[i].name, name, n))
			return words[i].text;
	return NULL;
}

static bool store_url_is_word(const char *word, const char *s, size_t n)
{
	return strlen(word) == n && !strncmp(word, s, n);
}

struct url_parsing {
	const char *text;
	int64_t now;
	struct fleet_url *url;
	struct diag *diag;
};

static int store_url_refuse(const struct url_parsing *p, const char *at, size_t n,
			    const char *problem, const char *hint)
{
	diag_mark(p->diag, -EINVAL, p->text, (size_t)(at - p->text), n, "'%.*s' %s", (int)n, at,
		  problem);
	diag_hint(p->diag, "%s", hint);
	return -EINVAL;
}

static int store_url_take_moment(const struct url_parsing *p, const char *at, size_t n,
				 const char *value, int64_t *ret)
{
	*ret = parse_moment(value, p->now);
	if (*ret >= 0)
		return 0;
	return store_url_refuse(
		p, at, n, "is not a time",
		"Ages are 90s, 15m, 1h, 7d; times are 2026-05-31T12:00 (UTC) or @1780228800.");
}

static int take_by(const struct url_parsing *p, const char *at, size_t n, const char *value)
{
	struct fleet_filter *f = &p->url->filter;

	if (!strcmp(value, "minute"))
		f->by_minute = true;
	else if (!strcmp(value, "cell"))
		f->by_minute = f->by_cell = true;
	else if (!strcmp(value, "host"))
		f->by_host = true;
	else if (!strcmp(value, "service"))
		f->by_service = true;
	else if (!strcmp(value, "function"))
		f->by_function = true;
	else
		return store_url_refuse(
			p, at, n, "is not known",
			"Use by=minute, by=host, by=service, by=function or by=cell.");
	return 0;
}

/* Takes "name=value" at @at. Returns 1 if it is not a parameter of the filter. */
static int take_parameter(const struct url_parsing *p, const char *at, size_t n)
{
	struct fleet_filter *f = &p->url->filter;
	const char *equals = memchr(at, '=', n);
	size_t n_name = equals ? (size_t)(equals - at) : n;
	char **text = store_url_text_of(f, at, n_name);
	_cleanup_(freep) char *value = NULL;

	if (!text && !store_url_is_word("since", at, n_name) &&
	    !store_url_is_word("until", at, n_name) && !store_url_is_word("by", at, n_name))
		return 1;
	if (equals)
		value = store_url_decode(equals + 1, n - n_name - 1);
	if (!value || !*value)
		return store_url_refuse(
			p, at, n, "has no value",
			"For example: host=web* or since=1h; %20 stands for a blank.");
	if (text) {
		free(*text);
		/* A pattern that matches everything chooses nothing, so it is dropped. */
		*text = value[strspn(value, "*")] ? TAKE(value) : NULL;
		return 0;
	}
	if (store_url_is_word("by", at, n_name))
		return take_by(p, at, n, value);
	if (store_url_is_word("until", at, n_name))
		return store_url_take_moment(p, at, n, value, &f->until);
	p->url->is_recent = fleet_age(value) >= 0;
	return store_url_take_moment(p, at, n, value, &f->since);
}

static int take_parameters(const struct url_parsing *p, const char *query, struct text *rest)
{
	while (*query) {
		size_t n = strcspn(query, "&");
		int r = n ? take_parameter(p, query, n) : 0;

		if (r < 0)
			return r;
		if (r) {
			text_add_char(rest, strchr(rest->chars, '?') ? '&' : '?');
			text_add_bytes(rest, query, n);
		}
		query += n + (query[n] == '&');
	}
	return 0;
}

/* Refuses a password, because command lines are visible in the list of processes. */
static int refuse_password(const struct url_parsing *p, const char *authority)
{
	size_t n = strcspn(authority, "/?");
	const char *at = memchr(authority, '@', n);
	const char *colon = at ? memchr(authority, ':', (size_t)(at - authority)) : NULL;

	if (!colon)
		return 0;
	/* An excerpt would show the password again. */
	diag_set(p->diag, -EINVAL,
		 "the URL has a password, which everybody can see in the list of processes");
	diag_hint(p->diag, "Put it into a file that only you can read: ~/.pgpass of PostgreSQL, or "
			   "~/.netrc of the others; or into PGPASSWORD or PERF_FLEET_PASSWORD.");
	return -EINVAL;
}

static int store_url_parse(const struct url_parsing *p)
{
	const char *text = p->text, *query = strchr(text, '?');
	size_t n_scheme = scheme_length(text), n = query ? (size_t)(query - text) : strlen(text);
	_cleanup_(text_done) struct text target = TEXT_EMPTY;
	bool is_sqlite = store_url_is_word("sqlite", text, n_scheme);
	int r;

	p->url->scheme = xstrndup(text, n_scheme);
	if (is_sqlite) {
		_cleanup_(freep) char *path = store_url_decode(text + n_scheme + 1,
							       n - n_scheme - 1);

		if (!path || !*path)
			return store_url_refuse(p, text, n, "names no file",
						"For example: sqlite:/var/lib/perf/fleet.db");
		text_add(&target, path);
	} else {
		text_add_bytes(&target, text, n);
		r = refuse_password(p, text + n_scheme + 3);
		if (r < 0)
			return r;
	}
	if (query && is_sqlite) {
		_cleanup_(text_done) struct text rest = TEXT_EMPTY;

		r = take_parameters(p, query + 1, &rest);
		if (r >= 0 && rest.length)
			return store_url_refuse(
				p, query + 1, strlen(query + 1), "is not understood",
				"Known are host=, service=, container=, comm=, event=, "
				"since=, until= and by=.");
	} else {
		r = query ? take_parameters(p, query + 1, &target) : 0;
	}
	p->url->target = text_take(&target);
	return r;
}

int fleet_url_parse(const char *text, int64_t now, struct fleet_url *ret, struct diag *diag)
{
	const struct url_parsing p = { .text = text, .now = now, .url = ret, .diag = diag };
	int r;

	*ret = (struct fleet_url){ .filter.until = INT64_MAX };
	if (!fleet_is_url(text)) {
		diag_set(diag, -EINVAL, "'%s' is not a URL of a store", text);
		diag_hint(diag, "Stores are sqlite:PATH, postgresql://HOST/DATABASE, "
				"clickhouse://HOST/DATABASE, https://HOST/ (ClickHouse) and "
				"otlp+http://HOST.");
		return -EINVAL;
	}
	r = store_url_parse(&p);
	/*
	 * A period that is counted back from now ends now, also for hosts whose clocks are ahead.
	 */
	if (r >= 0 && ret->is_recent && ret->filter.until == INT64_MAX)
		ret->filter.until = (now / 60 + 1) * 60;
	if (r < 0)
		fleet_url_done(ret);
	return r;
}

void fleet_url_done(struct fleet_url *u)
{
	struct fleet_filter *f = &u->filter;

	free(u->scheme);
	free(u->target);
	free(f->host);
	free(f->service);
	free(f->container);
	free(f->comm);
	free(f->event);
	*u = (struct fleet_url){ 0 };
}

bool fleet_filter_is_empty(const struct fleet_filter *f)
{
	return !f->host && !f->service && !f->container && !f->comm && !f->event && !f->since &&
	       f->until == INT64_MAX;
}
