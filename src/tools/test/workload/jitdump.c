/* SPDX-License-Identifier: MIT */
/*
 * Makes code while the program runs, like a JIT compiler, with its description in jit-PID.dump of
 * the working directory: a header and a record JIT_CODE_LOAD.
 *
 * The code is a copy of a function of ours, so that no code depends on the machine. It is in a
 * section of its own, whose begin and end the linker knows.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "tools/test/workload/workload.h"

#define JIT_MAGIC   0x4a695444
#define JIT_VERSION 1
#define JIT_LOAD    0
#define NAME        "jit_made_loop"
#define ROUNDS      100000

#define JIT_TEMPLATE                                                                               \
	__attribute__((noinline, used, section("jit_template"),                                    \
		       no_sanitize("address", "undefined", "thread")))

/* The function must not depend on its own address. */
JIT_TEMPLATE static unsigned long count_down(unsigned long n)
{
	while (n) {
		__asm__ volatile("" : "+r"(n));
		n--;
	}
	return n;
}

extern const char __start_jit_template[], __stop_jit_template[];

struct jit_header {
	uint32_t magic, version, total_size, machine, pad, pid;
	uint64_t timestamp, flags;
};

struct jit_load {
	uint32_t id, total_size;
	uint64_t timestamp;
	uint32_t pid, tid;
	uint64_t vma, code_addr, code_size, code_index;
	char name[sizeof(NAME)];
} __attribute__((packed));

static uint64_t jitdump_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Returns the machine of our own program, which is that of the code. */
static uint16_t own_machine(void)
{
	_cleanup_(closep) int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	uint16_t machine = EM_NONE;

	/* e_machine is at the same offset in files of 32 and of 64 bits. */
	if (fd < 0 || pread(fd, &machine, sizeof(machine), offsetof(Elf64_Ehdr, e_machine)) !=
			      sizeof(machine))
		return EM_NONE;
	return machine;
}

static int write_header(int fd)
{
	const struct jit_header h = { .magic = JIT_MAGIC,
				      .version = JIT_VERSION,
				      .total_size = sizeof(h),
				      .machine = own_machine(),
				      .pid = (uint32_t)getpid(),
				      .timestamp = jitdump_now_ns() };
	int r = file_write(fd, &h, sizeof(h));

	/* The mapping tells the recorder about the file. It is not read here. */
	if (r >= 0 && mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_EXEC, MAP_PRIVATE,
			   fd, 0) == MAP_FAILED)
		r = -errno;
	return r;
}

static int write_load(int fd, const void *code, size_t size)
{
	const struct jit_load l = { .id = JIT_LOAD,
				    .total_size = (uint32_t)(sizeof(l) + size),
				    .timestamp = jitdump_now_ns(),
				    .pid = (uint32_t)getpid(),
				    .tid = (uint32_t)syscall(SYS_gettid),
				    .vma = (uintptr_t)code,
				    .code_addr = (uintptr_t)code,
				    .code_size = size,
				    .code_index = 1,
				    .name = NAME };
	int r = file_write(fd, &l, sizeof(l));

	return r < 0 ? r : file_write(fd, code, size);
}

/* Runs the copy at @code. */
static void run_code(void *code)
{
	unsigned long (*loop)(unsigned long);

	memcpy(&loop, &code, sizeof(loop));
	loop(ROUNDS);
}

static int make_and_run(int fd)
{
	size_t size = (size_t)(__stop_jit_template - __start_jit_template);
	size_t mapped = (size_t)sysconf(_SC_PAGESIZE);
	char *code = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int r = code == MAP_FAILED ? -errno : 0;

	if (r < 0 || size > mapped)
		return r < 0 ? r : -E2BIG;
	memcpy(code, __start_jit_template, size);
	__builtin___clear_cache(code, code + size);
	if (mprotect(code, mapped, PROT_READ | PROT_EXEC) < 0)
		return -errno;
	r = write_load(fd, code, size);
	if (r >= 0)
		run_code(code);
	return r;
}

static int jitdump(const double *numbers __attribute__((unused)))
{
	char path[32];

	snprintf(path, sizeof(path), "jit-%ld.dump", (long)getpid());

	_cleanup_(closep) int fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
	int r = fd < 0 ? -errno : write_header(fd);

	return r < 0 ? r : make_and_run(fd);
}

const struct test_workload test_workload_jitdump = {
	.name = "jitdump",
	.summary = "a function made at run time, described in jit-PID.dump",
	.run = jitdump,
};
