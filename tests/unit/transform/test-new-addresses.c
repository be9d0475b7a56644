/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "collected.h"
#include "transform/new-addresses.h"
#include "transform/rewrite.h"

#define KERNEL 0xffffffff81000000ULL

static void sampled_with(struct recording *rec, const struct sample *more, uint64_t ip,
			 uint64_t time)
{
	struct sample s = more ? *more : (struct sample){ .misc = PERF_RECORD_MISC_USER };

	s.id = 1;
	s.pid = s.tid = 7;
	s.ip = ip;
	s.time = time;
	assert_int_equal(sample_encode(&s, &rec->attr, &rec->records), 0);
}

static struct new_addresses_left_out moved(struct recording *rec, struct collected *c)
{
	_cleanup_(session_freep) struct session *s = opened(rec, false);
	_cleanup_(new_addresses_freep) struct new_addresses *n = new_addresses_new(s);
	_cleanup_(diag_done) struct diag d = { 0 };
	uint64_t left_out;

	new_addresses_transform(n)->next = &c->transform;
	assert_int_equal(rewrite(s, new_addresses_transform(n), &left_out, &d), 0);
	return new_addresses_left_out(n);
}

/* Returns sample @i of @c, with the layout of @attr. */
static struct sample sample_at(const struct collected *c, size_t i, const struct attr *attr)
{
	struct sample s;

	assert_int_equal(collected_header(c, i).type, PERF_RECORD_SAMPLE);
	assert_int_equal(sample_decode(c->bytes.data + c->at[i], collected_header(c, i).size, false,
				       attr, &s),
			 0);
	return s;
}

static void samples_move_with_their_maps(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(collected_done) struct collected c = collected_new();
	struct record a, b;

	mmaps(&rec, 7, 0x7f0000001000, 0x1000, "/bin/a", 10);
	mmaps(&rec, 7, 0x7f5500003000, 0x1000, "/bin/b", 10);
	sampled_with(&rec, NULL, 0x7f5500003123, 20);
	sampled_with(&rec, NULL, 0x7f0000001456, 30);
	sampled_with(&rec, NULL, 0x600000000000, 40);
	moved(&rec, &c);
	assert_int_equal(c.n, 5);
	a = collected_record(&c, 0, &rec.attr);
	b = collected_record(&c, 1, &rec.attr);
	assert_true(a.mmap.addr < 0x1000000 && b.mmap.addr < 0x1000000);
	assert_int_equal(a.mmap.addr & 0xfff, 0);
	assert_true(b.mmap.addr >= a.mmap.addr + a.mmap.len);
	assert_int_equal(sample_at(&c, 2, &rec.attr).ip, b.mmap.addr + 0x123);
	assert_int_equal(sample_at(&c, 3, &rec.attr).ip, a.mmap.addr + 0x456);
	assert_int_equal(sample_at(&c, 4, &rec.attr).ip, 0);
}

static void stacks_keep_their_marks(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(collected_done) struct collected c = collected_new();
	static const uint64_t chain[] = { PERF_CONTEXT_KERNEL,        KERNEL + 0x10000,
					  PERF_CONTEXT_USER,          0x7f0000001010,
					  PERF_CONTEXT_USER_DEFERRED, 0x77 };
	struct sample s = { .misc = PERF_RECORD_MISC_KERNEL,
			    .chain = { .bytes = (const uint8_t *)chain, .n = 6 } };

	rec.attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	mmaps(&rec, 7, 0x7f0000001000, 0x1000, "/bin/a", 10);
	sampled_with(&rec, &s, KERNEL, 20);
	moved(&rec, &c);
	s = sample_at(&c, 1, &rec.attr);
	assert_int_equal(s.ip & 0xffff, 0);
	assert_true(s.ip != KERNEL);
	assert_int_equal(s.chain.n, 6);
	assert_int_equal(words_get(&s.chain, 0), PERF_CONTEXT_KERNEL);
	assert_int_equal(words_get(&s.chain, 1), s.ip + 0x10000);
	assert_int_equal(words_get(&s.chain, 2), PERF_CONTEXT_USER);
	assert_int_equal(words_get(&s.chain, 3),
			 collected_record(&c, 0, &rec.attr).mmap.addr + 0x10);
	assert_int_equal(words_get(&s.chain, 5), 0x77);
}

static void registers_are_gone(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(collected_done) struct collected c = collected_new();
	struct attr without = rec.attr;

	rec.attr.sample_type |= PERF_SAMPLE_REGS_USER;
	rec.attr.sample_regs_user = 1;
	sampled_with(&rec, NULL, 0x1000, 20);
	moved(&rec, &c);
	assert_int_equal(c.n, 1);
	assert_int_equal(c.events[0] ? 1 : 0, 1);
	assert_int_equal(sample_at(&c, 0, &without).time, 20);
	assert_int_equal(sample_at(&c, 0, &without).left_over, 0);
}

static void what_cannot_be_told_from_addresses_is_left_out(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(collected_done) struct collected c = collected_new();

	rec.attr.sample_type |= PERF_SAMPLE_PHYS_ADDR;
	sampled_with(&rec, NULL, 0x1000, 20);
	assert_int_equal(moved(&rec, &c).physical, 1);
	assert_int_equal(c.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_move_with_their_maps),
		cmocka_unit_test(stacks_keep_their_marks),
		cmocka_unit_test(registers_are_gone),
		cmocka_unit_test(what_cannot_be_told_from_addresses_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
