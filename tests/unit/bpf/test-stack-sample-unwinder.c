/* SPDX-License-Identifier: MIT */
/* Alone: it replaces the helpers of the kernel. */
/*
 * The unwinder of the kernel (bpf/unwind.bpf.h), compiled for user space: its maps, the stack and
 * the registers are those of this file.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "bpf/unwind-types.h"

static struct unwind_host host;

#define UNWIND_HOST                  host
#define bpf_core_field_exists(field) 0

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wparentheses"
#include "bpf/unwind.bpf.h"
#pragma GCC diagnostic pop

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#define STACK 0x10000 /* where the stack begins */
#define CODE  0x400000
#define JIT   0x900000
#define MS    UINT64_C(1000000)

/* struct pt_regs of a made-up machine. */
struct registers {
	uint64_t first, pc, sp, fp, lr, mode;
};

struct kernel {
	struct unwind_shared shared;
	uint64_t rows[64];
	struct unwind_found found[UNWIND_FOUND];
	struct flat_rule rules[16];
	struct unwind_chunk chunks[8];
	struct unwind_mapped maps[8];
	struct {
		uint32_t key;
		struct unwind_process value;
	} processes[4];
	struct {
		uint32_t key;
		struct unwind_ask value;
	} asked[4];
	struct unwind_state state;
	uint64_t counts[UNWIND_RESULTS];
	struct unwind_wish wishes[8];
	unsigned n_wishes;
	bool ring_is_full;
	uint64_t now_ns;
	uint64_t pid_tgid;
	int ns_result;
	uint64_t stack[32];
	struct registers regs;
	struct task_struct task, parent;
	struct mm_struct mm;
	bool change_while_walking;
};

static struct kernel k;

#define ELEMENT(array, i) ((i) < ARRAY_SIZE(array) ? (void *)&(array)[i] : NULL)

void *bpf_map_lookup_elem(const void *map, const void *key)
{
	uint32_t i = *(const uint32_t *)key;

	if (map == &unwind_shared)
		return i ? NULL : &k.shared;
	if (map == &unwind_rows)
		return ELEMENT(k.rows, i);
	if (map == &unwind_found)
		return ELEMENT(k.found, i);
	if (map == &unwind_rules)
		return ELEMENT(k.rules, i);
	if (map == &unwind_chunks)
		return ELEMENT(k.chunks, i);
	if (map == &unwind_maps)
		return ELEMENT(k.maps, i);
	if (map == &unwind_states)
		return i ? NULL : &k.state;
	if (map == &unwind_counts)
		return ELEMENT(k.counts, i);
	for (size_t j = 0; j < ARRAY_SIZE(k.processes); j++) {
		if (map == &unwind_processes && k.processes[j].key == i)
			return &k.processes[j].value;
		if (map == &unwind_asked && k.asked[j].key == i)
			return &k.asked[j].value;
	}
	return NULL;
}

long bpf_map_update_elem(const void *map, const void *key, const void *value, __u64 flags)
{
	size_t j = 0;

	assert_ptr_equal(map, &unwind_asked);
	assert_int_equal(flags, BPF_ANY);
	while (k.asked[j].key && k.asked[j].key != *(const uint32_t *)key)
		j++;
	assert_true(j < ARRAY_SIZE(k.asked));
	k.asked[j].key = *(const uint32_t *)key;
	memcpy(&k.asked[j].value, value, sizeof(k.asked[j].value));
	return 0;
}

long bpf_ringbuf_output(const void *map, const void *bytes, __u64 size, __u64 flags)
{
	assert_ptr_equal(map, &unwind_wishes);
	assert_int_equal(size, sizeof(struct unwind_wish));
	assert_int_equal(flags, BPF_RB_FORCE_WAKEUP);
	if (k.ring_is_full)
		return -EAGAIN;
	assert_true(k.n_wishes < ARRAY_SIZE(k.wishes));
	memcpy(&k.wishes[k.n_wishes++], bytes, size);
	return 0;
}

__u64 bpf_ktime_get_ns(void)
{
	return k.now_ns;
}

__u64 bpf_get_current_pid_tgid(void)
{
	return k.pid_tgid;
}

long bpf_get_ns_current_pid_tgid(__u64 device, __u64 inode, struct bpf_pidns_info *ret, __u32 size)
{
	assert_int_equal(device, 3);
	assert_int_equal(inode, 4);
	assert_int_equal(size, sizeof(*ret));
	*ret = (struct bpf_pidns_info){ .pid = 12, .tgid = 11 };
	return k.ns_result;
}

struct task_struct *bpf_get_current_task_btf(void)
{
	return &k.task;
}

