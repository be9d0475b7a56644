/* SPDX-License-Identifier: MIT */
#include "tools/script/fields-view.h"

#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "hwtrace/decoder.h"
#include "session/session.h"

static const char *const names[SCRIPT_FIELDS] = {
#define FIELD(symbol, name) [SCRIPT_FIELD_##symbol] = name,
#include "tools/script/fields-view.def"
#undef FIELD
};

_Static_assert(SCRIPT_FIELDS <= 64, "a field is a bit of uint64_t");

#define USUAL                                                                                      \
	(FIELD_BIT(COMM) | FIELD_BIT(TID) | FIELD_BIT(CPU) | FIELD_BIT(TIME) | FIELD_BIT(EVENT) |  \
	 FIELD_BIT(PERIOD) | PLACE)
#define PLACE (FIELD_BIT(IP) | FIELD_BIT(SYM) | FIELD_BIT(SYMOFF) | FIELD_BIT(DSO))
#define MEMORY                                                                                     \
	(FIELD_BIT(ADDR) | FIELD_BIT(DATA_SRC) | FIELD_BIT(WEIGHT) | FIELD_BIT(INS_LAT) |          \
	 FIELD_BIT(PHYS_ADDR) | FIELD_BIT(DATA_PAGE_SIZE) | FIELD_BIT(CODE_PAGE_SIZE))

static const struct {
	const char *title; /* in messages; the traditional names in perf */
	uint64_t usual;
	uint64_t senseless;
} types[SCRIPT_TYPES] = {
	[SCRIPT_TYPE_HW] = { "hardware", USUAL, FIELD_BIT(TRACE) | FIELD_BIT(BPF_OUTPUT) },
	[SCRIPT_TYPE_SW] = { "software", USUAL | FIELD_BIT(BPF_OUTPUT), FIELD_BIT(TRACE) },
	[SCRIPT_TYPE_TRACE] = { "tracepoint",
				(USUAL & ~(PLACE | FIELD_BIT(PERIOD))) | FIELD_BIT(TRACE), 0 },
	[SCRIPT_TYPE_CACHE] = { "hardware-cache", USUAL, FIELD_BIT(TRACE) | FIELD_BIT(BPF_OUTPUT) },
	[SCRIPT_TYPE_RAW] = { "raw", USUAL | MEMORY, FIELD_BIT(TRACE) | FIELD_BIT(BPF_OUTPUT) },
	[SCRIPT_TYPE_BREAKPOINT] = { "breakpoint", USUAL,
				     FIELD_BIT(TRACE) | FIELD_BIT(BPF_OUTPUT) },
	[SCRIPT_TYPE_OTHER] = { "other", USUAL, FIELD_BIT(TRACE) | FIELD_BIT(BPF_OUTPUT) },
	[SCRIPT_TYPE_SYNTH] = { "synthesized", (USUAL & ~FIELD_BIT(PERIOD)) | FIELD_BIT(SYNTH),
				FIELD_BIT(TRACE) | FIELD_BIT(BPF_OUTPUT) },
};

const char *script_field_name(enum script_field f)
{
	return names[f];
}

enum script_type script_type_of(uint32_t attr_type)
{
	if (attr_type == AUX_TYPE_SYNTHETIC)
		return SCRIPT_TYPE_SYNTH;
	return attr_type < PERF_TYPE_MAX ? (enum script_type)attr_type : SCRIPT_TYPE_OTHER;
}

/* Returns the first field of @fields, for a message. */
static const char *script_fields_first_name(uint64_t fields)
{
	return names[__builtin_ctzll(fields)];
}

/* Removes from @wanted the fields that type @t cannot show. */
static int script_fields_strike(uint64_t *wanted, enum script_type t, bool named,
				struct text *notes, struct diag *diag)
{
	uint64_t senseless = *wanted & types[t].senseless;

	if (senseless && named)
		return diag_set(diag, -EINVAL, "'%s' not valid for %s events.",
				script_fields_first_name(senseless), types[t].title);
	for (; senseless; senseless &= senseless - 1)
		text_addf(notes, "'%s' not valid for %s events. Ignoring.\n",
			  script_fields_first_name(senseless), types[t].title);
	*wanted &= ~types[t].senseless;
	return 0;
}

