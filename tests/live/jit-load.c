/* SPDX-License-Identifier: MIT */
/*
 * A program that generates code at run time as a JIT compiler does, and writes a jit-PID.dump of it
 * in the working directory: two functions at one address, one after the other, of the same length,
 * then the second moved elsewhere. argv[1]: the number of calls of each.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MACHINE_AARCH64 183
#define MACHINE_X86_64  62

/* A loop that counts down from its argument. */
#if defined(__aarch64__)
#define MACHINE MACHINE_AARCH64
static const uint32_t code[] = { 0xf1000400, 0x54ffffe1, 0xd65f03c0 };
#else
#define MACHINE MACHINE_X86_64
static const uint8_t code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };
#endif

static FILE *dump;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void u32(uint32_t v)
{
	fwrite(&v, sizeof(v), 1, dump);
}

static void u64(uint64_t v)
{
	fwrite(&v, sizeof(v), 1, dump);
}

static void head(uint32_t id, uint32_t size)
{
	u32(id);
	u32(16 + size);
	u64(now());
}

static void begin(void)
{
	char name[64];

	snprintf(name, sizeof(name), "jit-%d.dump", (int)getpid());
	dump = fopen(name, "w+");
	if (!dump)
		exit(2);
	u32(0x4a695444);
	u32(1);
	u32(40);
	u32(MACHINE);
	u32(0);
	u32((uint32_t)getpid());
	u64(now());
	u64(0);
	fflush(dump);
	/* Only the recorder needs this mapping. */
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) == MAP_FAILED)
		exit(2);
}

static void *make(uint8_t *at, const char *name, uint64_t index)
{
	memcpy(at, code, sizeof(code));
	__builtin___clear_cache((char *)at, (char *)at + sizeof(code));
	head(0, (uint32_t)(40 + strlen(name) + 1 + sizeof(code)));
	u32((uint32_t)getpid());
	u32((uint32_t)getpid());
	u64((uintptr_t)at);
	u64((uintptr_t)at);
	u64(sizeof(code));
	u64(index);
	fwrite(name, strlen(name) + 1, 1, dump);
	fwrite(code, sizeof(code), 1, dump);
	fflush(dump);
	return at;
}

static void *move(uint8_t *from, uint8_t *to, uint64_t index)
{
	memcpy(to, code, sizeof(code));
	__builtin___clear_cache((char *)to, (char *)to + sizeof(code));
	head(1, 48);
	u32((uint32_t)getpid());
	u32((uint32_t)getpid());
	u64((uintptr_t)to);
	u64((uintptr_t)from);
	u64((uintptr_t)to);
	u64(sizeof(code));
	u64(index);
	fflush(dump);
	return to;
}

static void spin(void *function, uint64_t count)
{
	((uint64_t(*)(uint64_t))(uintptr_t)function)(count);
}

int main(int argc, char **argv)
{
	uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
	uint8_t *memory = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE | PROT_EXEC,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return 2;
	begin();
	spin(make(memory, "jitted_first", 1), count);
	spin(make(memory, "jitted second(int)", 2), count);
	spin(move(memory, memory + 4096, 2), count);
	return fclose(dump) == 0 ? 0 : 2;
}