long bpf_task_pt_regs(struct task_struct *task)
{
	assert_ptr_equal(task, &k.task);
	return (long)&k.regs;
}

long bpf_probe_read_kernel(void *to, __u32 size, const void *from)
{
	if ((uintptr_t)from < 4096)
		return -EFAULT;
	memcpy(to, from, size);
	return 0;
}

long bpf_probe_read_user(void *to, __u32 size, const void *from)
{
	uint64_t at = (uintptr_t)from - STACK;

	assert_int_equal(size, 8);
	if (k.change_while_walking)
		k.shared.epoch += 2;
	if (at % 8 || at / 8 >= ARRAY_SIZE(k.stack))
		return -EFAULT;
	memcpy(to, &k.stack[at / 8], size);
	return 0;
}

static void put_row(uint32_t nth, uint32_t row)
{
	k.rows[nth / 2] |= (uint64_t)row << (nth % 2 ? 32 : 0);
}

/* Sets up process 100 with a file mapped at CODE, of one chunk, with rule 1 at all addresses. */
static int begin(void **state)
{
	(void)state;
	memset(&k, 0, sizeof(k));
	host = (struct unwind_host){
		.pc = offsetof(struct registers, pc),
		.sp = offsetof(struct registers, sp),
		.fp = offsetof(struct registers, fp),
		.mode = offsetof(struct registers, mode),
		.user_mask = 3,
		.user_value = 3,
		.native_mask = 0xff,
		.native_value = 0x33,
		.signal_pc = 8,
		.signal_sp = 16,
		.signal_fp = 24,
		.address_mask = UINT64_MAX,
	};
	k.regs = (struct registers){ 0, CODE + 0x10, STACK, STACK + 80, CODE + 0x30, 0x33 };
	k.pid_tgid = UINT64_C(100) << 32 | 101;
	k.mm = (struct mm_struct){ .exec_vm = 50, .start_stack = 0x7000 };
	k.parent.tgid = 90;
	k.task = (struct task_struct){ .mm = &k.mm, .real_parent = &k.parent };
	k.processes[0].key = 100;
	k.processes[0].value = (struct unwind_process){ 50, 0x7000, 0, 2 };
	k.maps[0] = (struct unwind_mapped){ CODE, CODE + 0x2000, CODE, 0, 1 };
	k.maps[1] = (struct unwind_mapped){ JIT, JIT + 0x1000, JIT, 0, 0 };
	for (unsigned t = 0; t < 2; t++)
		k.chunks[0].tables[t] = (struct unwind_table){ 2, 1, UNWIND_LOADED };
	put_row(2, FLAT_ROW(0, 1));
	/* As in code whose calls push the return address: it is right below the CFA. */
	k.rules[1] = (struct flat_rule){
		FLAT_FRAME, FLAT_CFA_SP, FLAT_RA_AT_CFA, FLAT_FP_SAME, 0, 16, -8, 0
	};
	return 0;
}

static int walk(void)
{
	assert_non_null(unwind_begin());
	return unwind_user((uintptr_t)&k.regs);
}

/* Returns the state before a step, with the registers of the first frame. */
static struct unwind_state *at_first_frame(void)
{
	k.state = (struct unwind_state){ .pc = k.regs.pc,
					 .sp = k.regs.sp,
					 .fp = k.regs.fp,
					 .lr = k.regs.lr,
					 .has_fp = 1,
					 .is_interrupted = 1,
					 .n_maps = 2 };
	return &k.state;
}

static void the_rule_of_an_address_is_that_of_the_row_before(void **state)
{
	static const uint32_t at[] = { 0, 4, 5, 100, 8000 };

	(void)state;
	for (uint32_t first = 2; first < 4; first++) {
		memset(k.rows, 0, sizeof(k.rows));
		for (uint32_t i = 0; i < ARRAY_SIZE(at); i++)
			put_row(first + i, FLAT_ROW(at[i], i + 1));
		/* This row is in the next chunk. */
		put_row(first + 5, FLAT_ROW(0, 9));
		assert_int_equal(unwind_find_rule(first, 5, 0), 1);
		assert_int_equal(unwind_find_rule(first, 5, 3), 1);
		assert_int_equal(unwind_find_rule(first, 5, 4), 2);
		assert_int_equal(unwind_find_rule(first, 5, 5), 3);
		assert_int_equal(unwind_find_rule(first, 5, 99), 3);
		assert_int_equal(unwind_find_rule(first, 5, 100), 4);
		assert_int_equal(unwind_find_rule(first, 5, 7999), 4);
		assert_int_equal(unwind_find_rule(first, 5, 8000), 5);
		assert_int_equal(unwind_find_rule(first, 5, 8191), 5);
		assert_int_equal(unwind_find_rule(first, 4, 8191), 4);
		assert_int_equal(unwind_find_rule(first, 1, 8191), 1);
	}
	assert_int_equal(unwind_find_rule(1000, 1, 0), 0);
}

