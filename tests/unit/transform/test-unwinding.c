/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "datafile/features.h"
#include "datafile/writer.h"
#include "transform/unwinding.h"
#include "transform/unwound-sample.h"
#include "wire/sample.h"

/* Records that go through the unwinding come out of a pipe. */
struct fixture {
	uint64_t id;
	struct file_event opened, written;
	struct writer *writer;
	struct unwinding *u;
	int ends[2];
	uint8_t out[65536];
};

static size_t come_out(struct fixture *f)
{
	ssize_t n = read(f->ends[0], f->out, sizeof(f->out));

	return n < 0 ? 0 : (size_t)n;
}

static void fixture_done(struct fixture *f)
{
	unwinding_free(f->u);
	writer_free(f->writer);
	close(f->ends[0]);
	close(f->ends[1]);
}

static void set_up(struct fixture *f)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct writer_options options = { .form = WRITER_PIPE };
	const struct features none = { 0 };

	f->id = 5;
	f->opened = (struct file_event){
		.attr = { .size = 128,
			  .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
					 PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
					 PERF_SAMPLE_STACK_USER,
			  .sample_regs_user = 1,
			  .sample_stack_user = 64,
			  .sample_id_all = 1 },
		.ids = &f->id,
		.n_ids = 1,
	};
	f->written = f->opened;
	f->written.attr = unwound_attr(&f->opened.attr, false);
	assert_int_equal(pipe2(f->ends, O_CLOEXEC | O_NONBLOCK), 0);
	assert_int_equal(writer_open(NULL, f->ends[1], &options, &f->writer, &diag), 0);
	assert_int_equal(writer_begin(f->writer, &f->written, 1, &none, &diag), 0);
	come_out(f);
	f->u = unwinding_new(&(struct unwinding_options){
		.opened = &f->opened, .written = &f->written, .n = 1 });
	assert_non_null(f->u);
	unwinding_write_to(f->u, f->writer);
}

static void take_all(struct fixture *f, const struct bytes *records)
{
	/* The records come in two pieces, as from the end of a ring and its beginning. */
	const struct iovec pieces[2] = { { records->data, 8 },
					 { records->data + 8, records->n - 8 } };

	unwinding_take(f->u, pieces);
}

/* Adds a sample of a kernel thread, which has neither registers nor a stack. */
static void add_sample(const struct fixture *f, uint64_t time, struct bytes *out)
{
	static const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffff1 };
	const struct sample s = { .misc = PERF_RECORD_MISC_KERNEL,
				  .ip = 0xffff1,
				  .time = time,
				  .chain = { (const uint8_t *)chain, 2, false } };

	assert_int_equal(sample_encode(&s, &f->opened.attr, out), 0);
}

static void add_comm(const struct fixture *f, uint64_t time, struct bytes *out)
{
	const struct record r = { .header.type = PERF_RECORD_COMM,
				  .id.time = time,
				  .comm = { .pid = 7, .tid = 7, .comm = "x" } };

	assert_int_equal(record_encode(&r, &f->opened.attr, out), 0);
}

static uint32_t type_at(const struct fixture *f, size_t at)
{
	return record_header_at(f->out + at, false).type;
}

static void a_pass_is_written_after_the_next(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	set_up(&f);
	add_comm(&f, 10, &b);
	take_all(&f, &b);
	assert_int_equal(unwinding_end_pass(f.u), 0);
	assert_int_equal(unwinding_settle(f.u, false), 0);
	assert_int_equal(come_out(&f), 0);
	assert_int_equal(unwinding_end_pass(f.u), 0);
	assert_int_equal(unwinding_settle(f.u, false), 0);
	assert_int_equal(come_out(&f), b.n + RECORD_HEADER_SIZE);
	assert_memory_equal(f.out, b.data, b.n);
	assert_int_equal(type_at(&f, b.n), PERF_RECORD_FINISHED_ROUND);
	/* And nothing more. */
	assert_int_equal(unwinding_end_pass(f.u), 0);
	assert_int_equal(unwinding_settle(f.u, true), 0);
	assert_int_equal(come_out(&f), 0);
}

static void the_last_pass_is_written_at_the_end(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	set_up(&f);
	add_comm(&f, 10, &b);
	take_all(&f, &b);
	assert_int_equal(unwinding_end_pass(f.u), 0);
	assert_int_equal(unwinding_settle(f.u, true), 0);
	assert_int_equal(come_out(&f), b.n + RECORD_HEADER_SIZE);
}

static void samples_are_laid_out_as_the_file_says(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct sample s;
	size_t n;

	(void)state;
	set_up(&f);
	add_sample(&f, 10, &b);
	take_all(&f, &b);
	unwinding_end_pass(f.u);
	assert_int_equal(unwinding_settle(f.u, true), 0);
	n = come_out(&f);
	assert_true(n > RECORD_HEADER_SIZE);
	assert_int_equal(sample_decode(f.out, n - RECORD_HEADER_SIZE, false, &f.written.attr, &s),
			 0);
	assert_int_equal(s.left_over, 0);
	assert_int_equal(s.chain.n, 2);
	assert_int_equal(s.time, 10);
	/* There was nothing to unwind. */
	assert_int_equal(unwinding_counts(f.u).ends.stacks, 0);
}

static void what_cannot_be_written_is_told(void **state)
{
	_cleanup_(fixture_done) struct fixture f = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	set_up(&f);
	signal(SIGPIPE, SIG_IGN);
	close(f.ends[0]);
	f.ends[0] = -1;
	add_comm(&f, 10, &b);
	take_all(&f, &b);
	unwinding_end_pass(f.u);
	assert_int_equal(unwinding_settle(f.u, true), -EPIPE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pass_is_written_after_the_next),
		cmocka_unit_test(the_last_pass_is_written_at_the_end),
		cmocka_unit_test(samples_are_laid_out_as_the_file_says),
		cmocka_unit_test(what_cannot_be_written_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
