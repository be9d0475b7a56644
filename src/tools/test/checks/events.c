/* SPDX-License-Identifier: MIT */
/* The syntax of -e: names, terms, groups and the names of this machine's PMUs. */
#include <string.h>

#include "base/memory.h"
#include "event/env.h"
#include "event/event.h"
#include "kernel/pmu.h"
#include "tools/test/checks/checks.h"
#include "tools/test/checks/kit.h"

/* The expected result of each text, on any machine. */
static const struct {
	const char *text;
	uint32_t type;
	uint64_t config;
	size_t events;
	unsigned exclude_kernel, exclude_user, precise;
} texts[] = {
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 1, 0, 0, 0 },
	{ "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 1, 0, 0, 0 },
	{ "instructions:u", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 1, 1, 0, 0 },
	{ "instructions:k", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 1, 0, 1, 0 },
	{ "cycles:pp", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 1, 0, 0, 2 },
	{ "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 1, 0, 0, 0 },
	{ "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, 1, 0, 0, 0 },
	{ "cpu-clock:u", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 1, 1, 0, 0 },
	{ "task-clock,page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 2, 0, 0, 0 },
	{ "{cycles,instructions}", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 2, 0, 0, 0 },
	{ "{cycles,instructions}:u", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 2, 1, 0, 0 },
	{ "L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x10000, 1, 0, 0, 0 },
	{ "LLC-loads", PERF_TYPE_HW_CACHE, 0x2, 1, 0, 0, 0 },
	{ "r1a", PERF_TYPE_RAW, 0x1a, 1, 0, 0, 0 },
	{ "mem:0x1000:rw", PERF_TYPE_BREAKPOINT, 0, 1, 0, 0, 0 },
	{ "mem:0x1000/4:w:u", PERF_TYPE_BREAKPOINT, 0, 1, 1, 0, 0 },
	{ "dummy", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, 1, 0, 0, 0 },
};

static enum selftest_outcome test_texts(struct selftest_run *t)
{
	_cleanup_(event_env_freep) struct event_env *env = event_env_new("/nonexistent", NULL);

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		_cleanup_(event_list_done) struct event_list l = { 0 };
		_cleanup_(diag_done) struct diag d = { 0 };
		const struct attr *a;

		fprintf(t->out, "-e %s\n", texts[i].text);
		EXPECT(t, event_list_parse(&l, texts[i].text, env, EVENT_USE_SAMPLING, &d) >= 0,
		       "-e %s is refused: %s", texts[i].text, d.message);
		EXPECT(t, l.n == texts[i].events, "-e %s is %zu events", texts[i].text, l.n);
		a = &l.items[0]->attr;
		EXPECT(t,
		       a->type == texts[i].type && a->config == texts[i].config &&
			       a->exclude_kernel == texts[i].exclude_kernel &&
			       a->exclude_user == texts[i].exclude_user &&
			       a->precise_ip == texts[i].precise,
		       "-e %s means type %u, config %#llx", texts[i].text, a->type,
		       (unsigned long long)a->config);
	}
	return SELFTEST_OK;
}

static const char *const wrong_texts[] = { "",         "nosuchevent", "cycles,",
					   "{cycles",  "cycles:zz",   "cycles/period",
					   "mem:zz:r", "r12z",        ",",
					   "{}",       "cpu/event=/", NULL };

static enum selftest_outcome test_wrong_texts(struct selftest_run *t)
{
	_cleanup_(event_env_freep) struct event_env *env = event_env_new(NULL, NULL);

	for (const char *const *w = wrong_texts; *w; w++) {
		_cleanup_(event_list_done) struct event_list l = { 0 };
		_cleanup_(diag_done) struct diag d = { 0 };
		int r = event_list_parse(&l, *w, env, EVENT_USE_SAMPLING, &d);

		fprintf(t->out, "-e '%s': %s\n", *w, d.message ? d.message : "");
		EXPECT(t, r < 0 && d.message, "-e '%s' is accepted", *w);
	}
	return SELFTEST_OK;
}

/* Parses @alias as an event of @pmu. */
static enum selftest_outcome try_alias(struct selftest_run *t, struct event_env *env,
				       const struct pmu *pmu, const char *alias)
{
	_cleanup_(freep) char *text = xasprintf("%s/%s/", pmu->name, alias);
	_cleanup_(event_list_done) struct event_list l = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = event_list_parse(&l, text, env, EVENT_USE_COUNTING, &d);

	fprintf(t->out, "%s\n", text);
	/* An event with parameters that the user must give (`?`) has an error of its own. */
	if (r < 0 && strchr(pmu_alias_find(pmu, alias)->terms, '?'))
		return SELFTEST_OK;
	EXPECT(t, r >= 0, "%s, which the kernel lists, is refused: %s", text, d.message);
	EXPECT(t, l.n && l.items[0]->attr.type == pmu->type, "%s is not of its PMU", text);
	return SELFTEST_OK;
}

static enum selftest_outcome test_sysfs_events(struct selftest_run *t)
{
	_cleanup_(event_env_freep) struct event_env *env = event_env_new(NULL, NULL);
	struct pmu_list *pmus = event_env_pmus(env);
	size_t n = 0;

	for (size_t i = 0; i < pmu_list_count(pmus); i++) {
		const struct pmu *pmu = pmu_list_get(pmus, i);

		for (size_t j = 0; pmu && j < pmu->n_aliases; j++, n++)
			NEED(try_alias(t, env, pmu, pmu->aliases[j].name));
	}
	return n ? SELFTEST_OK : selftest_skip(t, "no PMU of this machine names events in sysfs");
}

static enum selftest_outcome test_terms(struct selftest_run *t)
{
	static const char *const names[] = { "cpu-clock/period=1000,name=x/",
					     "cpu-clock/freq=99,call-graph=fp/",
					     "cpu-clock/call-graph=dwarf,stack-size=4096/",
					     "cpu-clock/time=0,no-inherit/",
					     "cpu-clock/max-stack=3,nr=5/",
					     NULL };
	_cleanup_(event_env_freep) struct event_env *env = event_env_new(NULL, NULL);

	for (const char *const *w = names; *w; w++) {
		_cleanup_(event_list_done) struct event_list l = { 0 };
		_cleanup_(diag_done) struct diag d = { 0 };

		fprintf(t->out, "-e %s\n", *w);
		EXPECT(t, event_list_parse(&l, *w, env, EVENT_USE_SAMPLING, &d) >= 0,
		       "-e %s is refused: %s", *w, d.message);
		EXPECT(t, l.items[0]->settings.given, "-e %s sets nothing", *w);
	}
	return SELFTEST_OK;
}

static const struct selftest_case parse_cases[] = {
	{ "Test event parsing", test_texts },
	{ "Parsing of all PMU events from sysfs", test_sysfs_events },
	{ "Parsing of terms (event modifiers)", test_terms },
	{ "Wrong event texts are refused", test_wrong_texts },
	{ NULL, NULL },
};

const struct selftest check_parse_events = {
	.name = "Parse event definition strings",
	.why = "events after -e are refused, or something else than what was asked is measured",
	.cases = parse_cases,
};

static enum selftest_outcome test_formats(struct selftest_run *t)
{
	_cleanup_(pmu_list_freep) struct pmu_list *pmus = pmu_list_open(PMU_DEVICES);
	size_t n = 0;

	for (size_t i = 0; i < pmu_list_count(pmus); i++) {
		const struct pmu *pmu = pmu_list_get(pmus, i);

		for (size_t j = 0; pmu && j < pmu->n_formats; j++, n++) {
			const struct pmu_format *f = &pmu->formats[j];
			uint64_t word = 0;

			fprintf(t->out, "%s/%s: %#llx\n", pmu->name, f->name,
				(unsigned long long)f->mask);
			pmu_format_deposit(f, pmu_format_max(f), &word);
			EXPECT(t, f->mask && word == f->mask,
			       "the format %s of %s does not reach its bits", f->name, pmu->name);
		}
	}
	return n ? SELFTEST_OK : selftest_skip(t, "no PMU of this machine has formats in sysfs");
}

const struct selftest check_pmu_format = {
	.name = "Parse perf pmu format",
	.why = "terms such as cpu/event=0x3c/ set the wrong bits, so other things are counted",
	.run = test_formats,
};

static enum selftest_outcome test_attrs(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	NEED(kit_need_events(t));
	EXPECT(t,
	       PERF(t, &out, "record", "-q", "-o", "perf.data", "-e", "cpu-clock:u", "-F", "100",
		    "-g", "--", "true") == 0,
	       "perf record of `true` fails");
	EXPECT(t, PERF(t, &out, "evlist", "-v", "-i", "perf.data") == 0, "perf evlist -v fails");
	EXPECT(t, strstr(out.chars, "cpu-clock:u"), "the event is not in the file");
	EXPECT(t, strstr(out.chars, "CALLCHAIN"), "-g does not ask for call chains");
	EXPECT(t, strstr(out.chars, "exclude_kernel: 1"), ":u does not leave the kernel out");
	EXPECT(t, strstr(out.chars, "enable_on_exec: 1"),
	       "a workload is not measured from exec on");
	return SELFTEST_OK;
}

const struct selftest check_attr = {
	.name = "Setup struct perf_event_attr",
	.why = "options of perf record do not reach the kernel",
	.run = test_attrs,
};
