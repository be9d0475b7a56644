/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "event/ast.h"
#include "marked.h"

static struct event_ast ast;

static void parse(const char *text)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	event_ast_done(&ast);
	if (event_ast_parse(text, &ast, &diag) < 0)
		fail_msg("%s: %s", text, diag.message);
	assert_null(diag.message);
	assert_string_equal(ast.source, text);
}

/* Returns the only event of @text. */
static const struct event_node *node_of(const char *text)
{
	parse(text);
	assert_int_equal(ast.n, 1);
	assert_int_equal(ast.items[0].n, 1);
	return &ast.items[0].items[0];
}

static int forget(void **state)
{
	(void)state;
	event_ast_done(&ast);
	return 0;
}

#define assert_span(s, a, n)                                                                       \
	do {                                                                                       \
		assert_int_equal((s).at, a);                                                       \
		assert_int_equal((s).length, n);                                                   \
	} while (0)

static void a_word_is_an_event(void **state)
{
	(void)state;
	const struct event_node *node = node_of("L1-dcache-load-misses");

	assert_int_equal(node->syntax, EVENT_SYNTAX_WORD);
	assert_string_equal(node->name, "L1-dcache-load-misses");
	assert_false(node->slashes);
	assert_null(node->modifiers);
	assert_false(ast.items[0].group);
	assert_span(node->span, 0, 21);
	assert_span(node->name_span, 0, 21);
}

static void letters_after_a_colon_are_modifiers(void **state)
{
	(void)state;
	const struct event_node *node = node_of("cycles:ukhIGHpppPSDWebRX");

	assert_string_equal(node->name, "cycles");
	assert_string_equal(node->modifiers, "ukhIGHpppPSDWebRX");
	assert_span(node->modifiers_span, 7, 17);
	assert_span(node->name_span, 0, 6);
}

static void a_lone_colon_is_an_empty_list_of_modifiers(void **state)
{
	(void)state;
	assert_string_equal(node_of("cycles:")->modifiers, "");
	assert_string_equal(node_of("mem:0x1000:w:")->modifiers, "");
	assert_string_equal(node_of("1:0:")->modifiers, "");
	assert_int_equal(node_of("sched:")->syntax, EVENT_SYNTAX_WORD);
}

static void events_between_commas_keep_their_order(void **state)
{
	static const char *const names[] = { "cycles", "cs", "r1a8" };

	(void)state;
	parse("cycles,cs:u,r1a8");
	assert_int_equal(ast.n, ARRAY_SIZE(names));
	for (size_t i = 0; i < ast.n; i++) {
		assert_int_equal(ast.items[i].n, 1);
		assert_false(ast.items[i].group);
		assert_string_equal(ast.items[i].items[0].name, names[i]);
	}
	assert_span(ast.items[1].items[0].span, 7, 4);
}

static void blanks_between_the_parts_belong_to_nothing(void **state)
{
	(void)state;
	parse(" \t{ cs , cpu / config = 0 , name = x / u }\n: k , faults : u ");
	assert_int_equal(ast.n, 2);
	assert_int_equal(ast.items[0].n, 2);
	assert_string_equal(ast.items[0].modifiers, "k");

	const struct event_node *cs = &ast.items[0].items[0], *cpu = &ast.items[0].items[1];
	const struct event_node *faults = &ast.items[1].items[0];

	assert_span(cs->span, 4, 2);
	assert_string_equal(cs->name, "cs");
	assert_string_equal(cpu->name, "cpu");
	assert_string_equal(cpu->terms[0].name, "config");
	assert_string_equal(cpu->terms[0].value, "0");
	assert_string_equal(cpu->terms[1].value, "x");
	assert_string_equal(cpu->modifiers, "u");
	assert_string_equal(faults->modifiers, "u");
	assert_int_equal(ast.source[faults->span.at + faults->span.length - 1], 'u');
}

