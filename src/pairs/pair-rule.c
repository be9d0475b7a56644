/* SPDX-License-Identifier: MIT */
#include "pairs/pair-rule.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/similar.h"
#include "base/text.h"
#include "session/consumer.h"
#include "session/session.h"
#include "tracepoint/format.h"

/* A message lists at most this many events. */
#define EVENTS_LISTED 8

/*
 * Returns the comma between two events. Commas within the slashes of pmu/a=1,b=2/ do not separate
 * events.
 */
static const char *middle_of(const char *pair)
{
	bool is_within = false;

	for (; *pair; pair++)
		if (*pair == '/')
			is_within = !is_within;
		else if (*pair == ',' && !is_within)
			return pair;
	return NULL;
}

/* Adds the part [@from, @to) of a key to both sides. */
static void pair_rule_add_key(struct text *begin, struct text *end, const char *from,
			      const char *to)
{
	const char *equals = memchr(from, '=', (size_t)(to - from));
	const char *behind = equals ? equals + 1 : from;

	if (begin->length)
		text_add_char(begin, ','), text_add_char(end, ',');
	text_add_bytes(begin, from, (size_t)((equals ? equals : to) - from));
	text_add_bytes(end, behind, (size_t)(to - behind));
}

static int parse_keys(const char *key, struct text *begin, struct text *end, struct diag *diag)
{
	size_t n = 0;

	for (const char *at = key;; at++) {
		const char *to = at + strcspn(at, ",");
		const char *equals = memchr(at, '=', (size_t)(to - at));

		if (to == at || equals == at || equals + 1 == to)
			return diag_mark(diag, -EINVAL, key, (size_t)(at - key), (size_t)(to - at),
					 "a field of the key has no name");
		if (++n > PAIR_KEYS_MAX)
			return diag_mark(diag, -EINVAL, key, (size_t)(at - key), strlen(at),
					 "a key has at most %d fields", PAIR_KEYS_MAX);
		pair_rule_add_key(begin, end, at, to);
		at = to;
		if (!*at)
			return 0;
	}
}

int typed_pair_parse(const char *pair, const char *key, struct typed_pair *ret, struct diag *diag)
{
	_cleanup_(text_done) struct text begin = TEXT_EMPTY, end = TEXT_EMPTY;
	const char *middle = middle_of(pair);
	int r;

	if (!middle || middle == pair || !middle[1] || middle_of(middle + 1)) {
		diag_mark(diag, -EINVAL, pair, 0, strlen(pair),
			  "a pair is two events with a comma between them");
		diag_hint(diag, "As in --pair block:block_rq_issue,block:block_rq_complete.");
		return -EINVAL;
	}
	r = parse_keys(key ? key : "tid", &begin, &end, diag);
	if (r < 0)
		return r;
	*ret = (struct typed_pair){
		.texts = { xstrndup(pair, (size_t)(middle - pair)), xstrdup(middle + 1),
			   text_take(&begin), text_take(&end) },
	};
	/* The rule for the end comes first: A,A is then the time from each A to the next. */
	ret->rules[0] = (struct pair_rule){ .role = PAIR_END,
					    .event = ret->texts[1],
					    .keys = ret->texts[3] };
	ret->rules[1] = (struct pair_rule){ .role = PAIR_BEGIN,
					    .event = ret->texts[0],
					    .keys = ret->texts[2] };
	ret->spec = (struct pair_spec){ .rules = ret->rules, .n_rules = 2 };
	return 0;
}

void typed_pair_done(struct typed_pair *t)
{
	for (size_t i = 0; i < ARRAY_SIZE(t->texts); i++)
		free(t->texts[i]);
	*t = (struct typed_pair){ 0 };
}

static bool pair_rule_is_called(const char *pattern, const char *name)
{
	return !strcmp(pattern, name) || glob_matches(pattern, name);
}

bool pair_rule_is_about(const struct pair_rule *rule, const struct session_event *event)
{
	_cleanup_(freep) char *full = NULL;

	if (pair_rule_is_called(rule->event, event->name))
		return true;
	if (!event->system || !event->tracepoint)
		return false;
	full = xasprintf("%s:%s", event->system, event->tracepoint);
	return pair_rule_is_called(rule->event, event->tracepoint) ||
	       pair_rule_is_called(rule->event, full);
}