static int script_fields_apply(const struct field_request *q, enum script_type t,
			       struct script_fields *f, struct text *notes, struct diag *diag)
{
	bool named = q->types != FIELD_TYPE_ALL;
	uint64_t add = q->add;
	int r = script_fields_strike(&add, t, named, notes, diag);

	if (r < 0)
		return r;
	f->of[t] = q->replace ? add : (f->of[t] | add) & ~q->remove;
	/* If the type was named, its samples may lack a field, which is then omitted. */
	if (!named)
		f->asked[t] |= add;
	f->chosen[t] = true;
	f->shaped[t] |= q->replace || q->remove || (q->add & ~FIELD_BIT(FLAGS));
	f->named[t] |= named;
	return 0;
}

static void note_override(const struct field_request *q, const struct script_fields *f,
			  struct text *notes)
{
	bool before = false;

	if (!q->replace)
		return;
	for (size_t t = 0; t < SCRIPT_TYPES; t++)
		before |= (q->types >> t & 1) && f->chosen[t];
	if (!before)
		return;
	text_addf(notes, "Overriding previous field request for %s events.\n",
		  q->types == FIELD_TYPE_ALL ? "all" : types[__builtin_ctz(q->types)].title);
}

int script_fields_choose(const struct field_request *requests, size_t n, struct script_fields *ret,
			 struct text *notes, struct diag *diag)
{
	struct script_fields f = { 0 };
	uint64_t any = 0;

	for (size_t t = 0; t < SCRIPT_TYPES; t++)
		f.of[t] = types[t].usual;
	for (size_t i = 0; i < n; i++) {
		note_override(&requests[i], &f, notes);
		for (size_t t = 0; t < SCRIPT_TYPES; t++)
			if (requests[i].types >> t & 1) {
				int r = script_fields_apply(&requests[i], t, &f, notes, diag);

				if (r < 0)
					return r;
			}
	}
	for (size_t t = 0; t < SCRIPT_TYPES; t++)
		any |= f.of[t];
	if (!any)
		return diag_set(diag, -EINVAL, "Cannot set fields to 'none' for all event types.");
	*ret = f;
	return 0;
}

