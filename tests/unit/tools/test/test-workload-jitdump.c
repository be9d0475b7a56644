/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "scratch-folder.h"
#include "tools/test/workload/workload.h"

/* The layout in the specification of jitdump. */
struct header {
	uint32_t magic, version, total_size, machine, pad, pid;
	uint64_t timestamp, flags;
};

struct load {
	uint32_t id, total_size;
	uint64_t timestamp;
	uint32_t pid, tid;
	uint64_t vma, code_addr, code_size, code_index;
	char name[14];
} __attribute__((packed));

static size_t read_dump(char *bytes, size_t size)
{
	char path[32];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "jit-%ld.dump", (long)getpid());
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	n = read(fd, bytes, size);
	close(fd);
	assert_true(n > 0);
	return (size_t)n;
}

static void the_dump_describes_the_code(void **state)
{
	static char bytes[8192];
	struct header h;
	struct load l;
	size_t n;

	(void)state;
	assert_int_equal(test_workload_jitdump.run((double[]){ 0, 0 }), 0);
	n = read_dump(bytes, sizeof(bytes));
	assert_true(n > sizeof(h) + sizeof(l));
	memcpy(&h, bytes, sizeof(h));
	memcpy(&l, bytes + sizeof(h), sizeof(l));
	assert_int_equal(h.magic, 0x4a695444);
	assert_int_equal(h.version, 1);
	assert_int_equal(h.total_size, sizeof(h));
#ifdef __x86_64__
	assert_int_equal(h.machine, EM_X86_64);
#elif defined(__aarch64__)
	assert_int_equal(h.machine, EM_AARCH64);
#endif
	assert_int_equal(h.pad, 0);
	assert_int_equal(h.pid, getpid());
	assert_int_equal(h.flags, 0);
	assert_int_equal(l.id, 0);
	assert_int_equal(l.total_size, sizeof(l) + l.code_size);
	assert_int_equal(n, sizeof(h) + l.total_size);
	assert_true(l.timestamp >= h.timestamp);
	assert_true(h.timestamp > 0);
	assert_int_equal(l.pid, getpid());
	assert_int_equal(l.tid, syscall(SYS_gettid));
	assert_true(l.vma == l.code_addr && l.vma);
	assert_int_equal(l.code_index, 1);
	assert_true(l.code_size > 0);
	assert_string_equal(l.name, "jit_made_loop");
	/* The code still exists in memory, as it was written. */
	assert_memory_equal(bytes + sizeof(h) + sizeof(l), (void *)(uintptr_t)l.code_addr,
			    l.code_size);
}

static void an_old_dump_is_not_overwritten(void **state)
{
	(void)state;
	assert_int_equal(test_workload_jitdump.run((double[]){ 0, 0 }), 0);
	assert_int_equal(test_workload_jitdump.run((double[]){ 0, 0 }), -EEXIST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_dump_describes_the_code, enter_scratch_folder,
						leave_scratch_folder),
		cmocka_unit_test_setup_teardown(an_old_dump_is_not_overwritten,
						enter_scratch_folder, leave_scratch_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