static bool pair_rule_has_role(const struct pair_spec *spec, const struct session *s,
			       enum pair_role role)
{
	for (size_t i = 0; i < spec->n_rules; i++)
		for (size_t e = 0; spec->rules[i].role == role && e < session_event_count(s); e++)
			if (pair_rule_is_about(&spec->rules[i], session_event(s, e)))
				return true;
	return false;
}

bool pair_spec_has_events(const struct pair_spec *spec, const struct session *s)
{
	return pair_rule_has_role(spec, s, PAIR_BEGIN) && pair_rule_has_role(spec, s, PAIR_END);
}

/* Returns "a, b and 3 more". */
static char *events_of(const struct session *s)
{
	struct text t = TEXT_EMPTY;
	size_t n = session_event_count(s);

	for (size_t i = 0; i < n && i < EVENTS_LISTED; i++)
		text_addf(&t, "%s%s", i ? ", " : "", session_event(s, i)->name);
	if (n > EVENTS_LISTED)
		text_addf(&t, " and %zu more", n - EVENTS_LISTED);
	return text_take(&t);
}

int event_refuse(const char *event, const struct session *s, struct diag *diag)
{
	_cleanup_(freep) char *events = events_of(s);

	return diag_set(diag, -ENOENT, "%s has no event %s, only %s", session_path(s), event,
			events);
}

static const char *first_event(const struct pair_spec *spec, enum pair_role role)
{
	for (size_t i = 0; i < spec->n_rules; i++)
		if (spec->rules[i].role == role)
			return spec->rules[i].event;
	return "";
}

static int refuse_events(const struct pair_spec *spec, const struct session *s, struct diag *diag)
{
	enum pair_role role = pair_rule_has_role(spec, s, PAIR_BEGIN) ? PAIR_END : PAIR_BEGIN;

	return event_refuse(first_event(spec, role), s, diag);
}

static int pair_rule_refuse_field(const struct session_event *e, const char *name,
				  struct diag *diag)
{
	struct similar near = { .typed = name };
	_cleanup_(freep) char *phrase = NULL;

	diag_set(diag, -EINVAL, "%s has no field '%s'", e->name, name);
	for (size_t i = 0; e->format && i < e->format->n_fields; i++)
		similar_add(&near, e->format->fields[i].name);
	phrase = similar_phrase(&near);
	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	else
		diag_hint(diag, "A key is made of fields of the event, and of tid, pid and cpu.");
	return -EINVAL;
}

static int pair_rule_check_event(const struct pair_spec *spec, const struct pair_rule *rule,
				 const struct session_event *e, struct diag *diag)
{
	struct pair_side side = pair_side_bind(spec, rule, e, false);
	const char *at = rule->keys;

	if (e->time_offset < 0)
		return diag_set(diag, -EINVAL, "the samples of %s have no times", e->name);
	for (unsigned i = 0; i < side.n_keys; i++, at += strcspn(at, ",") + 1) {
		_cleanup_(freep) char *name = xstrndup(at, strcspn(at, ","));

		if (side.keys[i].from == PAIR_KEY_ABSENT)
			return pair_rule_refuse_field(e, name, diag);
	}
	if (rule->when && !field_ref_is_there(&side.when))
		return pair_rule_refuse_field(e, rule->when, diag);
	return 0;
}

int pair_spec_check(const struct pair_spec *spec, const struct session *s, struct diag *diag)
{
	int r = 0;

	if (!pair_spec_has_events(spec, s))
		return refuse_events(spec, s, diag);
	for (size_t i = 0; i < spec->n_rules && r >= 0; i++)
		for (size_t e = 0; e < session_event_count(s) && r >= 0; e++)
			if (pair_rule_is_about(&spec->rules[i], session_event(s, e)))
				r = pair_rule_check_event(spec, &spec->rules[i],
							  session_event(s, e), diag);
	return r;
}

/* The sector of every flush. No device has this sector. */
#define FLUSH_SECTOR UINT64_MAX

static const struct {
	const char *name;
	int from;
} of_samples[] = { { "tid", PAIR_KEY_TID }, { "pid", PAIR_KEY_PID }, { "cpu", PAIR_KEY_CPU } };

