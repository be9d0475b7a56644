/* SPDX-License-Identifier: MIT */
/*
 * glibc describes where it keeps the values of keys for debuggers (nptl_db), in data that it
 * exports.
 */
#include "runtime/thread-key.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "arch/access.h"
#include "arch/arch.h"
#include "elf/file.h"
#include "elf/symbols.h"
#include "runtime/memory.h"

#define INSTRUCTIONS_MAX 64
#define CODE_MAX         512

/* glibc's vector of the thread-local storage of modules, from the thread pointer; its elements. */
#define DTV_AT_X86 8
#define DTV_AT     0
#define DTV_SLOT   16

/* More modules with thread-local variables than a process has, and more bytes of them. */
#define MODULE_MAX   (1U << 20)
#define DISTANCE_MAX (1LL << 28)

/* pthread_key_t follows a word that says whether it was made (Py_tss_t). */
#define KEY_IN_STRUCT 4

void runtime_path_add(struct runtime_path *p, int64_t offset)
{
	if (p->n < RUNTIME_STEPS_MAX)
		p->offsets[p->n++] = offset;
}

/* The kinds of values that a register may have. */
enum value_kind {
	VALUE_UNKNOWN,
	VALUE_NUMBER,
	VALUE_THREAD,          /* the thread pointer plus a number */
	VALUE_TLS,             /* a thread-local variable of a module, plus a number */
	VALUE_TLS_FROM_THREAD, /* the distance from the thread pointer to such a variable */
	VALUE_LOADED,          /* the word at one of the two before */
};

struct thread_value {
	enum value_kind kind, from; /* @from: with VALUE_LOADED */
	uint64_t number, module;
};

/* The code of a function that is followed. */
struct thread_walk {
	int pid;
	const struct arch *arch;
	uint8_t argument;
	struct thread_value values[ACCESS_REGISTERS];
	uint64_t addr; /* of @code */
	size_t at, n;  /* the next instruction in @code, and the end */
	uint8_t code[CODE_MAX];
};

#define RESULT 0 /* the register with a function's result, on both machines */

static struct thread_value thread_value_add(struct thread_value a, struct thread_value b)
{
	if (a.kind == VALUE_NUMBER || b.kind == VALUE_THREAD) {
		struct thread_value first = a;

		a = b;
		b = first;
	}
	if (b.kind == VALUE_NUMBER && a.kind != VALUE_LOADED) {
		a.number += b.number;
		return a;
	}
	if (a.kind == VALUE_THREAD && b.kind == VALUE_TLS_FROM_THREAD) {
		b.kind = VALUE_TLS;
		return b;
	}
	return (struct thread_value){ 0 };
}

static struct thread_value thread_walk_address(const struct thread_walk *w,
					       const struct access_memory *m)
{
	struct thread_value v = { .kind = VALUE_NUMBER, .number = (uint64_t)m->offset };

	if (m->segment == ACCESS_GS || (m->base == ACCESS_NONE && !m->is_absolute) ||
	    (m->index != ACCESS_NONE && m->scale != 1))
		return (struct thread_value){ 0 };
	if (m->segment == ACCESS_FS)
		v.kind = VALUE_THREAD;
	if (m->base != ACCESS_NONE)
		v = thread_value_add(v, w->values[m->base % ACCESS_REGISTERS]);
	if (m->index != ACCESS_NONE)
		v = thread_value_add(v, w->values[m->index % ACCESS_REGISTERS]);
	return v;
}

static struct thread_value thread_walk_load(const struct thread_walk *w, struct thread_value at)
{
	/* On x86_64 the thread pointer is also a word at its own address. */
	if (at.kind == VALUE_THREAD && !at.number && w->arch->elf_machine == EM_X86_64)
		return (struct thread_value){ .kind = VALUE_THREAD };
	if (at.kind == VALUE_THREAD || at.kind == VALUE_TLS)
		return (struct thread_value){ VALUE_LOADED, at.kind, at.number, at.module };
	if (at.kind == VALUE_NUMBER && memory_u64(w->pid, at.number, &at.number) >= 0)
		return at;
	return (struct thread_value){ 0 };
}