static void a_rule_that_was_found_is_known_until_the_tables_change(void **state)
{
	(void)state;
	memset(&k, 0, sizeof(k));
	k.rows[0] = (uint64_t)FLAT_ROW(0, 7);
	assert_int_equal(unwind_recall_rule(&k.state, 0, 1, 3), 7);
	k.rows[0] = (uint64_t)FLAT_ROW(0, 8);
	assert_int_equal(unwind_recall_rule(&k.state, 0, 1, 3), 7);
	assert_int_equal(unwind_recall_rule(&k.state, 0, 1, 4), 8);
	k.state.epoch += 2;
	assert_int_equal(unwind_recall_rule(&k.state, 0, 1, 3), 8);
}

static void the_map_of_an_address(void **state)
{
	struct unwind_state *s = at_first_frame();

	(void)state;
	memset(k.maps, 0, sizeof(k.maps));
	s->first_map = 2;
	s->n_maps = 3;
	for (uint32_t i = 0; i < 4; i++)
		k.maps[2 + i] = (struct unwind_mapped){ 1000 * (i + 1), 1000 * (i + 1) + 500, 7, i,
							1 };
	assert_int_equal(unwind_find_map(999), 0);
	assert_int_equal(unwind_find_map(1000), 1);
	assert_int_equal(s->map.start, 1000);
	assert_int_equal(unwind_find_map(1499), 1);
	assert_int_equal(unwind_find_map(1500), 0);
	assert_int_equal(unwind_find_map(2000), 1);
	assert_int_equal(s->map.first_chunk, 1);
	assert_int_equal(unwind_find_map(3499), 1);
	assert_int_equal(s->map.first_chunk, 2);
	/* The next row belongs to another process. */
	assert_int_equal(unwind_find_map(4000), 0);
	assert_int_equal(s->map.start, 3000);
	/* The row that was found last is used again without a search. */
	memset(k.maps, 0, sizeof(k.maps));
	assert_int_equal(unwind_find_map(3000), 1);
	assert_int_equal(unwind_find_map(3499), 1);
	assert_int_equal(unwind_find_map(3500), 0);
	assert_int_equal(unwind_find_map(2999), 0);
	s->map.start = s->map.end = 0;
	s->n_maps = 0;
	k.maps[2] = (struct unwind_mapped){ 1000, 1500, 7, 0, 1 };
	assert_int_equal(unwind_find_map(1000), 0);
	s->n_maps = 1;
	assert_int_equal(unwind_find_map(1000), 1);
}

/* x86_64 maps [vsyscall] as code into each process, in the upper half of all addresses. */
static void the_map_of_an_address_below_those_of_the_kernel(void **state)
{
	const uint64_t kernel = UINT64_C(0xffffffffff600000);
	struct unwind_state *s = at_first_frame();

	(void)state;
	k.maps[2] = (struct unwind_mapped){ kernel, kernel + 0x1000, kernel, 0, 0 };
	s->n_maps = 3;
	assert_int_equal(unwind_find_map(CODE + 0x10), 1);
	assert_int_equal(s->map.start, CODE);
	assert_int_equal(unwind_find_map(JIT), 1);
	assert_int_equal(s->map.start, JIT);
	assert_int_equal(unwind_find_map(kernel - 1), 0);
	assert_int_equal(unwind_find_map(kernel), 1);
	assert_int_equal(s->map.start, kernel);
	assert_int_equal(unwind_find_map(UINT64_MAX), 0);
	assert_int_equal(unwind_find_map(0), 0);
}