static struct pair_key_part bind_part(const struct session_event *event, const char *name,
				      bool swap)
{
	struct pair_key_part part = { .ref = tracepoint_field_bind(event->format, name, swap) };

	if (part.ref.kind == FIELD_NUMBER)
		part.from = PAIR_KEY_NUMBER;
	else if (part.ref.kind != FIELD_ABSENT)
		part.from = PAIR_KEY_BYTES;
	for (size_t i = 0; !part.from && i < ARRAY_SIZE(of_samples); i++)
		if (!strcmp(of_samples[i].name, name))
			part.from = of_samples[i].from;
	return part;
}

static void bind_keys(struct pair_side *side, const struct pair_rule *rule,
		      const struct session_event *event, bool swap)
{
	const char *at = rule->keys;

	while (*at && side->n_keys < PAIR_KEYS_MAX) {
		size_t n = strcspn(at, ",");
		_cleanup_(freep) char *name = xstrndup(at, n);

		if (!strcmp(name, "sector") && field_ref_is_there(&side->rwbs))
			side->sector = (int)side->n_keys;
		side->keys[side->n_keys++] = bind_part(event, name, swap);
		at += n + (at[n] == ',');
	}
}

struct pair_side pair_side_bind(const struct pair_spec *spec, const struct pair_rule *rule,
				const struct session_event *event, bool swap)
{
	struct pair_side side = {
		.role = rule->role,
		.mask = rule->mask,
		.value = rule->value,
		.is_conditional = rule->when,
		.skips_zero = spec->skips_zero,
		.sector = -1,
		.rwbs = tracepoint_field_bind(event->format, "rwbs", swap),
		.nr_sector = tracepoint_field_bind(event->format, "nr_sector", swap),
	};

	if (rule->when)
		side.when = tracepoint_field_bind(event->format, rule->when, swap);
	bind_keys(&side, rule, event, swap);
	return side;
}

static bool pair_side_read_part(const struct pair_key_part *part, const struct sample *s,
				uint64_t seed, uint64_t *ret)
{
	struct raw_span bytes;

	switch (part->from) {
	case PAIR_KEY_NUMBER:
		return field_ref_number(&part->ref, s->raw, s->raw_size, ret);
	case PAIR_KEY_BYTES:
		bytes = field_ref_bytes(&part->ref, s->raw, s->raw_size);
		*ret = hash_bytes(seed, bytes.bytes, bytes.size);
		return !bytes.is_cut;
	case PAIR_KEY_TID:
		*ret = s->tid;
		return s->tid != SAMPLE_NOBODY;
	case PAIR_KEY_PID:
		*ret = s->pid;
		return s->pid != SAMPLE_NOBODY;
	case PAIR_KEY_CPU:
		*ret = s->cpu;
		return s->cpu != UINT32_MAX;
	default:
		return false;
	}
}

static bool is_met(const struct pair_side *side, const struct sample *s)
{
	uint64_t value;

	return field_ref_number(&side->when, s->raw, s->raw_size, &value) &&
	       (value & side->mask) == side->value;
}

static bool is_flush(const struct pair_side *side, const struct sample *s)
{
	const char *rwbs;
	size_t n = field_ref_text(&side->rwbs, s->raw, s->raw_size, &rwbs);

	return n >= 2 && rwbs[0] == 'F' && rwbs[1] == 'F';
}

static enum pair_reading read_request(const struct pair_side *side, const struct sample *s,
				      uint64_t *keys)
{
	uint64_t n_sectors;

	if (is_flush(side, s)) {
		keys[side->sector] = FLUSH_SECTOR;
		return PAIR_READ_FLUSH;
	}
	if (side->role == PAIR_END &&
	    field_ref_number(&side->nr_sector, s->raw, s->raw_size, &n_sectors) && !n_sectors)
		return PAIR_EMPTY;
	return PAIR_READ;
}

enum pair_reading pair_side_read(const struct pair_side *side, const struct session_sample *s,
				 uint64_t seed, uint64_t ret[PAIR_KEYS_MAX])
{
	const struct sample *sample = s->sample;

	if (side->is_conditional && !is_met(side, sample))
		return PAIR_NOT_MEANT;
	for (unsigned i = 0; i < side->n_keys; i++)
		if (!pair_side_read_part(&side->keys[i], sample, seed, &ret[i]))
			return PAIR_UNREADABLE;
	for (unsigned i = side->n_keys; i < PAIR_KEYS_MAX; i++)
		ret[i] = 0;
	if (side->skips_zero && !ret[0])
		return PAIR_NOT_MEANT;
	return side->sector < 0 ? PAIR_READ : read_request(side, sample, ret);
}