static void thread_walk_set(struct thread_walk *w, uint8_t reg, struct thread_value v)
{
	if (reg < ACCESS_REGISTERS)
		w->values[reg] = v;
}

/* Follows an instruction. */
static void thread_walk_step(struct thread_walk *w, const struct code_access *a)
{
	struct thread_value v = { 0 };

	for (uint8_t i = 0; i < ACCESS_REGISTERS; i++)
		if (a->written >> i & 1)
			w->values[i] = v;
	switch (a->action) {
	case ACCESS_ADDRESS:
		v = thread_walk_address(w, &a->memory);
		break;
	case ACCESS_COPY:
		if (a->from < ACCESS_REGISTERS)
			v = w->values[a->from];
		break;
	case ACCESS_INSERT:
		if (a->to < ACCESS_REGISTERS && w->values[a->to].kind == VALUE_NUMBER) {
			v = w->values[a->to];
			v.number &= ~((uint64_t)UINT16_MAX << a->scale);
			v.number |= (uint64_t)a->memory.offset;
		}
		break;
	case ACCESS_ADD:
		if (a->from < ACCESS_REGISTERS && a->other < ACCESS_REGISTERS && a->scale == 1 &&
		    !a->has_memory && !a->is_narrow)
			v = thread_value_add(w->values[a->from], w->values[a->other]);
		break;
	case ACCESS_THREAD:
		v.kind = VALUE_THREAD;
		break;
	case ACCESS_LOAD:
		if (a->size == sizeof(uint64_t))
			v = thread_walk_load(w, thread_walk_address(w, &a->memory));
		break;
	case ACCESS_STORE:
	case ACCESS_OTHER:
		return;
	default:
		break;
	}
	thread_walk_set(w, a->to, v);
}

/* Decides after each instruction. Returns 0: go on; 1: found; or a negative errno. */
typedef int thread_decide_fn(struct thread_walk *w, const struct code_access *a, void *ret);

/* Goes on with the function at @addr, whose size may be 0: not known. */
static int thread_walk_enter(struct thread_walk *w, uint64_t addr, size_t size)
{
	w->addr = addr;
	w->at = 0;
	w->n = size && size < sizeof(w->code) ? size : sizeof(w->code);
	return memory_read(w->pid, addr, w->code, w->n) < 0 ? -EFAULT : 0;
}

/* Follows the straight way through a function. */
static int thread_walk(struct thread_code c, thread_decide_fn *decide, void *ret)
{
	struct thread_walk w = { .pid = c.pid, .arch = c.arch };
	int r;

	if (!code_access_knows(w.arch))
		return -ENOTSUP;
	w.argument = w.arch->probes->arguments[0];
	r = thread_walk_enter(&w, c.addr, c.size);
	for (int i = 0; !r && i < INSTRUCTIONS_MAX; i++) {
		struct code_access a;

		if (!code_access_read(w.arch, w.code + w.at, w.n - w.at, w.addr + w.at, &a))
			return -EPROTO;
		w.at += a.length;
		r = decide(&w, &a, ret);
		if (!r)
			thread_walk_step(&w, &a);
	}
	return r > 0 ? 0 : r ? r : -EPROTO;
}

static int thread_decide_key(struct thread_walk *w, const struct code_access *a, void *ret)
{
	struct thread_value at = thread_walk_address(w, &a->memory);
	uint64_t *key_at = ret;

	if (a->action == ACCESS_LOAD && a->size == 4 && a->to == w->argument &&
	    at.kind == VALUE_NUMBER) {
		*key_at = at.number;
		return 1;
	}
	if (a->flow == ACCESS_JUMP || a->flow == ACCESS_CALL) {
		*key_at = w->values[w->argument].number + KEY_IN_STRUCT;
		return w->values[w->argument].kind == VALUE_NUMBER ? 1 : -EPROTO;
	}
	return a->flow == ACCESS_END ? -EPROTO : 0;
}

int thread_key_find(struct thread_code c, uint64_t *ret_key_at)
{
	return thread_walk(c, thread_decide_key, ret_key_at);
}

