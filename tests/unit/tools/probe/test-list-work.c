/* SPDX-License-Identifier: MIT */
#include "probe/probing.h"

#include "tools/probe/list-work.h"
#include "tools/probe/place-work.h"
#include "probe/trace-probe.h"

/* The listed events and places. */
struct heard {
	char events[200];
	char places[200];
};

static void take(void *arg, const struct trace_probe *p, const struct probe_place *place)
{
	struct heard *h = arg;

	snprintf(h->events + strlen(h->events), 50, "%s ", p->event);
	snprintf(h->places + strlen(h->places), 50, "%s+%u ",
		 place->function ? place->function : "?", (unsigned)place->offset);
}

static int list(struct probing *p, const char *pattern, struct heard *h)
{
	const struct probe_list_sink sink = { .on_probe = take, .arg = h };

	*h = (struct heard){ 0 };
	return probe_list_find(&p->rq, pattern, &sink, &p->diag);
}

static void probes_are_listed_with_their_places(void **state)
{
	_cleanup_(probing_done) struct probing p = probing_begin(*state);
	_cleanup_(freep) char *line = NULL;
	unsigned text = example_program(p.program, EM_AARCH64);
	struct heard h;

	line = xasprintf("p:probe_program/x %s:0x%x\n", p.program, text + 20);
	fake_file(*state, "uprobe_events", line);
	assert_int_equal(list(&p, "", &h), 0);
	assert_string_equal(h.events, "x ");
	assert_string_equal(h.places, "second@@V_2+4 ");
}

static void a_pattern_chooses_among_them(void **state)
{
	_cleanup_(probing_done) struct probing p = probing_begin(*state);
	struct heard h;

	fake_file(*state, "uprobe_events",
		  "p:probe_a/one /no/such/file:0x10\np:probe_a/two /no/such/file:0x20\n");
	assert_int_equal(list(&p, "two", &h), 0);
	assert_string_equal(h.events, "two ");
}

static void without_tracefs_there_is_an_error(void **state)
{
	_cleanup_(probing_done) struct probing p = probing_begin(*state);
	struct heard h;

	p.rq.tracing_dir = "/no/such/folder";
	assert_true(list(&p, "", &h) < 0);
	assert_non_null(p.diag.message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PROBING(probes_are_listed_with_their_places),
		PROBING(a_pattern_chooses_among_them),
		PROBING(without_tracefs_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