static void terms_are_flags_or_have_values(void **state)
{
	(void)state;
	const struct event_node *node = node_of("cpu/event=0x0e,inv,cmask=0x01/pp");

	assert_int_equal(node->syntax, EVENT_SYNTAX_PMU);
	assert_string_equal(node->name, "cpu");
	assert_true(node->slashes);
	assert_int_equal(node->n_terms, 3);
	assert_string_equal(node->terms[0].name, "event");
	assert_string_equal(node->terms[0].value, "0x0e");
	assert_span(node->terms[0].name_span, 4, 5);
	assert_span(node->terms[0].value_span, 10, 4);
	assert_string_equal(node->terms[1].name, "inv");
	assert_null(node->terms[1].value);
	assert_string_equal(node->terms[2].value, "0x01");
	assert_string_equal(node->modifiers, "pp");
	assert_span(node->modifiers_span, 30, 2);
	assert_span(node->span, 0, 32);
}

static void a_term_list_may_be_empty(void **state)
{
	(void)state;
	const struct event_node *node = node_of("cpu//u");

	assert_int_equal(node->syntax, EVENT_SYNTAX_PMU);
	assert_true(node->slashes);
	assert_int_equal(node->n_terms, 0);
	assert_string_equal(node->modifiers, "u");
	assert_null(node_of("cpu//")->modifiers);
}

static void quotes_of_three_kinds_hold_a_value(void **state)
{
	static const char *const texts[] = {
		"cs/name='a, b/c=d'/",
		"cs/name=\"a, b/c=d\"/",
		"cs/name=\\'a, b/c=d\\'/",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const struct event_node *node = node_of(texts[i]);

		assert_int_equal(node->n_terms, 1);
		assert_string_equal(node->terms[0].value, "a, b/c=d");
		/* The span includes the quotes. */
		assert_span(node->terms[0].value_span, 8, strlen(texts[i]) - 9);
	}
}

static void one_kind_of_quotes_may_hold_another(void **state)
{
	(void)state;
	assert_string_equal(node_of("cs/name=\"it's\"/")->terms[0].value, "it's");
	assert_string_equal(node_of("cs/name='\"x\"'/")->terms[0].value, "\"x\"");
}

static void values_may_hold_signs_that_names_may_not(void **state)
{
	(void)state;
	assert_string_equal(node_of("cs/name=a:b%c@d/")->terms[0].value, "a:b%c@d");
	assert_string_equal(node_of("hv/core=?/")->terms[0].value, "?");
}

static void a_term_for_the_driver_begins_with_an_at_sign(void **state)
{
	(void)state;
	const struct event_node *node = node_of("cs_etm/@tmc_etr0,@sink=x/");

	assert_string_equal(node->terms[0].name, "@tmc_etr0");
	assert_null(node->terms[0].value);
	assert_string_equal(node->terms[1].name, "@sink");
	assert_string_equal(node->terms[1].value, "x");
}

static void a_system_and_a_name_are_a_tracepoint(void **state)
{
	(void)state;
	const struct event_node *node = node_of("sched:sched_switch");

	assert_int_equal(node->syntax, EVENT_SYNTAX_TRACEPOINT);
	assert_string_equal(node->system, "sched");
	assert_string_equal(node->name, "sched_switch");
	assert_span(node->name_span, 0, 18);
}

static void either_part_of_a_tracepoint_may_be_a_glob(void **state)
{
	(void)state;
	const struct event_node *node = node_of("sys*:sys_enter_?ead[v2]*:u");

	assert_int_equal(node->syntax, EVENT_SYNTAX_TRACEPOINT);
	assert_string_equal(node->system, "sys*");
	assert_string_equal(node->name, "sys_enter_?ead[v2]*");
	assert_string_equal(node->modifiers, "u");
}

/* MEM_LOAD_RETIRED:L1_HIT:L2_HIT and skl::NAME look like tracepoints; only resolving decides. */
static void names_of_libpfm4_may_have_more_parts(void **state)
{
	(void)state;
	const struct event_node *node = node_of("MEM_LOAD_RETIRED:L1_HIT:L2_HIT:c=1:u");

	assert_int_equal(node->syntax, EVENT_SYNTAX_TRACEPOINT);
	assert_string_equal(node->system, "MEM_LOAD_RETIRED");
	assert_string_equal(node->name, "L1_HIT:L2_HIT:c=1");
	assert_string_equal(node->modifiers, "u");
	assert_span(node->name_span, 0, 34);

	node = node_of("skl::INST_RETIRED:ANY");
	assert_string_equal(node->system, "skl");
	assert_string_equal(node->name, ":INST_RETIRED:ANY");
}

