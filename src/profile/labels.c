/* SPDX-License-Identifier: MIT */
#include "profile/labels.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/key.h"
#include "profile/profile.h"

static const struct {
	const char *word, *key;
} label_types[N_EXPORT_LABELS] = {
	[EXPORT_LABEL_COMM] = { "comm", "comm" },       [EXPORT_LABEL_PID] = { "pid", "pid" },
	[EXPORT_LABEL_TID] = { "tid", "pid" },          [EXPORT_LABEL_CPU] = { "cpu", "cpu" },
	[EXPORT_LABEL_CGROUP] = { "cgroup", "cgroup" }, [EXPORT_LABEL_TIME] = { "time", "time" },
};

const char *export_label_name(enum export_label label)
{
	return label_types[label].word;
}

static int find_label(const char *word, size_t n)
{
	for (int i = 0; i < N_TYPED_LABELS; i++)
		if (!strncmp(word, label_types[i].word, n) && !label_types[i].word[n])
			return i;
	return -EINVAL;
}

int export_labels_parse(const char *text, unsigned *ret, size_t *ret_offset, size_t *ret_length)
{
	const char *at = text;
	unsigned labels = 0;

	for (;;) {
		size_t n = strcspn(at, ",");
		int label = find_label(at, n);

		if (label < 0) {
			*ret_offset = (size_t)(at - text);
			*ret_length = n;
			return -EINVAL;
		}
		labels |= 1u << label;
		at += n;
		if (!*at++)
			break;
	}
	*ret = labels;
	return 0;
}

char *export_labels_sort(unsigned labels)
{
	struct text t = TEXT_EMPTY;

	for (int i = 0; i < N_EXPORT_LABELS; i++)
		if (labels & 1u << i && !strstr(t.chars, label_types[i].key))
			text_addf(&t, "%s%s", t.length ? "," : "", label_types[i].key);
	/* There must be a key. This one looks at frames, so it separates no samples. */
	if (!t.length)
		text_add(&t, "symbol");
	return text_take(&t);
}

void label_values_done(struct label_values *v)
{
	for (size_t i = 0; i < ARRAY_SIZE(v->scratch); i++)
		text_done(&v->scratch[i]);
}

/* Takes the parts of @key in that context. */
static void labels_take_key(struct label_values *v, struct profile *p, const struct key *key,
			    uint64_t value)
{
	const struct key_cell cell = { .value = value };
	struct value parts[KEY_PARTS_MAX] = { 0 };
	const char *name = key->type->name;
	bool is_comm = !strcmp(name, "comm");
	struct text *scratch = &v->scratch[!is_comm];

	text_clear(scratch);
	key_value(key, &p->env, &cell, scratch, parts);
	if (is_comm && parts[0].type == VALUE_TEXT)
		v->comm = parts[0].text;
	else if (!strcmp(name, "cgroup") && parts[0].type == VALUE_TEXT)
		v->cgroup = parts[0].text;
	else if (!strcmp(name, "cpu") && parts[0].type != VALUE_NONE)
		v->cpu = parts[0].signed_number;
	else if (!strcmp(name, "time"))
		v->time = value;
	else if (!strcmp(name, "pid")) {
		v->pid = parts[PART_PID].signed_number;
		v->tid = parts[PART_TID].signed_number;
	}
}

void label_values_get(struct label_values *v, struct profile *p, const struct tally *t,
		      uint32_t context, unsigned labels)
{
	const uint64_t *values = contexts_get(&t->contexts, context);

	v->comm = v->cgroup = NULL;
	v->pid = v->tid = v->cpu = -1;
	v->time = 0;
	for (size_t i = 0; labels && i < p->plan.keys.n; i++)
		labels_take_key(v, p, &p->plan.keys.items[i], values[i]);
	if (!(labels & 1u << EXPORT_LABEL_PID))
		v->pid = -1;
	if (!(labels & 1u << EXPORT_LABEL_TID))
		v->tid = -1;
}

int64_t label_number(const struct label_values *v, enum export_label label)
{
	switch (label) {
	case EXPORT_LABEL_PID:
		return v->pid;
	case EXPORT_LABEL_TID:
		return v->tid;
	case EXPORT_LABEL_CPU:
		return v->cpu;
	default:
		return -1;
	}
}

const char *label_text(const struct label_values *v, enum export_label label)
{
	return label == EXPORT_LABEL_COMM     ? v->comm
	       : label == EXPORT_LABEL_CGROUP ? v->cgroup
					      : NULL;
}

bool export_is_left_out(const struct profile *p, const struct tally *t, uint32_t context)
{
	return contexts_get(&t->contexts, context)[p->plan.keys.n + HIDDEN_LEFT_OUT];
}
