/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A process with a program that has the lock `hot_lock` and a function `work`, and a libc with
 * pthread_mutex_lock(), pthread_cond_wait(), syscall() and functions without names; and the
 * mappings of the process.
 */
#include "elf/built-elf.h"
#include "session/recording.h"
#include "symbol/scratch.h"
#include "symbol/symbolizer.h"

#define EXAMPLE_PID  42
#define PROGRAM_AT   0x500000
#define LIBC_AT      0x7f0000000000
#define HEAP_AT      0x900000
#define EXAMPLE_LOCK (PROGRAM_AT + 0x3000)

/* Offsets in the file: the code begins at EXAMPLE_CODE, and each function has 16 bytes. */
#define EXAMPLE_CODE ((sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + 15) & ~(size_t)15)
#define WORK         (PROGRAM_AT + EXAMPLE_CODE + 4)
#define MUTEX_LOCK   (LIBC_AT + EXAMPLE_CODE + 4)
#define COND_WAIT    (LIBC_AT + EXAMPLE_CODE + 20)
#define SYSCALL      (LIBC_AT + EXAMPLE_CODE + 36)
#define LIBC_INSIDE  (LIBC_AT + 0x2000)

struct example_locks {
	struct recording recording;
	struct symbolizer *symbolizer;
	struct session *session;
};

static inline void example_store(const char *dir, const char *name,
				 const struct built_symbol *symbols, size_t n)
{
	_cleanup_(freep) char *path = scratch_path(dir, name);
	static const char code[64];
	struct built_elf b;

	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, sizeof(code));
	built_add_symbols(&b, SHT_SYMTAB, symbols, n);
	built_end(&b, EM_AARCH64, ET_DYN);
	assert_true(built_store(&b, path));
}

static inline void example_locks_begin(struct example_locks *e, const char *dir)
{
	const struct built_symbol program[] = {
		{ "work", BUILT_BASE + EXAMPLE_CODE, 16, STB_GLOBAL, STT_FUNC, 1, STV_DEFAULT },
		{ "hot_lock", BUILT_BASE + 0x3000, 48, STB_LOCAL, STT_OBJECT, 1, STV_DEFAULT },
	};
	const struct built_symbol libc[] = {
		{ "pthread_mutex_lock", BUILT_BASE + EXAMPLE_CODE, 16, STB_GLOBAL, STT_FUNC, 1,
		  STV_DEFAULT },
		{ "pthread_cond_wait", BUILT_BASE + EXAMPLE_CODE + 16, 16, STB_GLOBAL, STT_FUNC, 1,
		  STV_DEFAULT },
		{ "syscall", BUILT_BASE + EXAMPLE_CODE + 32, 16, STB_GLOBAL, STT_FUNC, 1,
		  STV_DEFAULT },
	};

	example_store(dir, "bin/program", program, 2);
	example_store(dir, "lib/libc.so.6", libc, ARRAY_SIZE(libc));
	*e = (struct example_locks){ .recording = recording_new() };
	e->symbolizer = symbolizer_new(&(struct symbolizer_options){ .symfs = dir });
	e->recording.symbolizer = e->symbolizer;
	mmaps(&e->recording, EXAMPLE_PID, PROGRAM_AT, 0x4000, "/bin/program", 1);
	mmaps(&e->recording, EXAMPLE_PID, LIBC_AT, 0x10000, "/lib/libc.so.6", 1);
	mmaps(&e->recording, EXAMPLE_PID, HEAP_AT, 0x10000, "[heap]", 1);
	e->session = opened(&e->recording, false);
}

/* Reads the maps. */
static inline void example_locks_read(struct example_locks *e)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct consumer none = { .order = CONSUMER_IN_ORDER };

	assert_int_equal(session_feed(e->session, NULL, &none, &diag), 0);
}

static inline void example_locks_end(struct example_locks *e)
{
	session_free(e->session);
	symbolizer_free(e->symbolizer);
	recording_done(&e->recording);
}
