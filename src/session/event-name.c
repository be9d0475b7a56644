/* SPDX-License-Identifier: MIT */
#include "session/event-name.h"

#include <inttypes.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "event/names.h"
#include "wire/attr.h"

/* Appends the name of a generic event, or the shorter name that users know, if there is one. */
static void add_generic(struct text *t, const struct attr *attr, uint64_t limit,
			const char *otherwise)
{
	size_t n;
	const struct named_event *e = named_events(&n);
	bool short_name = attr->type == PERF_TYPE_HARDWARE &&
			  (attr->config == PERF_COUNT_HW_CPU_CYCLES ||
			   attr->config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS);

	for (; n && attr->config < limit; n--, e++)
		if (e->type == attr->type && e->config == attr->config) {
			text_add(t, short_name ? e->alias : e->name);
			return;
		}
	text_add(t, otherwise);
}

static void event_name_add_cache(struct text *t, const struct attr *attr)
{
	unsigned cache = attr->config & 0xff, op = attr->config >> 8 & 0xff;
	unsigned result = attr->config >> 16 & 0xff;

	if (cache >= PERF_COUNT_HW_CACHE_MAX) {
		text_add(t, "unknown-ext-hardware-cache-type");
	} else if (op >= PERF_COUNT_HW_CACHE_OP_MAX) {
		text_add(t, "unknown-ext-hardware-cache-op");
	} else if (result >= PERF_COUNT_HW_CACHE_RESULT_MAX) {
		text_add(t, "unknown-ext-hardware-cache-result");
	} else {
		_cleanup_(freep) char *name = cache_event_name(cache, op, result);

		text_add(t, name ? name : "invalid-cache");
	}
}

static void add_breakpoint(struct text *t, const struct attr *attr)
{
	text_addf(t, "mem:0x%" PRIx64 ":", attr->bp_addr);
	if (attr->bp_type & HW_BREAKPOINT_R)
		text_add_char(t, 'r');
	if (attr->bp_type & HW_BREAKPOINT_W)
		text_add_char(t, 'w');
	if (attr->bp_type & HW_BREAKPOINT_X)
		text_add_char(t, 'x');
}

/*
 * Appends the modifiers. :H is shown only if excluding guests does not follow from the other
 * letters.
 */
static void add_modifiers(struct text *t, const struct attr *attr)
{
	_cleanup_(text_done) struct text letters = TEXT_EMPTY;
	bool chosen = attr->exclude_kernel || attr->exclude_user || attr->exclude_hv;

	if (chosen && !attr->exclude_kernel)
		text_add_char(&letters, 'k');
	if (chosen && !attr->exclude_user)
		text_add_char(&letters, 'u');
	if (chosen && !attr->exclude_hv)
		text_add_char(&letters, 'h');
	for (unsigned i = 0; i < attr->precise_ip; i++)
		text_add_char(&letters, 'p');
	if (attr->exclude_host || attr->exclude_guest == (chosen || attr->precise_ip)) {
		if (!attr->exclude_host)
			text_add_char(&letters, 'H');
		if (!attr->exclude_guest)
			text_add_char(&letters, 'G');
	}
	if (letters.length)
		text_addf(t, ":%s", letters.chars);
}

char *event_name_derive(const struct attr *attr)
{
	struct text t = TEXT_EMPTY;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		add_generic(&t, attr, PERF_COUNT_HW_MAX, "unknown-hardware");
		break;
	case PERF_TYPE_SOFTWARE:
		/* 6.1 has no names for the software events that came after dummy. */
		add_generic(&t, attr, PERF_COUNT_SW_BPF_OUTPUT, "unknown-software");
		break;
	case PERF_TYPE_HW_CACHE:
		event_name_add_cache(&t, attr);
		break;
	case PERF_TYPE_RAW:
		text_addf(&t, "raw 0x%" PRIx64, attr->config);
		break;
	case PERF_TYPE_BREAKPOINT:
		add_breakpoint(&t, attr);
		break;
	case PERF_TYPE_TRACEPOINT:
		text_add(&t, "unknown tracepoint");
		return text_take(&t);
	default:
		text_addf(&t, "unknown attr type: %u", attr->type);
		return text_take(&t);
	}
	add_modifiers(&t, attr);
	return text_take(&t);
}