static void a_chunk_is_asked_for_once(void **state)
{
	struct unwind_state *s = at_first_frame();
	struct unwind_table *t = &k.chunks[0].tables[1];
	struct flat_rule r;

	(void)state;
	s->map = k.maps[0];
	t->state = UNWIND_UNLOADED;
	/* If the ring is full, the table is requested again. */
	k.ring_is_full = true;
	assert_int_equal(find_rule(s, &r), UNWIND_NO_TABLES);
	assert_int_equal(t->state, UNWIND_UNLOADED);
	k.ring_is_full = false;
	assert_int_equal(find_rule(s, &r), UNWIND_NO_TABLES);
	assert_int_equal(t->state, UNWIND_ASKED);
	assert_int_equal(k.n_wishes, 1);
	assert_int_equal(k.wishes[0].process, 0);
	assert_int_equal(k.wishes[0].chunk, 0);
	assert_int_equal(k.wishes[0].table, 1);
	assert_int_equal(find_rule(s, &r), UNWIND_NO_TABLES);
	assert_int_equal(k.n_wishes, 1);
	/* Callers have a table of their own, which is loaded. */
	s->is_interrupted = 0;
	assert_int_equal(find_rule(s, &r), UNWIND_DONE);
	assert_int_equal(r.cfa_offset, 16);
	k.chunks[0].tables[0].n = 2;
	put_row(3, FLAT_ROW(0x11, 2));
	k.rules[2].cfa_offset = 24;
	assert_int_equal(find_rule(s, &r), UNWIND_DONE);
	assert_int_equal(r.cfa_offset, 16);
	s->pc++;
	assert_int_equal(find_rule(s, &r), UNWIND_DONE);
	assert_int_equal(r.cfa_offset, 24);
	k.chunks[0].tables[0].state = UNWIND_UNLOADED;
	assert_int_equal(find_rule(s, &r), UNWIND_NO_TABLES);
	assert_int_equal(k.wishes[1].table, 0);
}

static void chunks_are_counted_from_the_start_of_the_file(void **state)
{
	struct unwind_state *s = at_first_frame();
	struct flat_rule r;

	(void)state;
	/* The map begins in the second chunk of an image whose first chunk has number 3. */
	s->map = (struct unwind_mapped){ CODE, CODE + 0x4000, CODE - 0x2000, 3, 3 };
	s->pc = CODE;
	assert_int_equal(find_rule(s, &r), UNWIND_NO_TABLES);
	assert_int_equal(k.wishes[0].chunk, 4);
	s->pc = CODE + 0x2000;
	assert_int_equal(find_rule(s, &r), UNWIND_NO_TABLES);
	assert_int_equal(k.wishes[1].chunk, 5);
	s->pc = CODE + 0x4000;
	assert_int_equal(find_rule(s, &r), UNWIND_NEEDS_MORE);
	s->map.first_chunk = 7;
	s->pc = CODE;
	assert_int_equal(find_rule(s, &r), UNWIND_NEEDS_MORE);
	s->map.n_chunks = 0;
	assert_int_equal(find_rule(s, &r), UNWIND_NO_IMAGE);
	/* The row names a rule that does not exist. */
	s->map = k.maps[0];
	k.rows[1] = FLAT_ROW(0, 16);
	assert_int_equal(find_rule(s, &r), UNWIND_NEEDS_MORE);
	assert_int_equal(k.n_wishes, 2);
}

/* Two frames, the second of which is the outermost. */
static void a_stack_is_walked_to_its_end(void **state)
{
	(void)state;
	k.chunks[0].tables[0].n = 2;
	put_row(3, FLAT_ROW(0x100, 2));
	k.rules[2].kind = FLAT_END;
	k.stack[1] = CODE + 0x20;
	k.stack[3] = CODE + 0x101;
	assert_int_equal(walk(), UNWIND_DONE);
	assert_int_equal(k.state.n, 3);
	assert_int_equal(k.state.frames[0], CODE + 0x10);
	/* A caller is reported by an address inside of its call instruction. */
	assert_int_equal(k.state.frames[1], CODE + 0x1f);
	assert_int_equal(k.state.frames[2], CODE + 0x100);
	assert_int_equal(k.state.pid, 100);
	assert_int_equal(k.state.tid, 101);
	assert_int_equal(k.counts[UNWIND_DONE], 1);
	assert_int_equal(k.n_wishes, 0);
	/* The registers at the entry to the kernel are the same here. */
	assert_non_null(unwind_begin());
	assert_int_equal(unwind_user(0), UNWIND_DONE);
	assert_int_equal(k.state.n, 3);
	assert_int_equal(k.counts[UNWIND_DONE], 2);
}

static void tables_that_change_are_noticed(void **state)
{
	(void)state;
	k.shared.epoch = 3;
	assert_int_equal(walk(), UNWIND_CHANGED);
	assert_int_equal(k.state.n, 0);
	k.shared.epoch = 1;
	assert_int_equal(walk(), UNWIND_CHANGED);
	k.shared.epoch = 4;
	k.stack[1] = 0;
	assert_int_equal(walk(), UNWIND_DONE);
	k.change_while_walking = true;
	assert_int_equal(walk(), UNWIND_CHANGED);
	assert_int_equal(k.counts[UNWIND_CHANGED], 3);
	assert_int_equal(k.counts[UNWIND_DONE], 1);
}

