/* SPDX-License-Identifier: MIT */
#include "event/term.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/number.h"
#include "event/ast.h"
#include "event/branch-type.h"

/* The type of a term's value. */
enum term_value {
	TERM_NUMBER,
	TERM_FLAG,    /* a number; true unless it is 0 */
	TERM_NO_FLAG, /* the inverse of TERM_FLAG */
	TERM_BIT,     /* 0 or 1 and nothing else */
	TERM_WORD,
	TERM_BRANCHES, /* a word that names PERF_SAMPLE_BRANCH_* bits */
};

#define SETTING_NONE -1

struct term_spec {
	const char *name;
	enum term_value value;
	int setting;         /* EVENT_SETTING_x that it sets, or SETTING_NONE */
	bool counting;       /* also permitted for counting, without samples */
	size_t offset, size; /* place of the field in struct event */
	int (*check)(const char *word, struct diag *diag); /* checks a word, or NULL */
};

static int check_call_graph(const char *word, struct diag *diag)
{
	static const char *const modes[] = { "fp", "dwarf", "lbr", "no" };

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		if (!strcmp(modes[i], word))
			return 0;
	return diag_set(diag, -EINVAL, "call-graph is one of fp, dwarf, lbr and no");
}

#define SETS(s, f)                                                                                 \
	.setting = EVENT_SETTING_##s, .offset = offsetof(struct event, settings.f),                \
	.size = sizeof(((struct event *)0)->settings.f)
#define ATTR(f)                                                                                    \
	.setting = SETTING_NONE, .counting = true, .offset = offsetof(struct event, attr.f),       \
	.size = sizeof(((struct event *)0)->attr.f)

static const struct term_spec specs[] = {
	{ "config", TERM_NUMBER, ATTR(config) },
	{ "config1", TERM_NUMBER, ATTR(config1) },
	{ "config2", TERM_NUMBER, ATTR(config2) },
	{ "config3", TERM_NUMBER, ATTR(config3) },
	{ "name", TERM_WORD, .setting = SETTING_NONE, .counting = true,
	  .offset = offsetof(struct event, name) },
	{ "period", TERM_NUMBER, SETS(PERIOD, period), .counting = true },
	{ "percore", TERM_BIT, SETS(PERCORE, percore), .counting = true },
	{ "metric-id", TERM_WORD, SETS(METRIC_ID, metric_id), .counting = true },
	{ "freq", TERM_NUMBER, SETS(FREQ, freq) },
	{ "branch_type", TERM_BRANCHES, SETS(BRANCH_TYPE, branch_type) },
	{ "time", TERM_BIT, SETS(TIME, time) },
	{ "call-graph", TERM_WORD, SETS(CALL_GRAPH, call_graph), .check = check_call_graph },
	{ "stack-size", TERM_NUMBER, SETS(STACK_SIZE, stack_size) },
	{ "inherit", TERM_FLAG, SETS(INHERIT, inherit) },
	{ "no-inherit", TERM_NO_FLAG, SETS(INHERIT, inherit) },
	{ "max-stack", TERM_NUMBER, SETS(MAX_STACK, max_stack) },
	{ "nr", TERM_NUMBER, SETS(MAX_EVENTS, max_events) },
	{ "overwrite", TERM_FLAG, SETS(OVERWRITE, overwrite) },
	{ "no-overwrite", TERM_NO_FLAG, SETS(OVERWRITE, overwrite) },
	{ "aux-output", TERM_FLAG, SETS(AUX_OUTPUT, aux_output) },
	{ "aux-sample-size", TERM_NUMBER, SETS(AUX_SAMPLE_SIZE, aux_sample_size) },
};

/* rNNN between the slashes is the whole config, as it is outside of them. */
static const struct term_spec raw_spec = { "config", TERM_NUMBER, ATTR(config) };

/* @sink: for CoreSight's driver, which reads the rest of the word itself. */
static const struct term_spec driver_spec = { "@", TERM_WORD, SETS(DRIVER_CONFIG, driver_config),
					      .counting = true };

const char *term_name(size_t i)
{
	return i < ARRAY_SIZE(specs) ? specs[i].name : NULL;
}