/* The data that a sample must contain for a field. */
static const struct {
	uint64_t field;
	uint64_t any_of; /* PERF_SAMPLE_* */
	const char *title;
} needs[] = {
	{ FIELD_BIT(TRACE), PERF_SAMPLE_RAW, "RAW" },
	{ FIELD_BIT(IP), PERF_SAMPLE_IP, "IP" },
	{ FIELD_BIT(ADDR), PERF_SAMPLE_ADDR, "ADDR" },
	{ FIELD_BIT(DATA_SRC), PERF_SAMPLE_DATA_SRC, "DATA_SRC" },
	{ FIELD_BIT(WEIGHT), PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT" },
	{ FIELD_BIT(INS_LAT), PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
	{ FIELD_BIT(RETIRE_LAT), PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
	{ FIELD_BIT(PID), PERF_SAMPLE_TID, "TID" },
	{ FIELD_BIT(TID), PERF_SAMPLE_TID, "TID" },
	{ FIELD_BIT(TIME), PERF_SAMPLE_TIME, "TIME" },
	{ FIELD_BIT(TOD), PERF_SAMPLE_TIME, "TIME" },
	{ FIELD_BIT(CPU), PERF_SAMPLE_CPU, "CPU" },
	{ FIELD_BIT(IREGS), PERF_SAMPLE_REGS_INTR, "IREGS" },
	{ FIELD_BIT(UREGS), PERF_SAMPLE_REGS_USER, "UREGS" },
	{ FIELD_BIT(PHYS_ADDR), PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR" },
	{ FIELD_BIT(DATA_PAGE_SIZE), PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE" },
	{ FIELD_BIT(CODE_PAGE_SIZE), PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE" },
	{ FIELD_BIT(CGROUP), PERF_SAMPLE_CGROUP, "CGROUP" },
};

/* The fields that samples decoded from hardware traces may have, whatever events were recorded. */
#define OF_TRACES                                                                                  \
	(FIELD_BIT(ADDR) | FIELD_BIT(DATA_SRC) | FIELD_BIT(WEIGHT) | FIELD_BIT(CPU) |              \
	 FIELD_BIT(IREGS) | FIELD_BIT(PHYS_ADDR))

/* Checks fields that depend on each other, whatever is recorded. */
static int check_alone(uint64_t fields, const struct attr *attr, struct diag *diag)
{
	if ((fields & FIELD_BIT(SYM)) && !(attr->sample_type & (PERF_SAMPLE_IP | PERF_SAMPLE_ADDR)))
		return diag_set(diag, -EINVAL,
				"Display of symbols requested but neither sample IP nor sample "
				"address available. Hence, no addresses to convert to symbols.");
	if ((fields & FIELD_BIT(SYMOFF)) && !(fields & FIELD_BIT(SYM)))
		return diag_set(diag, -EINVAL,
				"Display of offsets requested but symbol is not selected.");
	if ((fields & FIELD_BIT(DSO)) && !(attr->sample_type & (PERF_SAMPLE_IP | PERF_SAMPLE_ADDR)))
		return diag_set(diag, -EINVAL,
				"Display of DSO requested but neither sample IP nor sample address "
				"available. Hence, no addresses to convert to DSO.");
	if ((fields & (FIELD_BIT(SRCLINE) | FIELD_BIT(SRCCODE))) && !(fields & FIELD_BIT(IP)))
		return diag_set(diag, -EINVAL,
				"Display of source line number requested but sample IP is not "
				"selected. Hence, no address to lookup the source line number.");
	if ((fields &
	     (FIELD_BIT(BRSTACKINSN) | FIELD_BIT(BRSTACKINSNLEN) | FIELD_BIT(BRSTACKDISASM))) &&
	    !(attr->branch_sample_type & PERF_SAMPLE_BRANCH_ANY)) {
		diag_set(diag, -EINVAL,
			 "Display of branch stack assembler requested, but non all-branch filter "
			 "set");
		diag_hint(diag, "Hint: run 'perf record -b ...'");
		return -EINVAL;
	}
	if ((fields & FIELD_BIT(BRCNTR)) &&
	    !(attr->branch_sample_type & PERF_SAMPLE_BRANCH_COUNTERS)) {
		diag_set(diag, -EINVAL, "Display of branch counter requested but it's not enabled");
		diag_hint(diag, "Hint: run 'perf record -j any,counter ...'");
		return -EINVAL;
	}
	return 0;
}

/* Fits the fields of type @t. Its first event decides for all of them, as always in perf. */
static int fit_type(struct script_fields *f, enum script_type t, const struct session_event *ev,
		    bool hide_call_graph, bool has_traces, struct diag *diag)
{
	uint64_t has = ev->attr.sample_type;

	if (t == SCRIPT_TYPE_TRACE && !f->chosen[t] && !hide_call_graph &&
	    (has & PERF_SAMPLE_CALLCHAIN))
		f->of[t] |= PLACE;
	for (size_t i = 0; i < ARRAY_SIZE(needs); i++) {
		if (!(f->of[t] & needs[i].field) || (has & needs[i].any_of))
			continue;
		if ((f->asked[t] & needs[i].field & OF_TRACES) && has_traces)
			continue;
		if (f->asked[t] & needs[i].field)
			return diag_set(diag, -EINVAL,
					"Samples for '%s' event do not have %s attribute set. "
					"Cannot print '%s' field.",
					ev->name, needs[i].title,
					script_fields_first_name(needs[i].field));
		if (needs[i].field != FIELD_BIT(IP))
			f->of[t] &= ~needs[i].field;
	}
	return check_alone(f->of[t], &ev->attr, diag);
}

/* True for the recorder's own event, which has no samples. */
static bool script_fields_is_dummy(const struct attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_DUMMY;
}

int script_fields_fit(struct script_fields *f, const struct session *s, bool hide_call_graph,
		      struct diag *diag)
{
	bool has_traces = features_have(session_features(s), FEATURE_AUXTRACE);
	bool seen[SCRIPT_TYPES] = { false };

	for (size_t i = 0; i < session_event_count(s); i++) {
		const struct session_event *ev = session_event(s, i);
		enum script_type t = script_type_of(ev->attr.type);
		int r;

		if (seen[t] || script_fields_is_dummy(&ev->attr))
			continue;
		seen[t] = true;
		r = fit_type(f, t, ev, hide_call_graph, has_traces, diag);
		if (r < 0)
			return r;
	}
	for (size_t t = 0; t < SCRIPT_TYPES; t++)
		if (f->named[t] && !seen[t] && !f->of[t])
			return diag_set(diag, -EINVAL,
					"%s events do not exist. Remove corresponding -F option to "
					"proceed.",
					types[t].title);
	return 0;
}
