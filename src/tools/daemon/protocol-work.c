/* SPDX-License-Identifier: MIT */
#include "tools/daemon/protocol-work.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"

#define MAGIC   "perf-daemon "
#define VERSION "1"

/* More fields than in any line. */
#define FIELDS_MAX 16

/* The maximum number of lines of each kind. An answer with more is not from a daemon. */
#define ROWS_MAX 256

static const char *const verbs[] = {
	[DAEMON_LIST] = "list",
	[DAEMON_STOP] = "stop",
	[DAEMON_SIGNAL] = "signal",
	[DAEMON_PING] = "ping",
};

void daemon_command_encode(const struct daemon_command *c, struct text *t)
{
	text_addf(t, MAGIC VERSION "\t%s\t%s\n", verbs[c->verb], c->session);
}

static int find_verb(const char *word, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (strlen(verbs[i]) == length && !memcmp(verbs[i], word, length))
			return (int)i;
	return -EINVAL;
}

/* Returns the length of the field up to @end or a tab; *@s is moved past it. */
static size_t daemon_protocol_take_field(const char **s, const char *end)
{
	const char *from = *s, *tab = memchr(from, '\t', (size_t)(end - from));

	*s = tab ? tab + 1 : end;
	return (size_t)((tab ? tab : end) - from);
}

static int decode_line(const char *s, const char *end, struct daemon_command *ret,
		       struct diag *diag)
{
	struct daemon_command c = { .verb = DAEMON_LIST };
	const char *field = s;
	size_t n = daemon_protocol_take_field(&s, end);
	int verb;

	if (n < strlen(MAGIC) || memcmp(field, MAGIC, strlen(MAGIC)))
		return diag_set(diag, -EINVAL, "this is not a request of 'perf daemon'");
	if (n != strlen(MAGIC VERSION) || memcmp(field, MAGIC VERSION, n))
		return diag_set(diag, -EPROTONOSUPPORT,
				"this is a request of another version of 'perf daemon'");
	field = s;
	n = daemon_protocol_take_field(&s, end);
	verb = find_verb(field, n);
	if (verb < 0)
		return diag_set(diag, -EINVAL, "this daemon does not know that request");
	field = s;
	n = daemon_protocol_take_field(&s, end);
	if (n > DAEMON_NAME_MAX || s != end || memchr(field, '\0', n))
		return diag_set(diag, -EINVAL, "this is not a name of a session");
	c.verb = (enum daemon_verb)verb;
	memcpy(c.session, field, n);
	if (n && !daemon_name_is_valid(c.session))
		return diag_set(diag, -EINVAL, "this is not a name of a session");
	*ret = c;
	return 0;
}

int daemon_command_decode(const char *bytes, size_t length, struct daemon_command *ret,
			  struct diag *diag)
{
	const char *end = length ? memchr(bytes, '\n', length) : NULL;

	if (!end && length < DAEMON_COMMAND_MAX)
		return -EAGAIN;
	if (!end || end - bytes >= DAEMON_COMMAND_MAX)
		return diag_set(diag, -EMSGSIZE, "this is not a request of 'perf daemon'");
	return decode_line(bytes, end, ret, diag);
}

static void outcome_done(struct daemon_outcome *o)
{
	free(o->name);
	free(o->error);
}

void daemon_reply_done(struct daemon_reply *r)
{
	for (size_t i = 0; i < r->sessions.n; i++) {
		free(r->sessions.items[i].name);
		free(r->sessions.items[i].run);
	}
	for (size_t i = 0; i < r->signals.n; i++)
		outcome_done(&r->signals.items[i]);
	for (size_t i = 0; i < r->pings.n; i++)
		outcome_done(&r->pings.items[i]);
	free(r->sessions.items);
	free(r->signals.items);
	free(r->pings.items);
	free(r->error);
	free(r->base);
	*r = (struct daemon_reply){ 0 };
}

/* Appends a tab and @s. */
static void daemon_protocol_add_field(struct text *t, const char *s)
{
	text_add_char(t, '\t');
	for (; *s; s++) {
		if (*s == '\t')
			text_add(t, "\\t");
		else if (*s == '\n')
			text_add(t, "\\n");
		else if (*s == '\\')
			text_add(t, "\\\\");
		else
			text_add_char(t, *s);
	}
}

static void daemon_protocol_add_number(struct text *t, uint64_t n)
{
	text_addf(t, "\t%" PRIu64, n);
}

static void daemon_protocol_add_session(struct text *t, const struct daemon_session_status *s)
{
	text_add(t, "session");
	daemon_protocol_add_field(t, s->name);
	daemon_protocol_add_field(t, s->run);
	daemon_protocol_add_number(t, s->state);
	daemon_protocol_add_number(t, s->pid);
	daemon_protocol_add_number(t, s->up_s);
	daemon_protocol_add_number(t, s->next_s);
	daemon_protocol_add_number(t, s->failures);
	daemon_protocol_add_number(t, s->exit_status);
	daemon_protocol_add_number(t, s->exit_signal);
	daemon_protocol_add_number(t, s->files);
	daemon_protocol_add_number(t, s->bytes);
	daemon_protocol_add_number(t, s->keep_s);
	daemon_protocol_add_number(t, s->max_bytes);
	text_add_char(t, '\n');
}

static void add_outcome(struct text *t, const char *kind, const struct daemon_outcome *o)
{
	text_add(t, kind);
	daemon_protocol_add_field(t, o->name);
	daemon_protocol_add_number(t, o->pid);
	daemon_protocol_add_number(t, o->signal);
	daemon_protocol_add_field(t, o->error);
	text_add_char(t, '\n');
}

