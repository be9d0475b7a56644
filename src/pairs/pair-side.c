/* SPDX-License-Identifier: MIT */
#include "pairs/pair-side.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/memory.h"
#include "session/consumer.h"

/* The sector of every flush. No device has it. */
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
