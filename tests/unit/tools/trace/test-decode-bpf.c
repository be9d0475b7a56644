/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <linux/magic.h>
#include <string.h>

#include "tools/trace/decode-bpf.h"

static struct trace_decoder decoder = { .abis = { SYSCALL_ABI_AARCH64, SYSCALL_ABI_ARM } };

/* A call with space for pieces after it. */
struct call_bytes {
	struct trace_call_record call;
	uint8_t bytes[256];
};

static struct call_bytes some_call(void)
{
	return (struct call_bytes){
		.call = { .record = { .size = sizeof(struct trace_call_record),
				      .kind = TRACE_WHOLE,
				      .is_compat = 1,
				      .time_ns = 2000,
				      .pid = 10,
				      .tid = 11 },
			  .nr = 5,
			  .enter_ns = 1000,
			  .result = -2,
			  .args = { 1, 2, 3, 4, 5, 6 } },
	};
}

static void add_piece(struct call_bytes *c, struct trace_piece piece, const char *text)
{
	uint8_t *at = (uint8_t *)c + c->call.record.size;

	memcpy(at, &piece, sizeof(piece));
	memcpy(at + sizeof(piece), text, strlen(text));
	c->call.record.size += (uint32_t)(sizeof(piece) + (strlen(text) + 7) / 8 * 8);
	c->call.record.n_data++;
}

static int decode(const struct call_bytes *c, struct call_event *e)
{
	return trace_decode(&decoder, c, c->call.record.size, e);
}

static void a_call_has_words(void **state)
{
	struct call_bytes c = some_call();
	struct call_event e;

	(void)state;
	assert_int_equal(decode(&c, &e), 0);
	assert_int_equal(e.kind, CALL_EVENT_WHOLE);
	assert_int_equal(e.abi, SYSCALL_ABI_ARM);
	assert_int_equal(e.pid, 10);
	assert_int_equal(e.tid, 11);
	assert_int_equal(e.time_ns, 2000);
	assert_int_equal(e.enter_ns, 1000);
	assert_int_equal(e.nr, 5);
	assert_int_equal(e.result, -2);
	assert_int_equal(e.args[5], 6);
	assert_int_equal(e.n_data, 0);
}

static void pieces_are_borrowed(void **state)
{
	struct call_bytes c = some_call();
	struct call_event e;

	(void)state;
	add_piece(&c, (struct trace_piece){ .arg = 1, .size = 5 }, "/etc/");
	add_piece(&c, (struct trace_piece){ .arg = 2, .part = 3, .flags = CALL_DATA_FAULT }, "");
	assert_int_equal(decode(&c, &e), 0);
	assert_int_equal(e.n_data, 2);
	assert_int_equal(e.data[0].arg, 1);
	assert_int_equal(e.data[0].size, 5);
	assert_memory_equal(e.data[0].bytes, "/etc/", 5);
	assert_int_equal(e.data[1].arg, 2);
	assert_int_equal(e.data[1].part, 3);
	assert_int_equal(e.data[1].flags, CALL_DATA_FAULT);
}

/* Adds words of a stack. */
static void add_frames(struct call_bytes *c, const uint64_t *words, uint32_t n)
{
	memcpy((uint8_t *)c + c->call.record.size, words, n * sizeof(*words));
	c->call.record.size += n * (uint32_t)sizeof(*words);
	c->call.n_frames = n;
}

static void frames_come_after_pieces(void **state)
{
	static const uint64_t words[] = { 0x1000, 0x2000, 0x3000 };
	struct call_bytes c = some_call();
	struct call_event e;

	(void)state;
	add_piece(&c, (struct trace_piece){ .arg = 1, .size = 5 }, "/etc/");
	add_frames(&c, words, 3);
	assert_int_equal(decode(&c, &e), 0);
	assert_int_equal(e.n_data, 1);
	assert_int_equal(e.n_frames, 3);
	assert_memory_equal(e.frames, words, sizeof(words));
}

static void frames_beyond_the_record_are_refused(void **state)
{
	static const uint64_t words[] = { 0x1000, 0x2000 };
	struct call_bytes c = some_call();
	struct call_event e;

	(void)state;
	add_frames(&c, words, 2);
	c.call.n_frames = 3;
	assert_int_equal(decode(&c, &e), -EBADMSG);
	c.call.n_frames = UINT32_MAX;
	assert_int_equal(decode(&c, &e), -EBADMSG);
	/* Frames take no bytes of pieces. */
	c.call.n_frames = 2;
	c.call.record.n_data = 1;
	assert_int_equal(decode(&c, &e), -EBADMSG);
}

static void pieces_beyond_the_record_are_refused(void **state)
{
	struct call_bytes c = some_call();
	struct call_event e;

	(void)state;
	add_piece(&c, (struct trace_piece){ .arg = 1, .size = 9 }, "/etc/");
	assert_int_equal(decode(&c, &e), -EBADMSG);
	c = some_call();
	add_piece(&c, (struct trace_piece){ .arg = 1, .size = UINT32_MAX }, "/etc/");
	assert_int_equal(decode(&c, &e), -EBADMSG);
	c = some_call();
	c.call.record.n_data = 1;
	assert_int_equal(decode(&c, &e), -EBADMSG);
	c.call.record.n_data = UINT16_MAX;
	assert_int_equal(decode(&c, &e), -EBADMSG);
	c = some_call();
	add_piece(&c, (struct trace_piece){ .arg = TRACE_ARGS_MAX }, "");
	assert_int_equal(decode(&c, &e), -EBADMSG);
}