/* Reads the module of a variable, and its place there, which follow each other in memory. */
static int thread_read_module(struct thread_walk *w, uint64_t at, enum value_kind kind)
{
	uint64_t words[2];

	if (memory_read(w->pid, at, words, sizeof(words)) < 0 || words[0] > MODULE_MAX)
		return -EPROTO;
	w->values[RESULT] =
		(struct thread_value){ .kind = kind, .module = words[0], .number = words[1] };
	return 0;
}

/*
 * Handles the call of a TLS descriptor at @at, a function and its argument, which returns a
 * distance from the thread pointer: the argument, or for a variable that is allocated at its first
 * use the one that its module, at the argument, leads to.
 */
static int thread_take_descriptor(struct thread_walk *w, uint64_t at)
{
	uint64_t words[2];
	int64_t distance;

	if (memory_read(w->pid, at, words, sizeof(words)) < 0)
		return -EPROTO;
	if (!words[0])
		return -EAGAIN;
	distance = (int64_t)words[1];
	if (distance < -DISTANCE_MAX || distance > DISTANCE_MAX)
		return thread_read_module(w, words[1], VALUE_TLS_FROM_THREAD);
	w->values[RESULT] = (struct thread_value){ .kind = VALUE_NUMBER, .number = words[1] };
	return 0;
}

/*
 * Handles a call: of __tls_get_addr(), of a TLS descriptor, or of a function that finds the
 * variable.
 */
static int thread_take_call(struct thread_walk *w, const struct code_access *a)
{
	const struct thread_value *argument = &w->values[w->argument], *result = &w->values[RESULT];

	if (!a->has_target && result->kind == VALUE_NUMBER &&
	    (w->argument == RESULT || argument->kind != VALUE_NUMBER))
		return thread_take_descriptor(w, result->number);
	if (argument->kind == VALUE_NUMBER)
		return thread_read_module(w, argument->number, VALUE_TLS);
	return a->has_target ? thread_walk_enter(w, a->target, 0) : -EPROTO;
}

/*
 * Before the dynamic linker has relocated an image, the number of the module, or the distance from
 * the thread pointer, is 0, which is none on either machine.
 */
static int thread_add_variable(const struct thread_walk *w, const struct thread_value *v,
			       struct runtime_path *path)
{
	if (!(v->from == VALUE_TLS ? v->module : v->number))
		return -EAGAIN;
	if (v->from == VALUE_TLS) {
		runtime_path_add(path, w->arch->elf_machine == EM_X86_64 ? DTV_AT_X86 : DTV_AT);
		runtime_path_add(path, (int64_t)(v->module * DTV_SLOT));
	}
	runtime_path_add(path, (int64_t)v->number);
	return 1;
}

static int thread_decide_variable(struct thread_walk *w, const struct code_access *a, void *ret)
{
	struct runtime_path *path = ret;
	const struct thread_value *v = &w->values[RESULT];

	if (a->flow == ACCESS_CALL)
		return thread_take_call(w, a);
	if (a->flow == ACCESS_ON || a->flow == ACCESS_BRANCH)
		return 0;
	if (v->kind != VALUE_LOADED)
		return -EPROTO;
	return thread_add_variable(w, v, path);
}

int thread_variable_path(struct thread_code c, struct runtime_path *path)
{
	return thread_walk(c, thread_decide_variable, path);
}

static int thread_decide_first(struct thread_walk *w, const struct code_access *a, void *ret)
{
	for (uint8_t i = 0; i < ACCESS_REGISTERS; i++)
		if (w->values[i].kind == VALUE_LOADED)
			return thread_add_variable(w, &w->values[i], ret);
	if (a->flow == ACCESS_CALL)
		return thread_take_call(w, a);
	return a->flow == ACCESS_ON || a->flow == ACCESS_BRANCH ? 0 : -EPROTO;
}

int thread_first_variable_path(struct thread_code c, struct runtime_path *path)
{
	return thread_walk(c, thread_decide_first, path);
}

struct thread_loads {
	uint64_t *addrs;
	size_t n, room;
};

static int thread_decide_loads(struct thread_walk *w, const struct code_access *a, void *ret)
{
	struct thread_loads *l = ret;
	struct thread_value at = thread_walk_address(w, &a->memory);

	if (a->action == ACCESS_LOAD && a->size == sizeof(uint64_t) && at.kind == VALUE_NUMBER)
		l->addrs[l->n++] = at.number;
	return l->n == l->room || a->flow == ACCESS_END || a->flow == ACCESS_JUMP;
}