static void tasks_without_user_mode_have_no_stack(void **state)
{
	(void)state;
	k.task.flags = PF_KTHREAD;
	assert_int_equal(walk(), UNWIND_NO_USER);
	k.task.flags = ~(unsigned)PF_KTHREAD;
	assert_int_equal(walk(), UNWIND_DONE);
	k.task.mm = NULL;
	assert_int_equal(walk(), UNWIND_NO_USER);
	k.task.mm = &k.mm;
	/* 32 bits. */
	k.regs.mode = 0x23;
	assert_int_equal(walk(), UNWIND_NO_USER);
	k.regs.mode = 0xf33;
	assert_int_equal(walk(), UNWIND_DONE);
	assert_int_equal(unwind_user(1), UNWIND_NO_USER);
	assert_int_equal(k.counts[UNWIND_NO_USER], 4);
	assert_int_equal(k.n_wishes, 0);
}

static void registers_of_user_mode(void **state)
{
	(void)state;
	assert_true(unwind_is_user((uintptr_t)&k.regs));
	k.regs.mode = 0xf0;
	assert_false(unwind_is_user((uintptr_t)&k.regs));
	k.regs.mode = 0xf2;
	assert_false(unwind_is_user((uintptr_t)&k.regs));
}

static void numbers_are_those_of_our_namespace(void **state)
{
	(void)state;
	host.pid_ns_device = 3;
	host.pid_ns_inode = 4;
	assert_non_null(unwind_begin());
	assert_int_equal(k.state.pid, 11);
	assert_int_equal(k.state.tid, 12);
	k.ns_result = -EINVAL;
	assert_null(unwind_begin());
	assert_int_equal(k.counts[UNWIND_NO_TASK], 1);
}

/*
 * After exec, the stack begins elsewhere; after mmap() or munmap(), there are other pages of code.
 */
static void a_process_that_has_changed_is_asked_for(void **state)
{
	(void)state;
	k.mm.exec_vm = 51;
	assert_int_equal(walk(), UNWIND_NO_TABLES);
	assert_int_equal(k.n_wishes, 1);
	assert_int_equal(k.wishes[0].process, 100);
	assert_int_equal(k.wishes[0].pid, 100);
	assert_int_equal(k.wishes[0].code_pages, 51);
	assert_int_equal(k.wishes[0].stack_start, 0x7000);
	assert_int_equal(k.wishes[0].pc, CODE + 0x10);
	assert_int_equal(k.state.n, 0);
	k.mm = (struct mm_struct){ .exec_vm = 50, .start_stack = 0x8000 };
	k.now_ns = 1000 * MS;
	assert_int_equal(walk(), UNWIND_NO_TABLES);
	assert_int_equal(k.n_wishes, 2);
	assert_int_equal(k.wishes[1].stack_start, 0x8000);
	k.processes[0].value.stack_start = 0x8000;
	assert_int_equal(walk(), UNWIND_DONE);
	assert_int_equal(k.n_wishes, 2);
}

static void a_forked_child_has_what_its_parent_has(void **state)
{
	(void)state;
	k.processes[0].key = 90;
	assert_int_equal(walk(), UNWIND_DONE);
	/* Its tables are requested nevertheless, because the child may map something. */
	assert_int_equal(k.n_wishes, 1);
	assert_int_equal(k.wishes[0].process, 100);
	k.processes[0].value.code_pages = 49;
	assert_int_equal(walk(), UNWIND_NO_TABLES);
	k.processes[0].value.code_pages = 50;
	k.processes[0].value.stack_start = 0;
	assert_int_equal(walk(), UNWIND_NO_TABLES);
	assert_int_equal(k.n_wishes, 1);
}

/*
 * Requests the process at a time. Checks whether a request was sent, and for how long changes wait
 * afterwards.
 */
static void asks(uint64_t ns, uint64_t code_pages, bool is_sent, uint64_t wait_ns)
{
	unsigned n = k.n_wishes = 0;

	k.now_ns = ns;
	wish_for_process(&k.state, 100, code_pages, 0x7000);
	assert_int_equal(k.n_wishes - n, is_sent);
	assert_int_equal(k.asked[0].value.wait_ns, wait_ns);
}

static void the_same_maps_are_asked_for_after_20_ms(void **state)
{
	uint64_t t = 1000 * MS;

	(void)state;
	asks(t, 50, true, 1 * MS);
	asks(t + 20 * MS - 1, 50, false, 1 * MS);
	asks(t + 20 * MS, 50, true, 1 * MS);
	assert_int_equal(k.asked[0].value.time_ns, t + 20 * MS);
	assert_int_equal(k.asked[0].value.code_pages, 50);
	/* Another process has a time of its own. */
	k.n_wishes = 0;
	wish_for_process(&k.state, 7, 50, 0);
	assert_int_equal(k.n_wishes, 1);
	assert_int_equal(k.asked[1].key, 7);
}

