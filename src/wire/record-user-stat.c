/* SPDX-License-Identifier: MIT */
/* The records of `perf stat record`, and the mapping of the CPU's clock to perf's. */
#include "wire/record-codec.h"

void record_take_stat_config(struct cursor *c, const struct attr *attr, struct record *r)
{
	uint64_t nr = cursor_u64(c);

	(void)attr;
	r->stat_config.entries = words_take(c, nr > UINT16_MAX ? UINT64_MAX : 2 * nr);
}

void record_put_stat_config(const struct record *r, struct bytes *out)
{
	bytes_u64(out, r->stat_config.entries.n / 2);
	words_put(&r->stat_config.entries, out);
}

void record_take_stat(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->stat.id = cursor_u64(c);
	r->stat.cpu = cursor_u32(c);
	r->stat.thread = cursor_u32(c);
	r->stat.value = cursor_u64(c);
	r->stat.enabled = cursor_u64(c);
	r->stat.running = cursor_u64(c);
}

void record_put_stat(const struct record *r, struct bytes *out)
{
	bytes_u64(out, r->stat.id);
	bytes_u32(out, r->stat.cpu);
	bytes_u32(out, r->stat.thread);
	bytes_u64(out, r->stat.value);
	bytes_u64(out, r->stat.enabled);
	bytes_u64(out, r->stat.running);
}

void record_take_stat_round(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->stat_round.type = cursor_u64(c);
	r->stat_round.time = cursor_u64(c);
}

void record_put_stat_round(const struct record *r, struct bytes *out)
{
	bytes_u64(out, r->stat_round.type);
	bytes_u64(out, r->stat_round.time);
}

/* The clock's mask and capabilities were added in 5.8: records have three words or six. */
void record_take_time_conv(struct cursor *c, const struct attr *attr, struct record *r)
{
	struct record_time_conv *t = &r->time_conv;

	(void)attr;
	t->time_shift = cursor_u64(c);
	t->time_mult = cursor_u64(c);
	t->time_zero = cursor_u64(c);
	t->is_long = cursor_left(c) >= 3 * sizeof(uint64_t);
	if (!t->is_long)
		return;
	t->time_cycles = cursor_u64(c);
	t->time_mask = cursor_u64(c);
	t->cap_user_time_zero = cursor_u8(c);
	t->cap_user_time_short = cursor_u8(c);
}

void record_put_time_conv(const struct record *r, struct bytes *out)
{
	const struct record_time_conv *t = &r->time_conv;

	bytes_u64(out, t->time_shift);
	bytes_u64(out, t->time_mult);
	bytes_u64(out, t->time_zero);
	if (!t->is_long)
		return;
	bytes_u64(out, t->time_cycles);
	bytes_u64(out, t->time_mask);
	bytes_u8(out, t->cap_user_time_zero);
	bytes_u8(out, t->cap_user_time_short);
	bytes_zero(out, 6);
}