static void records_that_are_none_are_refused(void **state)
{
	struct call_bytes c = some_call();
	struct call_event e;

	(void)state;
	assert_int_equal(trace_decode(&decoder, &c, 8, &e), -EBADMSG);
	assert_int_equal(trace_decode(&decoder, &c, sizeof(c.call) - 8, &e), -EBADMSG);
	c.call.record.kind = TRACE_PAD;
	assert_int_equal(decode(&c, &e), -EBADMSG);
	c.call.record.kind = 200;
	assert_int_equal(decode(&c, &e), -EBADMSG);
	c = some_call();
	c.call.record.is_compat = TRACE_N_ABIS;
	assert_int_equal(decode(&c, &e), -EBADMSG);
}

static void tasks_have_names(void **state)
{
	struct trace_task_record r = {
		.record = { .kind = TRACE_FORK, .pid = 20, .tid = 21 },
		.parent_pid = 10,
		.parent_tid = 11,
		.cgroup = 99,
		.comm = "sleep",
	};
	struct call_event e;

	(void)state;
	assert_int_equal(trace_decode(&decoder, &r, sizeof(r), &e), 0);
	assert_int_equal(e.kind, CALL_EVENT_FORK);
	assert_string_equal(e.comm, "sleep");
	assert_int_equal(e.tid, 21);
	assert_int_equal(e.parent_tid, 11);
	assert_int_equal(e.cgroup, 99);
	memset(r.comm, 'x', sizeof(r.comm));
	assert_int_equal(trace_decode(&decoder, &r, sizeof(r), &e), -EBADMSG);
	assert_int_equal(trace_decode(&decoder, &r, sizeof(r) - 8, &e), -EBADMSG);
}

struct file_bytes {
	struct trace_file_record file;
	char names[64];
};

/* Decodes a file of this file system, with the @size bytes of @names. */
static int decode_file(uint64_t magic, const char *names, uint32_t size, struct call_event *e)
{
	static struct file_bytes f;

	f = (struct file_bytes){ .file = { .record = { .kind = TRACE_FILE },
					   .fd = 3,
					   .names_size = size,
					   .inode = 77,
					   .magic = magic } };
	if (size <= sizeof(f.names))
		memcpy(f.names, names, size);
	return trace_decode(&decoder, &f, sizeof(f), e);
}

static void files_have_paths(void **state)
{
	struct call_event e;

	(void)state;
	assert_int_equal(decode_file(EXT4_SUPER_MAGIC, "passwd\0etc", 11, &e), 0);
	assert_int_equal(e.kind, CALL_EVENT_FILE);
	assert_int_equal(e.fd, 3);
	assert_string_equal(e.fd_path, "/etc/passwd");
	assert_int_equal(decode_file(EXT4_SUPER_MAGIC, "", 0, &e), 0);
	assert_string_equal(e.fd_path, "/");
}

static void files_without_a_path_are_called_as_in_proc(void **state)
{
	struct call_event e;

	(void)state;
	assert_int_equal(decode_file(PIPEFS_MAGIC, "", 1, &e), 0);
	assert_string_equal(e.fd_path, "pipe:[77]");
	assert_int_equal(decode_file(SOCKFS_MAGIC, "UDP", 4, &e), 0);
	assert_string_equal(e.fd_path, "socket:[77]");
	assert_int_equal(decode_file(ANON_INODE_FS_MAGIC, "[eventpoll]", 12, &e), 0);
	assert_string_equal(e.fd_path, "anon_inode:[eventpoll]");
}

static void names_beyond_the_record_are_refused(void **state)
{
	struct call_event e;

	(void)state;
	assert_int_equal(decode_file(0, "", 65, &e), -EBADMSG);
	assert_int_equal(decode_file(0, "", UINT32_MAX, &e), -EBADMSG);
	assert_int_equal(decode_file(0, "no end", 6, &e), -EBADMSG);
}

static void losses_have_a_count(void **state)
{
	struct trace_lost_record r = { .record = { .kind = TRACE_LOST }, .count = 7 };
	struct call_event e;

	(void)state;
	assert_int_equal(trace_decode(&decoder, &r, sizeof(r), &e), 0);
	assert_int_equal(e.kind, CALL_EVENT_LOST);
	assert_int_equal(e.count, 7);
	assert_int_equal(trace_decode(&decoder, &r, sizeof(r.record), &e), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_has_words),
		cmocka_unit_test(pieces_are_borrowed),
		cmocka_unit_test(frames_come_after_pieces),
		cmocka_unit_test(frames_beyond_the_record_are_refused),
		cmocka_unit_test(pieces_beyond_the_record_are_refused),
		cmocka_unit_test(records_that_are_none_are_refused),
		cmocka_unit_test(tasks_have_names),
		cmocka_unit_test(files_have_paths),
		cmocka_unit_test(files_without_a_path_are_called_as_in_proc),
		cmocka_unit_test(names_beyond_the_record_are_refused),
		cmocka_unit_test(losses_have_a_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