void daemon_reply_encode(const struct daemon_reply *r, struct text *t)
{
	if (r->error) {
		text_add(t, "error");
		daemon_protocol_add_field(t, r->error);
		text_add_char(t, '\n');
	}
	if (r->base) {
		text_add(t, "daemon");
		daemon_protocol_add_number(t, r->pid);
		daemon_protocol_add_field(t, r->base);
		daemon_protocol_add_number(t, r->up_s);
		daemon_protocol_add_number(t, r->is_full);
		text_add_char(t, '\n');
	}
	for (size_t i = 0; i < r->sessions.n; i++)
		daemon_protocol_add_session(t, &r->sessions.items[i]);
	for (size_t i = 0; i < r->signals.n; i++)
		add_outcome(t, "signal", &r->signals.items[i]);
	for (size_t i = 0; i < r->pings.n; i++)
		add_outcome(t, "ping", &r->pings.items[i]);
	text_add(t, "end\n");
}

/* A line's fields, not yet unescaped. */
struct fields {
	struct {
		const char *s;
		size_t n;
	} items[FIELDS_MAX];
	size_t n;
};

static void daemon_protocol_split(const char *s, const char *end, struct fields *ret)
{
	ret->n = 0;
	do {
		ret->items[ret->n].s = s;
		ret->items[ret->n].n = daemon_protocol_take_field(&s, end);
		ret->n++;
	} while (s < end && ret->n < FIELDS_MAX);
}

static bool daemon_protocol_field_is(const struct fields *f, size_t i, const char *word)
{
	return i < f->n && f->items[i].n == strlen(word) &&
	       !memcmp(f->items[i].s, word, f->items[i].n);
}

/*
 * Returns the text of a field. A missing field is "" or 0, because the daemon may be an older one.
 */
static char *field_text(const struct fields *f, size_t i)
{
	struct text t = TEXT_EMPTY;

	for (size_t k = 0; i < f->n && k < f->items[i].n; k++) {
		char c = f->items[i].s[k];

		if (c == '\\' && k + 1 < f->items[i].n) {
			c = f->items[i].s[++k];
			c = c == 't' ? '\t' : c == 'n' ? '\n' : c;
		}
		text_add_char(&t, c);
	}
	return t.room ? text_take(&t) : xstrdup("");
}

static uint64_t field_number(const struct fields *f, size_t i)
{
	uint64_t n = 0;

	for (size_t k = 0; i < f->n && k < f->items[i].n; k++) {
		char c = f->items[i].s[k];

		if (c < '0' || c > '9' || n > (UINT64_MAX - 9) / 10)
			return 0;
		n = n * 10 + (uint64_t)(c - '0');
	}
	return n;
}

static void take_session(struct daemon_reply *r, const struct fields *f)
{
	struct daemon_session_status *s = ARRAY_ADD(&r->sessions);
	uint64_t state = field_number(f, 3);

	s->name = field_text(f, 1);
	s->run = field_text(f, 2);
	s->state = state <= DAEMON_ENDED ? (enum daemon_state)state : DAEMON_WAITING;
	s->pid = field_number(f, 4);
	s->up_s = field_number(f, 5);
	s->next_s = field_number(f, 6);
	s->failures = field_number(f, 7);
	s->exit_status = field_number(f, 8);
	s->exit_signal = field_number(f, 9);
	s->files = field_number(f, 10);
	s->bytes = field_number(f, 11);
	s->keep_s = field_number(f, 12);
	s->max_bytes = field_number(f, 13);
}

static void take_outcome(struct daemon_outcome *o, const struct fields *f)
{
	o->name = field_text(f, 1);
	o->pid = field_number(f, 2);
	o->signal = field_number(f, 3);
	o->error = field_text(f, 4);
}

static void take_daemon(struct daemon_reply *r, const struct fields *f)
{
	free(r->base);
	r->pid = field_number(f, 1);
	r->base = field_text(f, 2);
	r->up_s = field_number(f, 3);
	r->is_full = field_number(f, 4);
}

static void daemon_protocol_take_line(struct daemon_reply *r, const struct fields *f)
{
	if (r->sessions.n + r->signals.n + r->pings.n == ROWS_MAX)
		return;
	if (daemon_protocol_field_is(f, 0, "error")) {
		free(r->error);
		r->error = field_text(f, 1);
	} else if (daemon_protocol_field_is(f, 0, "daemon")) {
		take_daemon(r, f);
	} else if (daemon_protocol_field_is(f, 0, "session")) {
		take_session(r, f);
	} else if (daemon_protocol_field_is(f, 0, "signal")) {
		take_outcome(ARRAY_ADD(&r->signals), f);
	} else if (daemon_protocol_field_is(f, 0, "ping")) {
		take_outcome(ARRAY_ADD(&r->pings), f);
	}
}

int daemon_reply_decode(const char *bytes, size_t length, struct daemon_reply *ret,
			struct diag *diag)
{
	_cleanup_(daemon_reply_done) struct daemon_reply r = { 0 };
	const char *s = bytes, *end = bytes + length;
	struct fields f = { .n = 0 };

	if (length && memchr(bytes, '\0', length))
		return diag_set(diag, -EINVAL, "the answer is not from a perf daemon");
	while (s < end && !daemon_protocol_field_is(&f, 0, "end")) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));

		if (!newline)
			break;
		daemon_protocol_split(s, newline, &f);
		daemon_protocol_take_line(&r, &f);
		s = newline + 1;
	}
	if (!daemon_protocol_field_is(&f, 0, "end"))
		return diag_set(diag, -EPIPE,
				"the daemon went away before its answer was complete");
	*ret = r;
	r = (struct daemon_reply){ 0 };
	return 0;
}