size_t thread_loads_find(struct thread_code c, uint64_t *ret, size_t room)
{
	struct thread_loads l = { .addrs = ret, .room = room };

	thread_walk(c, thread_decide_loads, &l);
	return l.n;
}

static int thread_decide_result(struct thread_walk *w, const struct code_access *a, void *ret)
{
	uint64_t *result = ret;

	if (a->flow == ACCESS_ON)
		return 0;
	if (a->flow != ACCESS_END || w->values[RESULT].kind != VALUE_NUMBER)
		return -EPROTO;
	*result = w->values[RESULT].number;
	return 1;
}

int thread_result_find(struct thread_code c, uint64_t *ret)
{
	return thread_walk(c, thread_decide_result, ret);
}

/* Descriptors of nptl_db: the size in bits, the number of elements, and the offset. */
struct thread_key_field {
	uint32_t bits, count, offset;
};

/* The description of its threads that glibc exports. */
struct thread_key_glibc {
	struct elf_file *file;
	struct thread_key_field specific, block, data;
	uint32_t thread_size, slot_size;
	unsigned found;
	bool has_keys; /* it is glibc's, of any version */
};

static void thread_key_take(const struct elf_symbol *s, void *arg)
{
	struct thread_key_glibc *g = arg;
	const struct {
		const char *name;
		void *to;
		size_t size;
	} wanted[] = {
		{ "_thread_db_pthread_specific", &g->specific, sizeof(g->specific) },
		{ "_thread_db_pthread_key_data_level2_data", &g->block, sizeof(g->block) },
		{ "_thread_db_pthread_key_data_data", &g->data, sizeof(g->data) },
		{ "_thread_db_sizeof_pthread", &g->thread_size, sizeof(g->thread_size) },
		{ "_thread_db_sizeof_pthread_key_data", &g->slot_size, sizeof(g->slot_size) },
	};
	uint64_t offset;

	g->has_keys |= !strcmp(s->name, "__pthread_getspecific");
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		if (!strcmp(s->name, wanted[i].name) &&
		    elf_file_offset(g->file, s->addr, s->section, &offset) &&
		    elf_file_read(g->file, offset, wanted[i].to, wanted[i].size) == wanted[i].size)
			g->found |= 1U << i;
}

/*
 * Before glibc 2.34, libpthread describes itself in symbols that distributions strip. The layout
 * has not changed since 2003.
 */
static const struct runtime_libc before_2_34 = {
	.blocks = 0x510, .value = 8, .slot_size = 16, .n_slots = 32, .n_blocks = 32
};

int runtime_libc_read(struct elf_file *file, struct runtime_libc *ret)
{
	struct thread_key_glibc g = { .file = file };

	if (elf_symbols_read(file, ELF_DYNSYM, thread_key_take, &g) < 0 ||
	    (g.found != 0x1f && !g.has_keys))
		return -ENODATA;
	if (g.found != 0x1f && elf_file_machine(file) != EM_X86_64)
		return -ENODATA;
	if (g.found != 0x1f) {
		*ret = before_2_34;
		return 0;
	}
	*ret = (struct runtime_libc){
		.blocks = g.specific.offset,
		.value = g.block.offset + g.data.offset,
		.slot_size = g.slot_size,
		.n_slots = g.block.count,
		.n_blocks = g.specific.count,
	};
	/* On x86_64 the thread pointer is the thread's structure; elsewhere it is right after it.
	 */
	if (elf_file_machine(file) != EM_X86_64)
		ret->self = -(int64_t)g.thread_size;
	ret->blocks += ret->self;
	return ret->n_slots ? 0 : -ENODATA;
}

int thread_key_path(const struct runtime_libc *libc, uint32_t key, struct runtime_path *path)
{
	if (!libc->n_slots || key / libc->n_slots >= libc->n_blocks)
		return -ENOTSUP;
	runtime_path_add(path, libc->blocks + (int64_t)(key / libc->n_slots * sizeof(uint64_t)));
	runtime_path_add(path, libc->value + (int64_t)(key % libc->n_slots) * libc->slot_size);
	return 0;
}
