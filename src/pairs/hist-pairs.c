/* SPDX-License-Identifier: MIT */
#include "pairs/hist-pairs.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "bpf/field.h"
#include "bpf/hist.h"
#include "event/event.h"
#include "measure/event-words.h"
#include "pairs/hist-job.h"
#include "pairs/pair-presets.h"
#include "pairs/pair-rule.h"
#include "session/session.h"
#include "tracepoint/format.h"

const struct pair_spec *hist_pair_spec(const struct hist_request *rq)
{
	return rq->pairs ? rq->pairs : &rq->preset->specs[0];
}

static bool is_named_before(const struct pair_spec *spec, size_t rule)
{
	for (size_t i = 0; i < rule; i++)
		if (!strcmp(spec->rules[i].event, spec->rules[rule].event))
			return true;
	return false;
}

void hist_pair_words(const struct pair_spec *spec, const char *filter, struct event_words *words)
{
	for (size_t i = 0; i < spec->n_rules; i++) {
		if (is_named_before(spec, i))
			continue;
		event_words_add(words, EVENT_WORD_EVENT, spec->rules[i].event);
		if (filter)
			event_words_add(words, EVENT_WORD_FILTER, filter);
	}
}

static int translate_key(const struct pair_key_part *part, struct hist_key *ret)
{
	static const uint32_t kinds[] = {
		[PAIR_KEY_TID] = HIST_KEY_TID,
		[PAIR_KEY_PID] = HIST_KEY_PID,
		[PAIR_KEY_CPU] = HIST_KEY_CPU,
	};

	if (part->from == PAIR_KEY_NUMBER)
		return bpf_field_of(&part->ref, &ret->field);
	if (part->from == PAIR_KEY_BYTES || part->from == PAIR_KEY_ABSENT)
		return part->from == PAIR_KEY_BYTES ? -EOPNOTSUPP : -EINVAL;
	ret->kind = kinds[part->from];
	return 0;
}

/* Translates rwbs: the first two characters of an array, as a number. */
static int translate_rwbs(const struct field_ref *rwbs, struct program_field *ret)
{
	if (rwbs->kind != FIELD_BYTES || rwbs->size < 2)
		return -EOPNOTSUPP;
	*ret = (struct program_field){ rwbs->offset, 2, 0 };
	return 0;
}

static int translate_request(const struct pair_side *side, struct hist_rule *ret)
{
	int r;

	if (side->sector < 0)
		return 0;
	ret->is_request = 1;
	ret->sector = (uint32_t)side->sector;
	r = translate_rwbs(&side->rwbs, &ret->rwbs);
	return r < 0 ? r : bpf_field_of(&side->nr_sector, &ret->n_sectors);
}

static int hist_pairs_translate(const struct pair_side *side, struct hist_rule *ret)
{
	static const uint32_t roles[] = {
		[PAIR_BEGIN] = HIST_BEGIN,
		[PAIR_END] = HIST_END,
		[PAIR_CANCEL] = HIST_CANCEL,
	};
	int r = translate_request(side, ret);

	ret->role = roles[side->role];
	for (unsigned i = 0; i < side->n_keys && r >= 0; i++)
		r = translate_key(&side->keys[i], &ret->keys[i]);
	if (r < 0 || !side->is_conditional)
		return r;
	ret->has_condition = 1;
	ret->mask = side->mask;
	ret->value = side->value;
	return bpf_field_of(&side->when, &ret->condition);
}

/* Adds the rules that are about event @e, which is number @index of the attached events. */
static int add_rules(const struct pair_spec *spec, const struct session_event *e, uint32_t index,
		     struct bpf_hist_pairs *ret)
{
	int r = 0;

	for (size_t i = 0; i < spec->n_rules && r >= 0; i++) {
		struct pair_side side = pair_side_bind(spec, &spec->rules[i], e, false);
		struct hist_rule *rule;

		if (!pair_rule_is_about(&spec->rules[i], e))
			continue;
		if (ret->n_rules == HIST_RULES_MAX || side.n_keys > HIST_KEYS_MAX)
			return -EOPNOTSUPP;
		rule = &ret->rules[ret->n_rules++];
		rule->event = index;
		r = hist_pairs_translate(&side, rule);
		ret->n_keys = side.n_keys - spec->n_compared;
	}
	return r;
}

static int hist_pairs_add_event(const struct pair_spec *spec, const struct event *e,
				struct event_env *env, struct bpf_hist_pairs *ret,
				struct diag *diag)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *format = NULL;
	struct session_event described = { .name = e->name,
					   .system = e->system,
					   .tracepoint = e->tracepoint };
	int r;

	if (!e->tracepoint)
		return diag_set(diag, -EINVAL, "%s is not a tracepoint: it has no fields", e->name);
	if (ret->n_events == HIST_RULES_MAX)
		return diag_set(diag, -EOPNOTSUPP, "BPF counts pairs of at most %d events",
				HIST_RULES_MAX);
	r = hist_read_format(env, e->system, e->tracepoint, &format, diag);
	if (r < 0)
		return r;
	described.format = format;
	r = add_rules(spec, &described, ret->n_events, ret);
	ret->events[ret->n_events++] = e;
	if (r == -EOPNOTSUPP)
		diag_set(diag, r, "BPF cannot match these pairs");
	else if (r < 0)
		diag_set(diag, r, "%s lacks a field of the key", e->name);
	return r;
}

int hist_pair_rules(const struct pair_spec *spec, const struct event_list *events,
		    struct event_env *env, struct bpf_hist_pairs *ret, struct diag *diag)
{
	int r = 0;

	*ret = (struct bpf_hist_pairs){ .n_compared = spec->n_compared,
					.skips_zero = spec->skips_zero,
					.key_is_task = spec->key_is_task };
	for (size_t i = 0; i < events->n && r >= 0; i++)
		r = hist_pairs_add_event(spec, events->items[i], env, ret, diag);
	return r;
}
