/* SPDX-License-Identifier: MIT */
/*
 * A program that looks like CPython and lies: MODE SECONDS
 *
 * It has the symbols of Python 3.12, or 3.13 in mode "described", and frames, code objects and
 * texts that make no sense. Runs at a known depth in what it calls the loop of the interpreter.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define KEEP __attribute__((visibility("default"), used))

/* Python's objects have their type at 8. */
struct text {
	uint64_t references, type, length, hash;
	uint32_t state, padding;
	union {
		char ascii[64];
		struct {
			uint64_t utf8[2];
			uint8_t wide[48];
		};
	};
};

struct bytes {
	uint64_t references, type, size, hash;
	uint8_t bytes[64];
};

struct code {
	uint64_t references, type, size;
	uint32_t numbers[4]; /* arguments, keyword ones, flags, line */
	struct text *file, *name;
	struct bytes *lines;
	uint8_t code[64];
};

struct frame {
	struct code *code;
	struct frame *previous;
	uint64_t words[5];
	uint64_t instr;
	uint8_t more[6], owner, rest[9];
};

struct member {
	const char *name;
	uint64_t type, offset, flags, doc;
};

KEEP uint64_t PyCode_Type[64], PyFrame_Type[64], PyUnicode_Type[64], PyBytes_Type[64];
KEEP uint64_t _PyRuntime[256];
KEEP uint32_t Py_Version = 0x030c01f0;

static __thread struct state {
	uint64_t words[7];
	struct frame **current;
} * state;

KEEP void *PyThreadState_Get(void);
KEEP void *PyGILState_GetThisThreadState(void);
KEEP unsigned long _PyEval_EvalFrameDefault(int depth, const struct timespec *end);

void *PyThreadState_Get(void)
{
	return state;
}

void *PyGILState_GetThisThreadState(void)
{
	return state;
}

__attribute__((noinline)) unsigned long _PyEval_EvalFrameDefault(int depth,
								 const struct timespec *end)
{
	struct timespec now;
	volatile unsigned long sum = 0;

	if (depth)
		return _PyEval_EvalFrameDefault(depth - 1, end) + 1;
	do {
		for (int i = 0; i < 100000; i++)
			sum += i;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec < end->tv_sec ||
		 (now.tv_sec == end->tv_sec && now.tv_nsec < end->tv_nsec));
	return sum;
}

#define AT(member) offsetof(struct code, member)

static struct member members[] = {
	{ "co_argcount", 0, AT(numbers[0]), 0, 0 },
	{ "co_kwonlyargcount", 0, AT(numbers[1]), 0, 0 },
	{ "co_flags", 0, AT(numbers[2]), 0, 0 },
	{ "co_firstlineno", 0, AT(numbers[3]), 0, 0 },
	{ "co_filename", 0, AT(file), 0, 0 },
	{ "co_qualname", 0, AT(name), 0, 0 },
	{ "co_linetable", 0, AT(lines), 0, 0 },
	{ "co_name", 0, AT(name), 0, 0 },
	{ NULL, 0, 0, 0, 0 },
};

static struct text file = { .state = 0x64 }, name = { .state = 0x64 };
static struct bytes lines;
static struct code code = { .size = 32, .numbers = { 1, 0, 3, 7 } };
static struct frame frames[32], *current = &frames[0];

static void set_text(struct text *t, const char *s)
{
	t->type = (uintptr_t)PyUnicode_Type;
	t->length = strlen(s);
	memcpy(t->ascii, s, strlen(s));
}

static void set_up(void)
{
	PyCode_Type[4] = AT(code);
	PyCode_Type[30] = (uintptr_t)members;
	set_text(&file, "/srv/app.py");
	set_text(&name, "honest");
	lines.type = (uintptr_t)PyBytes_Type;
	lines.size = 2;
	memcpy(lines.bytes, "\x80\x00\x80\x00", 4);
	code.type = (uintptr_t)PyCode_Type;
	code.file = &file;
	code.name = &name;
	code.lines = &lines;
	for (int i = 0; i < 32; i++)
		frames[i] = (struct frame){ .code = &code,
					    .previous = i < 31 ? &frames[i + 1] : NULL,
					    .instr = (uintptr_t)code.code + 2 };
	frames[31].owner = 3;
	state = calloc(1, sizeof(*state));
	state->current = &current;
}

#define KERNEL ((void *)0xffff888000001000)

