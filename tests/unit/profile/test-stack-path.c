/* SPDX-License-Identifier: MIT */
/* Alone: it replaces what reads lines (fake-source.h). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "fake-source.h"
#include "profile/stack-path.h"
#include "session/recording.h"
#include "symbol/symbolizer.h"

#define PID  10
#define CODE 0xffff800080100000

struct fixture {
	struct recording rec;
	struct session *session;
	struct frames *frames;
	struct resolver resolver;
	struct stack_path path;
	struct stacks stacks;
};

static int set_up(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct fixture *f = xcalloc(1, sizeof(*f));

	f->rec = recording_new();
	f->rec.symbolizer = symbolizer_new(&(struct symbolizer_options){ 0 });
	comm(&f->rec, PID, PID, "p", 100);
	mmaps(&f->rec, PID, 0x1000, 0x1000, "/bin/old", 100);
	mmaps(&f->rec, PID, 0x1000, 0x1000, "/bin/new", 200);
	ksymbol(&f->rec, CODE, 0x1000, "bpf_prog_1", 0, 100);
	comm(&f->rec, PID + 1, PID + 1, "q", 100);
	mmaps(&f->rec, PID + 1, 0x1000, 0x1000, "/bin/other", 100);
	f->session = opened(&f->rec, false);
	assert_int_equal(session_scan(f->session, &diag), 0);
	f->frames = frames_new(false);
	resolver_init(&f->resolver, f->session, f->frames);
	resolver_refresh(&f->resolver);
	stack_path_init(&f->path, &f->resolver);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	stack_path_done(&f->path);
	stacks_done(&f->stacks);
	resolver_done(&f->resolver);
	frames_free(f->frames);
	session_free(f->session);
	symbolizer_free(f->rec.symbolizer);
	recording_done(&f->rec);
	free(f);
	return 0;
}

/*
 * Makes the path that of @n addresses, the innermost first. Returns its node below @context's root.
 */
static uint32_t node_of(struct fixture *f, uint32_t pid, const uint64_t *ips, size_t n,
			uint64_t time, uint32_t context)
{
	struct call_chain *c = &f->path.chain;

	c->items = array_reserve(c->items, &c->room, n, sizeof(*c->items));
	c->n = n;
	for (size_t i = 0; i < n; i++)
		c->items[i] = (struct chain_entry){ .ip = ips[i],
						    .mode = ips[i] >> 63 ? ADDRESS_KERNEL
									 : ADDRESS_USER };
	stack_path_take(&f->path, resolver_task(&f->resolver, pid, pid, time), time, ADDRESS_USER,
			f->resolver.inlines);
	return stack_path_node(&f->path, &f->stacks, stacks_root(&f->stacks, context));
}

#define NODE_OF(f, time, context, ...)                                                             \
	node_of(f, PID, (const uint64_t[]){ __VA_ARGS__ },                                         \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t), time, context)

static uint64_t ip_of(struct fixture *f, uint32_t node)
{
	return frames_get(f->frames, f->stacks.nodes[node].frame)->ip;
}

static void a_path_leads_from_the_outermost_to_the_innermost(void **state)
{
	struct fixture *f = *state;
	uint32_t node = NODE_OF(f, 120, 0, 0x1030, 0x1020, 0x1010);

	assert_int_equal(ip_of(f, node), 0x1030);
	node = f->stacks.nodes[node].parent;
	assert_int_equal(ip_of(f, node), 0x1020);
	node = f->stacks.nodes[node].parent;
	assert_int_equal(ip_of(f, node), 0x1010);
	assert_true(stacks_is_root(&f->stacks, f->stacks.nodes[node].parent));
}

static void outer_frames_are_shared_with_the_stack_before(void **state)
{
	struct fixture *f = *state;
	uint32_t first = NODE_OF(f, 120, 0, 0x1030, 0x1020, 0x1010),
		 second = NODE_OF(f, 130, 0, 0x1040, 0x1020, 0x1010),
		 shorter = NODE_OF(f, 130, 0, 0x1020, 0x1010);

	assert_int_equal(f->stacks.nodes[first].parent, shorter);
	assert_int_equal(f->stacks.nodes[second].parent, shorter);
	assert_int_equal(NODE_OF(f, 120, 0, 0x1030, 0x1020, 0x1010), first);
}

static void the_same_addresses_of_another_process_are_another_stack(void **state)
{
	struct fixture *f = *state;
	static const uint64_t ips[] = { 0x1020, 0x1010 };
	uint32_t first = node_of(f, PID, ips, 2, 120, 0),
		 second = node_of(f, PID + 1, ips, 2, 120, 0);

	assert_int_not_equal(first, second);
	assert_string_equal(frames_get(f->frames, f->path.steps[0].frame)->map->name, "/bin/other");
}

static void the_same_addresses_after_a_new_mapping_are_another_stack(void **state)
{
	struct fixture *f = *state;
	uint32_t first = NODE_OF(f, 120, 0, 0x1010), second = NODE_OF(f, 220, 0, 0x1010);

	assert_int_not_equal(first, second);
	assert_string_equal(frames_get(f->frames, f->path.steps[0].frame)->map->name, "/bin/new");
	assert_int_equal(NODE_OF(f, 120, 0, 0x1010), NODE_OF(f, 130, 0, 0x1010));
}