static void maps_that_change_all_the_time_wait_longer_and_longer(void **state)
{
	uint64_t t = 1000 * MS, wait = 1 * MS;

	(void)state;
	asks(t, 1, true, 1 * MS);
	for (unsigned i = 2; i < 14; i++) {
		uint64_t next = wait * 2 > 512 * MS ? 512 * MS : wait * 2;

		asks(t + wait - 1, i, false, wait);
		t += wait;
		asks(t, i, true, next);
		wait = next;
	}
	assert_int_equal(wait, 512 * MS);
	/* After a rest of eight times the wait, the wait starts again at 1 ms. */
	asks(t + 8 * wait - 1, 50, true, wait);
	t += 8 * wait - 1;
	asks(t + 8 * wait, 51, true, 1 * MS);
}

/* Makes one step with rule 1. */
static int step(void)
{
	at_first_frame()->has_lr = host.lr != 0;
	return unwind_step();
}

static void the_canonical_frame_address(void **state)
{
	struct flat_rule *r = &k.rules[1];

	(void)state;
	k.stack[1] = CODE + 0x20;
	assert_int_equal(step(), -1);
	assert_int_equal(k.state.sp, STACK + 16);
	assert_int_equal(k.state.pc, CODE + 0x20);
	assert_int_equal(k.state.fp, STACK + 80);
	assert_int_equal(k.state.is_interrupted, 0);
	r->cfa = FLAT_CFA_FP;
	r->ra_offset = -16;
	k.stack[10] = CODE + 0x30;
	assert_int_equal(step(), -1);
	assert_int_equal(k.state.sp, STACK + 96);
	assert_int_equal(k.state.pc, CODE + 0x30);
	/* The CFA is in memory. */
	r->cfa = FLAT_CFA_AT_SP;
	k.stack[2] = STACK + 64;
	k.stack[6] = CODE + 0x40;
	assert_int_equal(step(), -1);
	assert_int_equal(k.state.sp, STACK + 64);
	assert_int_equal(k.state.pc, CODE + 0x40);
	r->cfa = FLAT_CFA_AT_FP;
	/* Or the stack pointer of the caller before its call is in memory. */
	k.stack[12] = STACK + 64;
	r->cfa_added = 8;
	k.stack[7] = CODE + 0x50;
	assert_int_equal(step(), -1);
	assert_int_equal(k.state.sp, STACK + 72);
	r->cfa_added = 0;
	r->cfa_offset = 4096;
	assert_int_equal(step(), UNWIND_UNREADABLE);
	/* A stack that goes down is not valid. */
	r->cfa = FLAT_CFA_SP;
	r->cfa_offset = -8;
	assert_int_equal(step(), UNWIND_NEEDS_MORE);
	r->cfa_offset = 4096;
	assert_int_equal(step(), UNWIND_UNREADABLE);
}

static void a_frame_pointer_that_is_lost_is_not_used(void **state)
{
	struct flat_rule *r = &k.rules[1];

	(void)state;
	r->cfa = FLAT_CFA_FP;
	at_first_frame()->has_fp = 0;
	assert_int_equal(unwind_step(), UNWIND_NEEDS_MORE);
	r->cfa = FLAT_CFA_AT_FP;
	at_first_frame()->has_fp = 0;
	assert_int_equal(unwind_step(), UNWIND_NEEDS_MORE);
	r->cfa = FLAT_CFA_SP;
	r->fp = FLAT_FP_LOST;
	k.stack[1] = CODE + 0x20;
	assert_int_equal(step(), -1);
	assert_int_equal(k.state.has_fp, 0);
	/* The frame pointer is known again if the function has saved it. */
	r->fp = FLAT_FP_AT_CFA;
	r->fp_offset = 8;
	k.stack[3] = 4711;
	at_first_frame()->has_fp = 0;
	assert_int_equal(unwind_step(), -1);
	assert_int_equal(k.state.has_fp, 1);
	assert_int_equal(k.state.fp, 4711);
	r->fp = FLAT_FP_AT_FP;
	r->fp_offset = 16;
	k.stack[12] = 4712;
	assert_int_equal(step(), -1);
	assert_int_equal(k.state.fp, 4712);
	at_first_frame()->has_fp = 0;
	assert_int_equal(unwind_step(), -1);
	assert_int_equal(k.state.has_fp, 0);
	assert_int_equal(k.state.fp, STACK + 80);
	r->fp_offset = 4096;
	assert_int_equal(step(), UNWIND_UNREADABLE);
}

