/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "trace-values.h"

static void vectors_show_their_buffers(void **state)
{
	(void)state;
	const uint64_t vector[] = { 0x1000, 2, 0x2000, 3 };
	struct made_call m;

	MADE(&m, "writev", 1, 0x5000, 2);
	points_to(&m, 1, 0, vector, sizeof(vector), 0);
	points_to(&m, 1, 1, "ab", 2, 0);
	assert_args(&m, &named,
		    "fd: 1, vec: [{ .iov_base: \"ab\", .iov_len: 2 }, "
		    "{ .iov_base: 0x2000, .iov_len: 3 }], vlen: 2");
	points_to(&m, 1, 2, "c", 1, CALL_DATA_MORE);
	assert_args(&m, &bare, "1, [{ab, 2}, {c..., 3}], 2");
}

static void a_vector_that_was_cut_says_so(void **state)
{
	(void)state;
	const uint64_t vector[] = { 0x1000, 2, 0x2000, 3 };
	struct made_call m;

	MADE(&m, "writev", 1, 0x5000, 2);
	points_to(&m, 1, 0, vector, 31, 0);
	assert_args(&m, &bare, "1, [{0x1000, 2}, ...], 2");
}

static void messages_have_an_address_and_a_vector(void **state)
{
	(void)state;
	const uint64_t vector[] = { 0x1000, 2 };
	const uint64_t header[] = { 0x3000, 4, 0x4000, 1, 0, 0, 0 };
	struct made_call m;

	MADE(&m, "sendmsg", 1, 0x5000, 0);
	points_to(&m, 1, 0, header, sizeof(header), 0);
	points_to(&m, 1, 1, "\1\0/x", 4, 0);
	points_to(&m, 1, 2, vector, sizeof(vector), 0);
	points_to(&m, 1, 3, "ab", 2, 0);
	assert_args(&m, &named,
		    "fd: 1, msg: { .msg_name: { .family: UNIX, .path: \"/x\" }, "
		    ".msg_iov: [{ .iov_base: \"ab\", .iov_len: 2 }] }");
	m.call.n_data = 1;
	assert_args(&m, &named, "fd: 1, msg: { .msg_name: 0x3000, .msg_iov: 0x4000 }");
	m.data[0].size = 55;
	assert_args(&m, &named, "fd: 1, msg: 0x5000");
}

static void flags_are_there_once_the_kernel_has_written_them(void **state)
{
	(void)state;
	const uint64_t header[] = { 0, 0, 0x4000, 1, 0, 16, 0x20 };
	struct made_call m;

	MADE(&m, "recvmsg", 1, 0x5000, 0);
	points_to(&m, 1, 0, header, sizeof(header), CALL_DATA_AT_EXIT);
	assert_args(&m, &named,
		    "fd: 1, msg: { .msg_iov: 0x4000, .msg_controllen: 16, "
		    ".msg_flags: TRUNC }");
}

static void several_messages_are_an_array(void **state)
{
	(void)state;
	const uint64_t headers[] = { 0, 0, 0x4000, 1, 0, 0, 0, 5, 0, 0, 0x4000, 2, 0, 0, 0, 6 };
	struct made_call m;

	MADE(&m, "sendmmsg", 1, 0x5000, 2, 0);
	points_to(&m, 1, 0, headers, sizeof(headers), CALL_DATA_MORE);
	assert_args(&m, &named,
		    "fd: 1, mmsg: [{ .msg_hdr: { .msg_iov: 0x4000 }, .msg_len: 5 }, "
		    "{ .msg_hdr: { .msg_iovlen: 2 }, .msg_len: 6 }, ...], vlen: 2");
}

static void programs_of_32_bits_have_short_vectors(void **state)
{
	(void)state;
	const uint32_t vector[] = { 0x1000, 2, 0x2000, 3 };
	struct made_call m;

	MADE(&m, "writev", 1, 0x5000, 2);
	m.call.abi = SYSCALL_ABI_I386;
	points_to(&m, 1, 0, vector, sizeof(vector), 0);
	assert_args(&m, &bare, "1, [{0x1000, 2}, {0x2000, 3}], 2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vectors_show_their_buffers),
		cmocka_unit_test(a_vector_that_was_cut_says_so),
		cmocka_unit_test(messages_have_an_address_and_a_vector),
		cmocka_unit_test(flags_are_there_once_the_kernel_has_written_them),
		cmocka_unit_test(several_messages_are_an_array),
		cmocka_unit_test(programs_of_32_bits_have_short_vectors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