static void another_context_has_nodes_of_its_own(void **state)
{
	struct fixture *f = *state;
	uint32_t first = NODE_OF(f, 120, 0, 0x1020, 0x1010),
		 second = NODE_OF(f, 120, 1, 0x1020, 0x1010);

	assert_int_not_equal(first, second);
	assert_int_equal(NODE_OF(f, 120, 0, 0x1020, 0x1010), first);
}

static void what_is_cut_off_comes_back_with_the_next_stack(void **state)
{
	struct fixture *f = *state;
	uint32_t whole = NODE_OF(f, 120, 0, 0x1030, 0x1020, 0x1010), cut;

	stack_path_cut(&f->path, 1);
	cut = stack_path_node(&f->path, &f->stacks, stacks_root(&f->stacks, 0));
	assert_int_equal(ip_of(f, cut), 0x1010);
	assert_int_equal(NODE_OF(f, 120, 0, 0x1030, 0x1020, 0x1010), whole);
}

static void no_stack_is_the_root(void **state)
{
	struct fixture *f = *state;

	NODE_OF(f, 120, 0, 0x1010);
	assert_int_equal(node_of(f, PID, NULL, 0, 120, 0), stacks_root(&f->stacks, 0));
}

static const struct symbol inner = { .name = "inner", .is_inlined = true };
static const struct source_frame there[] = {
	{ &inner, { "a.c", 1 }, true },
	{ NULL, { "a.c", 3 }, false },
};
static const struct fake_code code[] = { { CODE + 0x10, there, 2 },
					 { CODE + 0x20, there, 2 },
					 { 0 } };

/*
 * Returns the functions of the path from the outermost on: "f" and "i" for inner; "." for no
 * function.
 */
static const char *shape(struct fixture *f)
{
	static char text[16];

	assert_true(f->path.n < sizeof(text));
	for (size_t i = 0; i < f->path.n; i++) {
		const struct symbol *sym = frames_get(f->frames, f->path.steps[i].frame)->sym;

		text[i] = !sym ? '.' : sym->is_inlined ? 'i' : 'f';
	}
	text[f->path.n] = '\0';
	return text;
}

static void inlined_functions_are_steps_of_their_own(void **state)
{
	struct fixture *f = *state;
	uint32_t node;

	fake_code = code;
	f->resolver.inlines = INLINES_ALL;
	node = NODE_OF(f, 120, 0, CODE + 0x10, CODE + 0x30, CODE + 0x20, 0x1010);
	assert_string_equal(shape(f), ".fiffi");
	assert_ptr_equal(frames_get(f->frames, f->stacks.nodes[node].frame)->sym, &inner);
	/* The part common to both is kept, but never half of an entry. */
	assert_int_equal(
		NODE_OF(f, 121, 0, CODE + 0x20, 0x1010),
		f->stacks.nodes[f->stacks.nodes[f->stacks.nodes[node].parent].parent].parent);
	assert_string_equal(shape(f), ".fi");
	NODE_OF(f, 122, 0, CODE + 0x40, CODE + 0x20, 0x1010);
	assert_string_equal(shape(f), ".fif");
	assert_int_equal(NODE_OF(f, 123, 0, CODE + 0x10, CODE + 0x30, CODE + 0x20, 0x1010), node);
}

static void half_an_entry_that_was_cut_off_comes_back(void **state)
{
	struct fixture *f = *state;
	uint32_t node;

	fake_code = code;
	f->resolver.inlines = INLINES_ALL;
	node = NODE_OF(f, 120, 0, CODE + 0x10, 0x1010);
	stack_path_cut(&f->path, 2);
	assert_int_equal(NODE_OF(f, 121, 0, CODE + 0x10, 0x1010), node);
	assert_string_equal(shape(f), ".fi");
}

static void who_wants_no_inlined_functions_shares_no_steps_with_who_does(void **state)
{
	struct fixture *f = *state;
	const struct resolved_task *t;

	fake_code = code;
	f->resolver.inlines = INLINES_ALL;
	NODE_OF(f, 120, 0, CODE + 0x10, 0x1010);
	t = resolver_task(&f->resolver, PID, PID, 121);
	stack_path_take(&f->path, t, 121, ADDRESS_USER, INLINES_NONE);
	assert_string_equal(shape(f), ".f");
	stack_path_take(&f->path, t, 121, ADDRESS_USER, INLINES_UNWOUND);
	assert_string_equal(shape(f), ".f"); /* stacks of the kernel are not unwound */
	stack_path_take(&f->path, t, 121, ADDRESS_USER, INLINES_ALL);
	assert_string_equal(shape(f), ".fi");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(a_path_leads_from_the_outermost_to_the_innermost),
		TEST(outer_frames_are_shared_with_the_stack_before),
		TEST(the_same_addresses_of_another_process_are_another_stack),
		TEST(the_same_addresses_after_a_new_mapping_are_another_stack),
		TEST(another_context_has_nodes_of_its_own),
		TEST(what_is_cut_off_comes_back_with_the_next_stack),
		TEST(no_stack_is_the_root),
		TEST(inlined_functions_are_steps_of_their_own),
		TEST(half_an_entry_that_was_cut_off_comes_back),
		TEST(who_wants_no_inlined_functions_shares_no_steps_with_who_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