static void a_tracepoint_may_have_terms(void **state)
{
	(void)state;
	const struct event_node *node = node_of("sched:sched_switch/call-graph=fp/k");

	assert_int_equal(node->syntax, EVENT_SYNTAX_TRACEPOINT);
	assert_string_equal(node->terms[0].value, "fp");
	assert_string_equal(node->modifiers, "k");
}

/* A word made of modifiers is a name only if no text follows that cannot follow modifiers. */
static void modifiers_before_another_colon_are_a_name(void **state)
{
	(void)state;
	const struct event_node *node = node_of("probe:p:u");

	assert_int_equal(node->syntax, EVENT_SYNTAX_TRACEPOINT);
	assert_string_equal(node->name, "p");
	assert_string_equal(node->modifiers, "u");

	node = node_of("probe:p/nr=1/");
	assert_int_equal(node->syntax, EVENT_SYNTAX_TRACEPOINT);
	assert_string_equal(node->name, "p");
	assert_int_equal(node_of("probe:p")->syntax, EVENT_SYNTAX_WORD);
}

static void an_sdt_event_may_have_a_percent_sign(void **state)
{
	(void)state;
	const struct event_node *node = node_of("%sdt_libc:setjmp");

	assert_string_equal(node->system, "sdt_libc");
	assert_string_equal(node->name, "setjmp");
	assert_span(node->name_span, 1, 15);
}

static void two_numbers_are_a_type_and_a_config(void **state)
{
	(void)state;
	const struct event_node *node = node_of("4294967295:0x1ffffffff:u");

	assert_int_equal(node->syntax, EVENT_SYNTAX_NUMERIC);
	assert_int_equal(node->type, UINT32_MAX);
	assert_int_equal(node->config, 0x1ffffffff);
	assert_string_equal(node->modifiers, "u");
	assert_span(node->name_span, 0, 22);
	assert_int_equal(node_of("0x4:010")->type, 4);
	assert_int_equal(node_of("0x4:010")->config, 10); /* not octal */
	assert_string_equal(node_of("1:0/name=x/")->terms[0].value, "x");
}