/* 1 GB of address space without memory of its own, that contains the same page everywhere. */
static uint8_t *everywhere(uint8_t byte)
{
	size_t n = (size_t)1 << 30, part = 1 << 20;
	int fd = memfd_create("same", 0);
	uint8_t *at = mmap(NULL, n, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	uint8_t *page = malloc(part);

	memset(page, byte, part);
	if (fd < 0 || write(fd, page, part) != (ssize_t)part)
		exit(1);
	for (size_t i = 0; i < n; i += part)
		mmap(at + i, part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, 0);
	free(page);
	return at;
}

/* Changes the texts and lines all the time, so that each stack has functions that are new. */
static void *change(void *arg)
{
	uint8_t *memory = everywhere(0x87);
	struct bytes *large = (struct bytes *)memory;

	(void)arg;
	large->type = (uintptr_t)PyBytes_Type;
	large->size = (4 << 20) - 64;
	code.size = 8 << 20;
	code.lines = large;
	for (uint32_t i = 0;; i++) {
		code.numbers[3] = i;
		snprintf(name.ascii, sizeof(name.ascii), "function%u", i);
		name.length = strlen(name.ascii);
	}
	return NULL;
}

/* Writes noise over everything that is read. */
static void *write_noise(void *arg)
{
	static const struct {
		void *at;
		size_t size;
	} all[] = { { &code, sizeof(code) },       { &name, sizeof(name) },
		    { &lines, sizeof(lines) },     { frames, sizeof(frames) },
		    { members, sizeof(members) },  { _PyRuntime, sizeof(_PyRuntime) },
		    { &current, sizeof(current) }, { PyCode_Type, sizeof(PyCode_Type) } };

	for (uint64_t x = 88172645463325252;;) {
		uint8_t old[sizeof(frames)];
		size_t k, n;

		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		k = x % (sizeof(all) / sizeof(all[0]));
		n = all[k].size;
		memcpy(old, all[k].at, n);
		for (int i = 0; i < 20; i++) {
			x ^= x << 13, x ^= x >> 7, x ^= x << 17;
			((uint8_t *)all[k].at)[x % n] = (uint8_t)(x >> 32);
		}
		if (x >> 40 & 3)
			memcpy(all[k].at, old, n);
	}
	(void)arg;
	return NULL;
}

static void start(void *(*run)(void *))
{
	pthread_t thread;

	pthread_create(&thread, NULL, run, NULL);
}

static void set_wide(struct text *t, int kind, uint8_t byte)
{
	t->state = (uint32_t)kind << 2 | 0x20;
	t->length = sizeof(t->wide) / (size_t)kind;
	memset(t->wide, byte, sizeof(t->wide));
}

static int lie(const char *mode)
{
	if (!strcmp(mode, "honest")) {
	} else if (!strcmp(mode, "cycle")) {
		frames[20].previous = &frames[3];
	} else if (!strcmp(mode, "itself")) {
		frames[3].previous = &frames[3];
	} else if (!strcmp(mode, "kernel-frame")) {
		frames[3].previous = KERNEL;
	} else if (!strcmp(mode, "kernel-code")) {
		frames[3].code = KERNEL;
	} else if (!strcmp(mode, "kernel-text")) {
		code.name = KERNEL;
	} else if (!strcmp(mode, "far-members")) {
		for (int i = 0; i < 8; i++)
			members[i].offset = 0xffff;
	} else if (!strcmp(mode, "members-at-the-end")) {
		for (int i = 0; i < 8; i++)
			members[i].offset = 1023;
	} else if (!strcmp(mode, "long-name")) {
		name.length = 1 << 20;
	} else if (!strcmp(mode, "endless-name")) {
		name.length = UINT64_MAX;
	} else if (!strcmp(mode, "endless-lines")) {
		lines.size = UINT64_MAX - 8;
	} else if (!strcmp(mode, "endless-code")) {
		code.size = UINT64_MAX / 2 + 2;
	} else if (!strcmp(mode, "escapes")) {
		set_text(&name, "\033[31mEVIL\033]0;EVIL\a\r\nEVIL 1 2\tx\x7f");
		set_text(&file, "/srv/\033[2JEVIL\n.py");
	} else if (!strcmp(mode, "surrogates")) {
		set_wide(&name, 2, 0xd8);
		set_wide(&file, 4, 0xff);
	} else if (!strcmp(mode, "reversed")) {
		name.state = 2 << 2 | 0x20;
		name.length = 5;
		memcpy(name.wide, u"ab\u202ecd", 10);
	} else if (!strcmp(mode, "many")) {
		start(change);
	} else if (!strcmp(mode, "noise")) {
		start(write_noise);
	} else if (!strcmp(mode, "described")) {
		Py_Version = 0x030d00f0;
		memset(_PyRuntime, 0xff, sizeof(_PyRuntime));
		memcpy(_PyRuntime, "xdebugpy", 8);
		_PyRuntime[1] = Py_Version;
		for (int i = 2; i < 128; i++)
			_PyRuntime[i] = 0xfffe - (i & 1);
		_PyRuntime[2] = 0;
	} else {
		return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct timespec end;

	if (argc != 3)
		return 2;
	set_up();
	if (lie(argv[1]) < 0)
		return 2;
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += atoi(argv[2]);
	_PyEval_EvalFrameDefault(10, &end);
	return 0;
}