static void the_link_register_is_the_return_address_of_what_was_interrupted(void **state)
{
	struct flat_rule *r = &k.rules[1];

	(void)state;
	host.lr = offsetof(struct registers, lr);
	host.address_mask = 0xffffff;
	*r = (struct flat_rule){ FLAT_FRAME, FLAT_CFA_SP, FLAT_RA_LINK, FLAT_FP_SAME, 0, 0, 0, 0 };
	k.regs.lr = 0xff00000000400030;
	assert_int_equal(step(), -1);
	assert_int_equal(k.state.pc, CODE + 0x30);
	assert_int_equal(k.state.sp, STACK);
	assert_int_equal(unwind_step(), UNWIND_NEEDS_MORE);
	at_first_frame()->has_lr = 0;
	assert_int_equal(unwind_step(), UNWIND_NEEDS_MORE);
	/* A function that returns to itself at the same stack has no end. */
	k.regs.lr = k.regs.pc;
	assert_int_equal(step(), UNWIND_NEEDS_MORE);
	r->cfa_offset = 8;
	assert_int_equal(step(), -1);
	k.regs.lr = 0;
	assert_int_equal(step(), UNWIND_DONE);
	assert_int_equal(walk(), UNWIND_DONE);
	assert_int_equal(k.state.has_lr, 1);
	/* The caller's rule cannot use the link register once more. */
	k.regs.lr = CODE + 0x30;
	assert_int_equal(walk(), UNWIND_NEEDS_MORE);
	assert_int_equal(k.state.n, 2);
	assert_int_equal(k.state.frames[1], CODE + 0x2f);
}

static void a_return_address_above_the_cfa_ends_the_frame(void **state)
{
	(void)state;
	k.rules[1].ra_offset = 0;
	k.stack[2] = CODE + 0x20;
	assert_int_equal(step(), -1);
	assert_int_equal(k.state.sp, STACK + 24);
	k.rules[1].ra_offset = 8;
	k.stack[3] = CODE + 0x20;
	assert_int_equal(step(), -1);
	assert_int_equal(k.state.sp, STACK + 32);
}

static void a_signal_has_interrupted_its_caller(void **state)
{
	(void)state;
	k.rules[1].kind = FLAT_SIGNAL;
	k.stack[1] = CODE + 0x70;
	k.stack[2] = STACK + 128;
	k.stack[3] = STACK + 200;
	k.stack[4] = CODE + 0x80;
	at_first_frame()->is_interrupted = 0;
	k.state.has_fp = 0;
	assert_int_equal(unwind_step(), -1);
	assert_int_equal(k.state.pc, CODE + 0x70);
	assert_int_equal(k.state.sp, STACK + 128);
	assert_int_equal(k.state.fp, STACK + 200);
	assert_int_equal(k.state.has_fp, 1);
	assert_int_equal(k.state.is_interrupted, 1);
	assert_int_equal(k.state.has_lr, 0);
	/* The trampoline was not called, so its own address is reported. */
	assert_int_equal(k.state.frames[0], CODE + 0x10);
	host.lr = 24;
	host.signal_lr = 32;
	assert_int_equal(step(), -1);
	assert_int_equal(k.state.has_lr, 1);
	assert_int_equal(k.state.lr, CODE + 0x80);
	host.signal_lr = 4096;
	assert_int_equal(step(), -1);
	assert_int_equal(k.state.has_lr, 0);
	for (uint32_t *at = &host.signal_pc; at <= &host.signal_fp; at++) {
		uint32_t was = *at;

		*at = 4096;
		assert_int_equal(step(), UNWIND_UNREADABLE);
		*at = was;
	}
}