static void mem_is_a_breakpoint(void **state)
{
	static const struct {
		const char *text;
		uint64_t address, size;
		const char *access, *modifiers;
	} cases[] = {
		{ "mem:4096", 4096, 0, NULL, NULL },
		{ "mem:0xffffffffffffffff", UINT64_MAX, 0, NULL, NULL },
		{ "mem:0x1000:rw", 0x1000, 0, "rw", NULL },
		{ "mem:0x1000/8:xwr", 0x1000, 8, "xwr", NULL },
		{ "mem:0x1000/0x10", 0x1000, 16, NULL, NULL },
		{ "mem:0x1000:u", 0x1000, 0, NULL, "u" },
		{ "mem:0x1000:rwu", 0x1000, 0, "rw", "u" },
		{ "mem:0x1000/2:w:uk", 0x1000, 2, "w", "uk" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct event_node *node = node_of(cases[i].text);

		assert_int_equal(node->syntax, EVENT_SYNTAX_BREAKPOINT);
		assert_int_equal(node->address, cases[i].address);
		assert_int_equal(node->breakpoint_size, cases[i].size);
		assert_string_equal(node->access ? node->access : "",
				    cases[i].access ? cases[i].access : "");
		assert_string_equal(node->modifiers ? node->modifiers : "",
				    cases[i].modifiers ? cases[i].modifiers : "");
		assert_span(node->span, 0, strlen(cases[i].text));
	}
}

static void a_breakpoint_may_have_terms_after_its_length(void **state)
{
	(void)state;
	const struct event_node *node = node_of("mem:0x1000/4:w/name=x/u");

	assert_int_equal(node->breakpoint_size, 4);
	assert_string_equal(node->access, "w");
	assert_string_equal(node->terms[0].name, "name");
	assert_string_equal(node->modifiers, "u");

	node = node_of("mem:0x1000/name=x/");
	assert_int_equal(node->breakpoint_size, 0);
	assert_string_equal(node->terms[0].name, "name");
}

static void sources_and_objects_are_bpf(void **state)
{
	static const char *const texts[] = { "filter.c", "filter.o", "./filter.c",
					     "/tmp/x/filter.o", "tests/x.bpf.c" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const struct event_node *node = node_of(texts[i]);

		assert_int_equal(node->syntax, EVENT_SYNTAX_BPF);
		assert_string_equal(node->name, texts[i]);
		assert_span(node->name_span, 0, strlen(texts[i]));
	}
	parse("filter.c,cs");
	assert_int_equal(ast.n, 2);
	assert_string_equal(ast.items[0].items[0].name, "filter.c");
	assert_int_equal(node_of("inst_retired.any")->syntax, EVENT_SYNTAX_WORD);
	assert_int_equal(node_of("cpu/name=x.c/")->syntax, EVENT_SYNTAX_PMU);
}

static void terms_of_bpf_programs_have_maps_and_indices(void **state)
{
	const struct event_node *node;

	(void)state;
	parse("./x.c/map:channel.event=evt,map:conf.value[0,3...5]=-7/,cs");
	node = &ast.items[0].items[0];
	assert_string_equal(node->name, "./x.c");
	assert_int_equal(node->n_terms, 2);
	assert_string_equal(node->terms[0].name, "map:channel.event");
	assert_string_equal(node->terms[0].value, "evt");
	assert_string_equal(node->terms[1].name, "map:conf.value[0,3...5]");
	assert_string_equal(node->terms[1].value, "-7");
	assert_int_equal(ast.n, 2);
	assert_string_equal(node_of("x.o:k")->modifiers, "k");
}

static void a_path_that_is_no_program_is_refused(void **state)
{
	struct event_ast none;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(event_ast_parse("../filter", &none, &diag), -EINVAL);
	assert_non_null(strstr(diag.message, "ends in .c or .o"));
	diag_done(&diag);
}

static void braces_make_a_group(void **state)
{
	(void)state;
	parse("faults,{cycles:u,cs}:Sk,{probe:*}");
	assert_int_equal(ast.n, 3);
	assert_false(ast.items[0].group);
	assert_null(ast.items[0].modifiers);
	assert_true(ast.items[1].group);
	assert_int_equal(ast.items[1].n, 2);
	assert_string_equal(ast.items[1].items[0].modifiers, "u");
	assert_string_equal(ast.items[1].modifiers, "Sk");
	assert_span(ast.items[1].modifiers_span, 21, 2);
	assert_null(ast.items[1].group_name);
	assert_true(ast.items[2].group);
	assert_null(ast.items[2].modifiers);
}

static void a_group_may_have_a_name(void **state)
{
	(void)state;
	parse("memory{cs},G2 {faults}:u");
	assert_int_equal(ast.n, 2);
	assert_string_equal(ast.items[0].group_name, "memory");
	assert_string_equal(ast.items[1].group_name, "G2");
	assert_string_equal(ast.items[1].modifiers, "u");
}

static const struct {
	const char *text, *mark, *words;
} mistakes[] = {
	/* lists */
	{ "", "|", "an event is missing here" },
	{ "  ", "  |", "an event is missing here" },
	{ ",cs", "^", "an event cannot begin with ','" },
	{ "cs,", "   |", "an event is missing here" },
	{ "cs,,cs", "   ^", "an event cannot begin with ','" },
	{ "cs faults", "   ^", "expected ',' or the end here" },
	{ "cs;faults", "  ^", "expected ',' or the end here" },
	{ "$cs", "^", "an event cannot begin with '$'" },
	{ "\"cs\"", "^", "an event cannot begin with '\"'" },
	{ ".cs", "^", "an event cannot begin with '.'" },
	{ "%", "^", "an event cannot begin with '%'" },
	{ "cs\xc3\xa9", "  ^", "expected ',' or the end here" },

	/* groups */
	{ "{}", " ^", "an event cannot begin with '}'" },
	{ "{cs,}", "    ^", "an event cannot begin with '}'" },
	{ "{,cs}", " ^", "an event cannot begin with ','" },
	{ "{cs", "^", "this '{' is never closed" },
	{ "name {cs", "     ^", "this '{' is never closed" },
	{ "{cs,", "    |", "an event is missing here" },
	{ "cs}", "  ^", "expected ',' or the end here" },
	{ "{{cs}}", " ^", "groups cannot be nested" },
	{ "{cs,{faults}}", "    ^", "groups cannot be nested" },
	{ "{cs faults}", "    ^", "expected ',' or '}' here" },
	{ "{cs}faults", "    ^", "expected ',' or the end here" },
	{ "{cs}/name=x/", "    ^", "expected ',' or the end here" },
	{ "{cs}:", "     |", "the group's modifiers are missing" },
	{ "{cs}:,faults", "     ^", "the group's modifiers are missing" },
	{ "{cs}:ux", "      ^", "unknown modifier 'x'" },
	{ "{cs}:u:k", "      ^", "only one list of modifiers" },

	/* modifiers; braces after a colon are expanded by the shell */
	{ "cycles:{k,u}", "       ^^^^^", "braces do not list modifiers" },
	{ "cycles:{k", "       ^^", "braces do not list modifiers" },
	{ "cs:u:k:u", "      ^", "only one list of modifiers" },
	{ "cs::", "   ^", "a modifier or a tracepoint's name is missing" },
	{ "cs/name=x/:u", "          ^", "modifiers follow the '/' without a colon" },
	{ "cs/name=x/ux", "           ^", "unknown modifier 'x'" },
	{ "cs/name=x/u/", "           ^", "expected ',' or the end here" },
	{ "sched:sched_switch:x", "                   ^", "unknown modifier 'x'" },
	{ "1:0:x", "    ^", "unknown modifier 'x'" },
	{ "__:x:L2", "     ^", "unknown modifier 'L'" },
	{ ":u", "^", "an event cannot begin with ':'" },

	/* terms */
	{ "cs/", "   |", "a term (name or name=value) is missing here" },
	{ "cs/name=x", "  ^", "this '/' is never closed" },
	{ "cs/name=x,", "          |", "a term (name or name=value) is missing here" },
	{ "cs/name=x,/", "          ^", "a term (name or name=value) is missing here" },
	{ "cs/,name=x/", "   ^", "a term (name or name=value) is missing here" },
	{ "cs/=x/", "   ^", "a term (name or name=value) is missing here" },
	{ "cs/name=/", "        ^", "'name' needs a value" },
	{ "cs/name=", "        |", "'name' needs a value" },
	{ "cs/name=''/", "        ^^", "'name' needs a value" },
	{ "cs/name=\\'\\'/", "        ^^^^", "'name' needs a value" },
	{ "cs/name='x/", "        ^", "this quote is never closed" },
	{ "cs/name=\"x'/", "        ^", "this quote is never closed" },
	{ "cs/name=\\'x'/", "        ^^", "this quote is never closed" },
	{ "cs/name=x;y/", "         ^", "expected ',' or '/' here" },
	{ "cs/name=x=y/", "         ^", "expected ',' or '/' here" },
	{ "cs/name=x'/", "         ^", "expected ',' or '/' here" },
	{ "cs/name=\\x/", "        ^", "'name' needs a value" },
	{ "./x.c/,a=1/", "      ^", "a term such as map:NAME.event=EVENT is missing here" },
	{ "./x.c/a=/", "        ^", "'a' needs a value" },
	{ "./x.cpp", "^^^^^^^", "a file that ends in .c or .o" },
	{ "./x.oo", "^^^^^^", "a file that ends in .c or .o" },

	/* tracepoints and numbers */
	{ "4294967296:0", "^^^^^^^^^^", "an event type is a number of 32 bits" },
	{ "0x1g:0", "^^^^", "an event type is a number of 32 bits" },
	{ "1:u", "  ^", "needs a number after the colon" },
	{ "1:", "  |", "needs a number after the colon" },
	{ "1:2x", "  ^^", "the config must be a number" },
	{ "1:0x10000000000000000", "  ^^^^^^^^^^^^^^^^^^^", "the config does not fit 64 bits" },

	/* breakpoints */
	{ "mem:", "    |", "the address must be a number" },
	{ "mem:main", "    ^^^^", "the address must be a number" },
	{ "mem:0x10000000000000000", "    ^^^^^^^^^^^^^^^^^^^",
	  "the address does not fit 64 bits" },
	{ "mem:0x1000/8k", "           ^^", "the length must be a number" },
	{ "mem:0x1000:rr", "            ^", "'r' is given twice" },
	{ "mem:0x1000:rwxw", "              ^", "'w' is given twice" },
	{ "mem:0x1000:rwq", "             ^", "unknown modifier 'q'" },
	{ "mem:0x1000:q", "           ^", "unknown modifier 'q'" },
	{ "mem:0x1000::u", "           ^", "only one list of modifiers" },
};

static void every_mistake_is_marked_where_it_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(mistakes); i++) {
		_cleanup_(diag_done) struct diag diag = { 0 };
		struct event_ast untouched = { .n = 7 };
		int r = event_ast_parse(mistakes[i].text, &untouched, &diag);

		if (r != -EINVAL)
			fail_msg("%s: %d", mistakes[i].text, r);
		assert_marked(&diag, mistakes[i].text, mistakes[i].mark, mistakes[i].words);
		assert_contains(diag.message, "event syntax error: ");
		assert_int_equal(untouched.n, 7);
		assert_null(untouched.items);
	}
}

