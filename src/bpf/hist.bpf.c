/* SPDX-License-Identifier: MIT */
/*
 * Counts the values of a tracepoint's field, or the times of pairs of events, by rows.
 *
 * `constants` determines everything: the verifier knows its values, so unused features cost
 * nothing.
 */
#include <stddef.h>

#include "bpf/about.bpf.h"
#include "bpf/hist-types.h"
#include "bpf/losses.bpf.h"
#include "bpf/targets.bpf.h"

const volatile struct hist_constants constants = { 0 };

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, HIST_BOUNDS_MAX + 1);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

LOSSES(HIST_LOSSES)

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct hist_sums);
} sums SEC(".maps");

struct pair_key {
	__u64 keys[HIST_KEYS_MAX];
};

struct pair_begin {
	__u64 time_ns; /* 0: it has ended */
	__u64 compared[HIST_KEYS_MAX];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(struct pair_key)); /* at most: only as many keys as there are */
	__uint(value_size, sizeof(struct pair_begin));
} begins SEC(".maps");

TARGET_PROGRAMS(&constants.targets)

static __always_inline void add_count(__u32 row)
{
	__u64 *count = bpf_map_lookup_elem(&counts, &row);

	if (count)
		*count += 1;
}

/* Returns the number of bounds that are not above @value. */
static __always_inline __u32 find_row(__s64 value)
{
	__u32 row = 0;

	for (__u32 step = constants.first_step; step; step >>= 1) {
		__u32 last = row + step - 1;

		if (last < constants.n_bounds && last < HIST_BOUNDS_MAX &&
		    constants.bounds[last] <= value)
			row += step;
	}
	return row;
}

SEC("tracepoint")
int count_field(void *ctx)
{
	__u64 value;

	if (!is_target(&constants.targets))
		return PROGRAM_PASS;
	value = field_number(ctx, &constants.field);
	/* Bounds are signed: an unsigned value above all of them belongs in the last row. */
	if (!constants.field.is_signed && (__s64)value < 0)
		value = ~0ULL >> 1;
	add_count(find_row((__s64)value));
	return PROGRAM_PASS;
}

static __always_inline __u64 key_value(void *ctx, const volatile struct hist_key *k)
{
	switch (k->kind) {
	case HIST_KEY_TID:
		return (__u32)bpf_get_current_pid_tgid();
	case HIST_KEY_PID:
		return bpf_get_current_pid_tgid() >> 32;
	case HIST_KEY_CPU:
		return bpf_get_smp_processor_id();
	default:
		return field_number(ctx, &k->field);
	}
}

static __always_inline void begin_pair(const struct pair_key *key, const struct pair_begin *begin)
{
	struct pair_begin *before = constants.keeps_begins ? bpf_map_lookup_elem(&begins, key)
							   : NULL;

	if (before) {
		*before = *begin;
		return;
	}
	if (bpf_map_update_elem(&begins, key, begin, BPF_ANY))
		add_loss(HIST_LOST_BEGINS);
}

/*
 * Ends a begin. Its entry is reused where possible, because making and removing entries takes
 * longer than all the rest.
 */
static __always_inline void forget(const struct pair_key *key, struct pair_begin *begin)
{
	if (constants.keeps_begins)
		begin->time_ns = 0;
	else
		bpf_map_delete_elem(&begins, key);
}

static __always_inline void sum_up(__u64 taken_ns)
{
	__u32 zero = 0;
	struct hist_sums *s = bpf_map_lookup_elem(&sums, &zero);

	if (!s)
		return;
	if (!s->count || taken_ns < s->min_ns)
		s->min_ns = taken_ns;
	if (taken_ns > s->max_ns)
		s->max_ns = taken_ns;
	s->total_ns += taken_ns;
	s->count += 1;
}

static __always_inline void end_pair(const struct pair_key *key, const struct pair_begin *end)
{
	struct pair_begin *begin = bpf_map_lookup_elem(&begins, key);
	__s64 taken_ns;
	_Bool same = 1;

	if (!begin || !begin->time_ns)
		return;
	taken_ns = (__s64)(end->time_ns - begin->time_ns);
	for (int i = 0; i < HIST_KEYS_MAX; i++)
		same &= begin->compared[i] == end->compared[i];
	forget(key, begin);
	if (!same || taken_ns < 0)
		return;
	add_count(find_row(taken_ns));
	if (constants.sums_up)
		sum_up((__u64)taken_ns);
}

static __always_inline _Bool is_pair_target(const struct pair_key *key)
{
	if (!constants.key_is_task || !constants.targets.limits_tasks)
		return is_target(&constants.targets);

	__u32 tid = (__u32)key->keys[0];
	__u32 *state = bpf_map_lookup_elem(&tasks, &tid);

	return state && *state == PROGRAM_TASK_COUNTS;
}

/*
 * Handles the special cases of requests. A flush has no reliable sector, but is the only one of its
 * queue. The request that asked for a flush completes as a request without sectors, which was never
 * issued.
 */
static __always_inline _Bool settle_request(void *ctx, const volatile struct hist_rule *rule,
					    struct pair_key *key)
{
	if (field_number(ctx, &rule->rwbs) == ('F' << 8 | 'F')) {
		for (__u32 i = 0; i < HIST_KEYS_MAX; i++)
			if (i == rule->sector)
				key->keys[i] = ~0ULL;
		return 1;
	}
	return rule->role != HIST_END || field_number(ctx, &rule->n_sectors);
}

static __always_inline void apply_rule(void *ctx, const volatile struct hist_rule *rule)
{
	struct pair_key key = { 0 };
	struct pair_begin now = { 0 };

	if (rule->has_condition &&
	    (field_number(ctx, &rule->condition) & rule->mask) != rule->value)
		return;
	for (__u32 i = 0; i < HIST_KEYS_MAX; i++) {
		if (i < constants.n_keys)
			key.keys[i] = key_value(ctx, &rule->keys[i]);
		else if (i < constants.n_all_keys)
			now.compared[i] = key_value(ctx, &rule->keys[i]);
	}
	if (constants.skips_zero && !key.keys[0])
		return;
	if (rule->is_request && !settle_request(ctx, rule, &key))
		return;
	if (rule->role == HIST_CANCEL) {
		struct pair_begin *begin = bpf_map_lookup_elem(&begins, &key);

		if (begin)
			forget(&key, begin);
		return;
	}
	now.time_ns = bpf_ktime_get_ns();
	if (rule->role == HIST_END)
		end_pair(&key, &now);
	else if (is_pair_target(&key))
		begin_pair(&key, &now);
}

static __always_inline int apply_rules(void *ctx)
{
	__u32 event = (__u32)bpf_get_attach_cookie(ctx);

#pragma unroll
	for (__u32 i = 0; i < HIST_RULES_MAX; i++)
		if (i < constants.n_rules && constants.rules[i].event == event)
			apply_rule(ctx, &constants.rules[i]);
	return PROGRAM_PASS;
}

SEC("tracepoint")
int count_pair(void *ctx)
{
	return apply_rules(ctx);
}

/* Runs at the entry and the return of a function. */
SEC("kprobe")
int count_function(void *ctx)
{
	apply_rules(ctx);
	return 0;
}

/* Removes the entry of a task that ends, because it will not use it again. */
SEC("tracepoint")
int forget_task(void *ctx)
{
	struct pair_key key = { .keys = { (__u32)bpf_get_current_pid_tgid() } };

	bpf_map_delete_elem(&begins, &key);
	return PROGRAM_PASS;
}