int term_number(const struct event_term *term, uint64_t *ret, struct diag *diag)
{
	int r = 0;

	if (term->value)
		r = number_parse(term->value, ret);
	else
		*ret = 1;
	if (r == -ERANGE)
		return diag_set(diag, -EINVAL, "'%s' does not fit 64 bits", term->value);
	if (r < 0)
		return diag_set(diag, -EINVAL, "'%s' takes a number", term->name);
	return 0;
}

static int store_number(void *field, const struct term_spec *spec, uint64_t number,
			struct diag *diag)
{
	uint64_t limit = spec->size == 8 ? UINT64_MAX : (1ULL << 8 * spec->size) - 1;

	if (number > limit)
		return diag_set(diag, -EINVAL, "'%s' is at most %llu", spec->name,
				(unsigned long long)limit);
	if (spec->size == sizeof(uint16_t))
		*(uint16_t *)field = (uint16_t)number;
	else if (spec->size == sizeof(uint32_t))
		*(uint32_t *)field = (uint32_t)number;
	else
		*(uint64_t *)field = number;
	return 0;
}

static int store_value(void *field, const struct term_spec *spec, uint64_t number,
		       struct diag *diag)
{
	switch (spec->value) {
	case TERM_FLAG:
		*(bool *)field = number;
		return 0;
	case TERM_NO_FLAG:
		*(bool *)field = !number;
		return 0;
	case TERM_BIT:
		if (number > 1)
			return diag_set(diag, -EINVAL, "'%s' is 0 or 1", spec->name);
		*(bool *)field = number;
		return 0;
	default:
		return store_number(field, spec, number, diag);
	}
}

/* Stores a word. A name keeps its first value; other words get the last one. */
static int term_store_word(void *field, const struct term_spec *spec, const char *word,
			   struct diag *diag)
{
	char **s = field;

	if (spec->check && spec->check(word, diag) < 0)
		return -EINVAL;
	if (*s && spec->setting == SETTING_NONE)
		return 0;
	free(*s);
	*s = xstrdup(word);
	return 0;
}

static void mark_given(struct event_settings *s, int setting)
{
	if (setting == SETTING_NONE)
		return;
	s->given |= 1u << setting;
	/* If both period and freq are given, the last one counts. */
	if (setting == EVENT_SETTING_PERIOD)
		s->given &= ~(1u << EVENT_SETTING_FREQ);
	if (setting == EVENT_SETTING_FREQ)
		s->given &= ~(1u << EVENT_SETTING_PERIOD);
}

static const struct term_spec *find_spec(const struct event_term *term, uint64_t *ret_raw)
{
	for (size_t i = 0; i < ARRAY_SIZE(specs); i++)
		if (!strcmp(specs[i].name, term->name))
			return &specs[i];
	if (term->name[0] == '@')
		return &driver_spec;
	return !term->value && raw_event_parse(term->name, ret_raw) ? &raw_spec : NULL;
}

bool term_is_general(const struct event_term *term)
{
	uint64_t raw;

	return find_spec(term, &raw);
}

int term_apply(struct event *e, const struct event_term *term, enum event_use use, bool *ret_whole,
	       struct diag *diag)
{
	uint64_t number = 0;
	const struct term_spec *spec = find_spec(term, &number);
	int r = 0;

	if (!spec)
		return -ENOENT;

	/* "@sink=x" is passed to the driver as "sink=x". */
	_cleanup_(freep) char *driver = spec != &driver_spec ? NULL
					: term->value
						? xasprintf("%s=%s", term->name + 1, term->value)
						: xstrdup(term->name + 1);
	const char *word = driver ? driver : term->value;
	bool words = spec->value == TERM_WORD || spec->value == TERM_BRANCHES;
	void *field = (char *)e + spec->offset;

	*ret_whole = true;
	if (use == EVENT_USE_COUNTING && !spec->counting)
		return diag_set(diag, -EINVAL, "'%s' is about samples, and counting takes none",
				term->name);
	if (words && !word)
		return diag_set(diag, -EINVAL, "'%s' needs a value", term->name);
	*ret_whole = !term->value;
	if (!words && spec != &raw_spec)
		r = term_number(term, &number, diag);
	if (r < 0)
		return r;
	if (spec->value == TERM_BRANCHES)
		r = branch_type_parse(word, field, diag);
	else if (words)
		r = term_store_word(field, spec, word, diag);
	else
		r = store_value(field, spec, number, diag);
	if (r >= 0)
		mark_given(&e->settings, spec->setting);
	return r;
}