static void an_absurd_number_of_terms_is_refused(void **state)
{
	(void)state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_add(&t, "cs/");
	for (int i = 0; i < 1000; i++)
		text_addf(&t, "%snr=%d", i ? "," : "", i);

	size_t good = t.length;

	text_add(&t, "/");
	assert_int_equal(node_of(t.chars)->n_terms, 1000);
	t.chars[good] = ',';
	text_add(&t, "nr/");
	assert_int_equal(event_ast_parse(t.chars, &ast, &diag), -EINVAL);
	assert_marked(&diag, t.chars, "  ^", "more than 1000 terms");
}

static void a_term_of_a_bpf_program_may_be_a_flag(void **state)
{
	const struct event_node *node = node_of("./x.c/inlines,tailcalls=1/");

	(void)state;
	assert_int_equal(node->n_terms, 2);
	assert_string_equal(node->terms[0].name, "inlines");
	assert_null(node->terms[0].value);
	assert_string_equal(node->terms[1].value, "1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_word_is_an_event),
		cmocka_unit_test(letters_after_a_colon_are_modifiers),
		cmocka_unit_test(a_lone_colon_is_an_empty_list_of_modifiers),
		cmocka_unit_test(events_between_commas_keep_their_order),
		cmocka_unit_test(blanks_between_the_parts_belong_to_nothing),
		cmocka_unit_test(terms_are_flags_or_have_values),
		cmocka_unit_test(a_term_list_may_be_empty),
		cmocka_unit_test(quotes_of_three_kinds_hold_a_value),
		cmocka_unit_test(one_kind_of_quotes_may_hold_another),
		cmocka_unit_test(values_may_hold_signs_that_names_may_not),
		cmocka_unit_test(a_term_for_the_driver_begins_with_an_at_sign),
		cmocka_unit_test(a_system_and_a_name_are_a_tracepoint),
		cmocka_unit_test(either_part_of_a_tracepoint_may_be_a_glob),
		cmocka_unit_test(names_of_libpfm4_may_have_more_parts),
		cmocka_unit_test(a_tracepoint_may_have_terms),
		cmocka_unit_test(modifiers_before_another_colon_are_a_name),
		cmocka_unit_test(an_sdt_event_may_have_a_percent_sign),
		cmocka_unit_test(two_numbers_are_a_type_and_a_config),
		cmocka_unit_test(mem_is_a_breakpoint),
		cmocka_unit_test(a_breakpoint_may_have_terms_after_its_length),
		cmocka_unit_test(sources_and_objects_are_bpf),
		cmocka_unit_test(terms_of_bpf_programs_have_maps_and_indices),
		cmocka_unit_test(a_path_that_is_no_program_is_refused),
		cmocka_unit_test(braces_make_a_group),
		cmocka_unit_test(a_group_may_have_a_name),
		cmocka_unit_test(every_mistake_is_marked_where_it_is),
		cmocka_unit_test(an_absurd_number_of_terms_is_refused),
		cmocka_unit_test(a_term_of_a_bpf_program_may_be_a_flag),
	};

	return cmocka_run_group_tests(tests, NULL, forget);
}
