/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "foreign/format.h"
#include "foreign/stack-profile.h"

static void number(struct bytes *b, unsigned field, uint64_t n)
{
	bytes_uleb128(b, field << 3);
	bytes_uleb128(b, n);
}

static void block(struct bytes *b, unsigned field, const void *data, size_t n)
{
	bytes_uleb128(b, field << 3 | 2);
	bytes_uleb128(b, n);
	bytes_add(b, data, n);
}

static void message(struct bytes *b, unsigned field, struct bytes *part)
{
	block(b, field, part->data, part->n);
	part->n = 0;
}

static void texts(struct bytes *b)
{
	static const char *const all[] = { "",     "samples", "count",  "cpu",  "nanoseconds",
					   "main", "inner",   "/bin/x", "0a0b", "tid" };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		block(b, 6, all[i], strlen(all[i]));
}

static void types(struct bytes *b, struct bytes *part)
{
	number(part, 1, 1);
	number(part, 2, 2);
	message(b, 1, part);
	number(part, 1, 3);
	number(part, 2, 4);
	message(b, 1, part);
}

static void functions(struct bytes *b, struct bytes *part)
{
	number(part, 1, 1);
	number(part, 2, 5);
	message(b, 5, part);
	number(part, 1, 2);
	number(part, 2, 6);
	message(b, 5, part);
	number(part, 1, 1);
	number(part, 2, 0x1000);
	number(part, 4, 0x200);
	number(part, 5, 7);
	number(part, 6, 8);
	message(b, 3, part);
}

/* Location 1 is inner() inlined into main(), location 2 an address. */
static void locations(struct bytes *b, struct bytes *part)
{
	struct bytes line = { 0 };

	number(part, 1, 1);
	number(part, 2, 1);
	number(&line, 1, 2);
	message(part, 4, &line);
	number(&line, 1, 1);
	message(part, 4, &line);
	message(b, 4, part);
	number(part, 1, 2);
	number(part, 2, 1);
	number(part, 3, 0x1234);
	message(b, 4, part);
	bytes_done(&line);
}

static void sample(struct bytes *b, struct bytes *part, uint64_t location, uint64_t tid)
{
	struct bytes label = { 0 };

	number(part, 1, location);
	number(part, 2, 3);
	number(part, 2, 30);
	number(&label, 1, 9);
	number(&label, 3, tid);
	message(part, 3, &label);
	message(b, 2, part);
	bytes_done(&label);
}

static int read_samples(const uint64_t *ids, size_t n, size_t cut, struct stack_profile *p,
			struct diag *diag)
{
	struct bytes b = { 0 }, part = { 0 };
	int r;

	types(&b, &part);
	for (size_t i = 0; i < n; i++)
		sample(&b, &part, ids[i], 7);
	functions(&b, &part);
	locations(&b, &part);
	texts(&b);
	r = format_pprof.is_it((const char *)b.data, b.n) ? 0 : -1;
	assert_int_equal(r, 0);
	r = format_pprof.read((const char *)b.data, b.n - cut, p, diag);
	bytes_done(&part);
	bytes_done(&b);
	return r;
}

static void samples_become_stacks(void **state)
{
	static const uint64_t ids[] = { 1, 2 };
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct profile_frame *f;
	const struct profile_stack *s;

	(void)state;
	assert_int_equal(read_samples(ids, 2, 0, p, &diag), 0);
	assert_int_equal(p->events.n, 1);
	assert_string_equal(p->events.items[0].name, "cpu");
	assert_true(p->events.items[0].is_time);
	assert_int_equal(p->weights.n, 2);
	assert_int_equal(p->weights.items[0].samples, 3);
	assert_int_equal(p->weights.items[0].period, 30);
	assert_int_equal(p->tasks.items[0].tid, 7);
	assert_string_equal(p->tasks.items[0].comm, "x");

	s = &p->stacks.items[p->weights.items[0].stack];
	f = &p->frames.items[s->frame];
	assert_string_equal(f->function, "inner");
	assert_true(f->is_inlined);
	f = &p->frames.items[p->stacks.items[s->parent].frame];
	assert_string_equal(f->function, "main");
	assert_false(f->is_inlined);

	f = &p->frames.items[p->stacks.items[p->weights.items[1].stack].frame];
	assert_null(f->function);
	assert_int_equal(f->offset, 0x1234 - 0x1000 + 0x200);
	assert_string_equal(p->images.items[f->image].name, "/bin/x");
	assert_int_equal(p->images.items[f->image].build_id.size, 2);
}

static void a_location_that_is_missing_is_damage(void **state)
{
	static const uint64_t ids[] = { 9 };
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(read_samples(ids, 1, 0, p, &diag), -EBADMSG);
	assert_string_equal(diag.message, "a sample of this pprof profile is damaged");
}

static void a_file_that_is_cut_is_refused(void **state)
{
	static const uint64_t ids[] = { 1 };
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(read_samples(ids, 1, 1, p, &diag), -EBADMSG);
	assert_string_equal(diag.message, "it is not a pprof profile, or is cut short");
}

static void other_bytes_are_not_taken_for_one(void **state)
{
	(void)state;
	assert_false(format_pprof.is_it("", 0));
	assert_false(format_pprof.is_it("PERFILE2", 8));
	assert_false(format_pprof.is_it("\n\n\n\n", 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_become_stacks),
		cmocka_unit_test(a_location_that_is_missing_is_damage),
		cmocka_unit_test(a_file_that_is_cut_is_refused),
		cmocka_unit_test(other_bytes_are_not_taken_for_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