static void how_stacks_end(void **state)
{
	struct flat_rule *r = &k.rules[1];

	(void)state;
	r->kind = FLAT_CANNOT;
	assert_int_equal(step(), UNWIND_NEEDS_MORE);
	r->kind = FLAT_END_NO_FP;
	assert_int_equal(step(), UNWIND_NEEDS_MORE);
	k.regs.fp = 0;
	assert_int_equal(step(), UNWIND_DONE);
	at_first_frame()->has_fp = 0;
	assert_int_equal(unwind_step(), UNWIND_NEEDS_MORE);
	r->kind = FLAT_END_RECORD;
	r->ra_offset = 8;
	assert_int_equal(step(), UNWIND_DONE);
	at_first_frame()->has_fp = 0;
	assert_int_equal(unwind_step(), UNWIND_NEEDS_MORE);
	k.regs.fp = STACK + 80;
	assert_int_equal(step(), UNWIND_DONE);
	k.stack[11] = 1;
	assert_int_equal(step(), UNWIND_NEEDS_MORE);
	k.regs.fp = 8;
	assert_int_equal(step(), UNWIND_NEEDS_MORE);
	r->kind = FLAT_END_ENTERED;
	at_first_frame()->is_interrupted = 0;
	assert_int_equal(unwind_step(), UNWIND_DONE);
	assert_int_equal(k.state.frames[0], CODE + 0x10);
	r->kind = FLAT_END;
	at_first_frame()->is_interrupted = 0;
	assert_int_equal(unwind_step(), UNWIND_DONE);
	assert_int_equal(k.state.frames[0], CODE + 0xf);
}

static void code_of_no_file_and_code_that_is_not_mapped(void **state)
{
	(void)state;
	k.regs.pc = JIT;
	assert_int_equal(walk(), UNWIND_NO_IMAGE);
	k.regs.pc = JIT + 0x1000;
	assert_int_equal(walk(), UNWIND_NO_IMAGE);
	/* A call is the last instruction of its map: the return address is behind it. */
	at_first_frame()->pc = CODE + 0x2000;
	assert_int_equal(unwind_step(), UNWIND_NO_IMAGE);
	assert_int_equal(k.state.n, 0);
	k.rules[1].kind = FLAT_END;
	at_first_frame()->pc = CODE + 1;
	k.state.is_interrupted = 0;
	assert_int_equal(unwind_step(), UNWIND_DONE);
	assert_int_equal(k.state.frames[0], CODE);
}

/* A function that calls itself; its frames hold only the return address. */
static void stacks_that_are_too_deep(void **state)
{
	(void)state;
	at_first_frame()->n = UNWIND_FRAMES_MAX - 1;
	k.stack[1] = CODE + 0x20;
	assert_int_equal(unwind_step(), -1);
	assert_int_equal(k.state.n, UNWIND_FRAMES_MAX);
	assert_int_equal(unwind_step(), UNWIND_TOO_DEEP);
	assert_int_equal(k.state.n, UNWIND_FRAMES_MAX);
	/*
	 * Two functions call each other, so that the same address does not occur twice at the same
	 * stack.
	 */
	k.rules[1] = (struct flat_rule){
		FLAT_FRAME, FLAT_CFA_SP, FLAT_RA_AT_CFA, FLAT_FP_SAME, 0, 0, -8, 0
	};
	k.chunks[0].tables[0].n = 2;
	put_row(3, FLAT_ROW(0x100, 2));
	k.rules[2] = k.rules[1];
	k.rules[2].ra_offset = -16;
	k.regs.sp = STACK + 16;
	k.stack[1] = CODE + 0x120;
	k.stack[0] = CODE + 0x20;
	assert_int_equal(walk(), UNWIND_TOO_DEEP);
	assert_int_equal(k.state.n, UNWIND_FRAMES_MAX);
	assert_int_equal(k.counts[UNWIND_TOO_DEEP], 1);
}

#define WALKED(test) cmocka_unit_test_setup(test, begin)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		WALKED(the_rule_of_an_address_is_that_of_the_row_before),
		WALKED(a_rule_that_was_found_is_known_until_the_tables_change),
		WALKED(the_map_of_an_address),
		WALKED(the_map_of_an_address_below_those_of_the_kernel),
		WALKED(a_chunk_is_asked_for_once),
		WALKED(chunks_are_counted_from_the_start_of_the_file),
		WALKED(a_stack_is_walked_to_its_end),
		WALKED(tables_that_change_are_noticed),
		WALKED(tasks_without_user_mode_have_no_stack),
		WALKED(registers_of_user_mode),
		WALKED(numbers_are_those_of_our_namespace),
		WALKED(a_process_that_has_changed_is_asked_for),
		WALKED(a_forked_child_has_what_its_parent_has),
		WALKED(the_same_maps_are_asked_for_after_20_ms),
		WALKED(maps_that_change_all_the_time_wait_longer_and_longer),
		WALKED(the_canonical_frame_address),
		WALKED(a_frame_pointer_that_is_lost_is_not_used),
		WALKED(the_link_register_is_the_return_address_of_what_was_interrupted),
		WALKED(a_return_address_above_the_cfa_ends_the_frame),
		WALKED(a_signal_has_interrupted_its_caller),
		WALKED(how_stacks_end),
		WALKED(code_of_no_file_and_code_that_is_not_mapped),
		WALKED(stacks_that_are_too_deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
