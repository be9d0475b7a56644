/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "profile/stack-path.h"
#include "session/recording.h"

#define PID 10

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
	comm(&f->rec, PID, PID, "p", 100);
	mmaps(&f->rec, PID, 0x1000, 0x1000, "/bin/old", 100);
	mmaps(&f->rec, PID, 0x1000, 0x1000, "/bin/new", 200);
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
	recording_done(&f->rec);
	free(f);
	return 0;
}

/* Makes the path that of @n addresses, the innermost first; its node below @context's root. */
static uint32_t node_of(struct fixture *f, uint32_t pid, const uint64_t *ips, size_t n,
			uint64_t time, uint32_t context)
{
	struct call_chain *c = &f->path.chain;

	c->items = array_reserve(c->items, &c->room, n, sizeof(*c->items));
	c->n = n;
	for (size_t i = 0; i < n; i++)
		c->items[i] = (struct chain_entry){ .ip = ips[i], .mode = ADDRESS_USER };
	stack_path_take(&f->path, resolver_task(&f->resolver, pid, pid, time), time, ADDRESS_USER);
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
