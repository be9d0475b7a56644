/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Copies the memory to which the arguments of a call point, piece by piece, according to the call's
 * plan.
 *
 * Everything comes from the program and is not trusted: pointers may be invalid, counts absurd, and
 * memory may change meanwhile. Each number is read only once, and limited before it is used.
 *
 * The functions that are not static are verified once by the verifier, and not at every call. They
 * have to check for NULL, which never occurs.
 */
#include "bpf/trace-kernel.bpf.h"
#include "tools/trace/trace-state.bpf.h"

/* From arch/syscall/syscall.h, which is not for BPF. */
enum {
	COPY_NONE,
	COPY_STRING,
	COPY_BYTES,
	COPY_IOVEC,
	COPY_MSGHDR,
	COPY_MMSGHDR,
	COPY_STRINGS
};
enum {
	LENGTH_FIXED,
	LENGTH_ARG,
	LENGTH_ARG_POINTER,
	LENGTH_RESULT
};
enum {
	COPY_AT_ENTER = 1,
	COPY_AT_EXIT = 2
};
/* The same values as in arch/syscall/event.h. */
enum {
	CALL_DATA_AT_EXIT = 1,
	CALL_DATA_FAULT = 2,
	CALL_DATA_MORE = 4
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, TRACE_N_ABIS *TRACE_CALLS_MAX);
	__type(key, __u32);
	__type(value, struct trace_plan);
} plans SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, TRACE_VARIANTS_MAX);
	__type(key, struct trace_variant_key);
	__type(value, struct trace_copy);
} variants SEC(".maps");

static __always_inline __u32 plan_index(_Bool is_compat, __u64 nr)
{
	return (is_compat ? TRACE_CALLS_MAX : 0) + (__u32)nr;
}

static __always_inline const struct trace_plan *plan_of(_Bool is_compat, __u64 nr)
{
	__u32 key = plan_index(is_compat, nr);

	return nr < TRACE_CALLS_MAX ? bpf_map_lookup_elem(&plans, &key) : NULL;
}

/*
 * Identifies a piece by a number, because the verifier of some kernels does not permit a struct of
 * this size as an argument.
 */
#define PIECE(arg, part, flags) ((__u32)(arg) | (__u32)(part) << 8 | (__u32)(flags) << 16)
#define PIECE_IS_STRING         (1U << 24)

/* Reads the @size bytes at @addr, or the string. @flags gets the flags of the piece. */
static __always_inline long read_piece(void *to, __u64 addr, __u64 size, __u32 limit, __u32 *flags)
{
	long failed;

	if (size > limit) {
		size = limit;
		*flags |= CALL_DATA_MORE;
	}
	/* Repeated, because not every verifier recognizes that both are limited now. */
	asm volatile("" : "+r"(size));
	if (size > TRACE_PIECE_MAX)
		return -1;
	failed = bpf_probe_read_user(to, (__u32)size, (void *)addr);
	return failed ? failed : (long)size;
}

static __always_inline long read_string(void *to, __u64 addr, __u32 limit, __u32 *flags)
{
	long got = bpf_probe_read_user_str(to, limit, (void *)addr);
	char last = 1;

	/* A string of exactly this length ends there: a path of PATH_MAX bytes. */
	if (got == limit)
		bpf_probe_read_user(&last, sizeof(last), (void *)(addr + limit - 1));
	if (got == limit && last)
		*flags |= CALL_DATA_MORE;
	return got - 1; /* without its NUL */
}

/*
 * Adds the @size bytes at @addr, or the string there, up to @limit. Returns the number of bytes
 * that were copied; negative: they cannot be read; 0 also if there is no space for a piece.
 */
__noinline int add_piece(struct task_state *s, __u64 addr, __u64 size, __u32 limit, __u32 name)
{
	struct trace_piece *piece;
	__u32 at, flags = name >> 16 & 0xff;
	long got;

	if (!s || s->n_data >= TRACE_PIECES_MAX)
		return 0;
	at = s->data_size;
	if (at > TRACE_PIECES_END)
		return 0;
	piece = (void *)s->data + at;
	if (limit > TRACE_PIECE_MAX)
		limit = TRACE_PIECE_MAX;
	if (name & PIECE_IS_STRING)
		got = read_string(piece + 1, addr, limit, &flags);
	else
		got = read_piece(piece + 1, addr, size, limit, &flags);
	if (got < 0) {
		s->has_faults = 1;
		flags |= CALL_DATA_FAULT;
	}
	piece->arg = (__u8)name;
	piece->part = (__u8)(name >> 8);
	piece->flags = (__u8)flags;
	piece->unused = 0;
	piece->size = got < 0 ? 0 : (__u32)got;
	s->data_size = at + sizeof(*piece) + ((piece->size + 7) & ~7U);
	s->n_data++;
	return (int)got;
}

/* Returns the pointer or size_t at @addr, in the program's width; 0: it cannot be read. */
static __always_inline __u64 read_pointer(__u64 addr, _Bool is_compat)
{
	__u64 word = 0;
	__u32 half = 0;

	if (is_compat) {
		bpf_probe_read_user(&half, sizeof(half), (void *)addr);
		return half;
	}
	bpf_probe_read_user(&word, sizeof(word), (void *)addr);
	return word;
}

/* Ends an array after the last copied string: notes whether there are more. */
__noinline int end_strings(struct task_state *s, __u64 addr, __u32 name)
{
	if (s && read_pointer(addr, s->is_compat))
		add_piece(s, addr, 0, 0, name | PIECE(0, 0, CALL_DATA_MORE));
	return 0;
}

/*
 * Copies an array of pointers to strings, up to a NULL. Before Linux 6.2 the verifier permits loops
 * only with a backward jump. The compiler makes one if the loop has nothing in common with the code
 * after it, hence end_strings().
 */
__noinline int copy_strings(struct task_state *s, __u64 addr, __u32 limit, __u32 name)
{
	_Bool is_compat;
	__u32 width;

	if (!s)
		return 0;
	is_compat = s->is_compat;
	width = is_compat ? 4 : 8;
	for (__u32 i = 0; i < TRACE_STRINGS_MAX; i++) {
		__u64 at = read_pointer(addr + i * width, is_compat);

		if (!at)
			return 0;
		add_piece(s, at, 0, limit, (name + (i << 8)) | PIECE_IS_STRING);
	}
	return end_strings(s, addr + TRACE_STRINGS_MAX * width, name + (TRACE_STRINGS_MAX << 8));
}

/*
 * Copies an array of @count struct iovec, and the first @left bytes to which they point. @name is
 * that of the array; the pieces after it belong to its members.
 */
__noinline int copy_iovec(struct task_state *s, __u64 addr, __u64 count, __u64 left,
			  __u64 limit_name)
{
	__u32 limit = limit_name >> 32, name = (__u32)limit_name;
	__u32 width, n;

	if (!s || !count)
		return 0;
	width = s->is_compat ? 4 : 8;
	n = count > TRACE_IOVEC_MAX ? TRACE_IOVEC_MAX + 1 : (__u32)count;
	if (add_piece(s, addr, 2 * width * n, 2 * width * TRACE_IOVEC_MAX, name) < 0)
		return 0;
	for (__u32 i = 0; i < TRACE_IOVEC_MAX; i++) {
		__u64 at, size;

		if (i >= count || !left)
			break;
		at = read_pointer(addr + 2 * width * i, s->is_compat);
		size = read_pointer(addr + 2 * width * i + width, s->is_compat);
		if (size > left)
			size = left;
		left -= size;
		add_piece(s, at, size, limit, name + ((i + 1) << 8));
	}
	return 0;
}

/* Copies a struct msghdr: its name, and its iovec, of which the first @left bytes matter. */
__noinline int copy_msghdr(struct task_state *s, __u64 addr, __u64 left, __u32 limit, __u32 name)
{
	__u64 at, iov, n;
	__u32 width, size = 0;

	if (!s)
		return 0;
	width = s->is_compat ? 4 : 8;
	at = read_pointer(addr, s->is_compat);
	bpf_probe_read_user(&size, sizeof(size), (void *)(addr + width));
	iov = read_pointer(addr + 2 * width, s->is_compat);
	n = read_pointer(addr + 3 * width, s->is_compat);
	if (at && size)
		add_piece(s, at, size, 128, name + (1 << 8));
	if (iov)
		copy_iovec(s, iov, n, left, (__u64)limit << 32 | (name + (2 << 8)));
	return 0;
}

/* Returns the number of bytes, or of members of an iovec, of argument @c. */
static __always_inline __u64 length_of(const struct task_state *s, const struct trace_copy *c,
				       __s64 result)
{
	__u64 n = 0;
	__u32 half = 0;

	if (c->length == LENGTH_FIXED)
		return c->size;
	if (c->length == LENGTH_RESULT) {
		n = (__u64)result;
	} else if (c->length_arg < TRACE_ARGS_MAX) {
		n = s->args[c->length_arg];
		if (c->length == LENGTH_ARG_POINTER) {
			bpf_probe_read_user(&half, sizeof(half), (void *)n);
			n = half;
		} else if (c->length_is_32bit) {
			n = (__u32)n;
		}
	}
	/*
	 * A number that is negative, or so large that the product would overflow, means as much as
	 * fits.
	 */
	return n >> 32 ? 1ULL << 32 : n * c->element_bytes;
}

/* Returns the copy that the command of the call requires at this begin or end; or NULL. */
static __always_inline const struct trace_copy *
variant_of(const struct task_state *s, const struct trace_plan *plan, __s64 result)
{
	struct trace_variant_key key = { .plan = plan_index(s->is_compat, s->nr) };
	__u32 at = (__u32)plan->command_arg - 1;
	const struct trace_copy *c;

	if (at >= TRACE_ARGS_MAX)
		return NULL;
	key.command = (__u32)s->args[at];
	c = bpf_map_lookup_elem(&variants, &key);
	return c && c->when & (result < 0 ? COPY_AT_ENTER : COPY_AT_EXIT) ? c : NULL;
}

/*
 * Copies one argument; @i TRACE_ARGS_MAX: the one that the command selects. @result is that of a
 * call that ends; for a call that begins it is ~0.
 */
__noinline int copy_arg(struct task_state *s, __u32 i, __s64 result)
{
	const struct trace_plan *plan;
	const struct trace_copy *c;
	__u32 name, limit;
	__u64 addr;

	if (!s)
		return 0;
	plan = plan_of(s->is_compat, s->nr);
	if (!plan)
		return 0;
	c = i < TRACE_ARGS_MAX ? &plan->copies[i] : variant_of(s, plan, result);
	if (!c || c->arg >= TRACE_ARGS_MAX)
		return 0;
	addr = s->args[c->arg];
	if (!addr)
		return 0;
	limit = c->limit;
	name = PIECE(c->arg, 0, result < 0 ? 0 : CALL_DATA_AT_EXIT);
	switch (c->copy) {
	case COPY_STRING:
		return add_piece(s, addr, 0, limit, name | PIECE_IS_STRING);
	case COPY_BYTES:
		return add_piece(s, addr, length_of(s, c, result), limit, name);
	case COPY_IOVEC:
		return copy_iovec(s, addr, length_of(s, c, result), (__u64)result,
				  (__u64)limit << 32 | name);
	case COPY_MSGHDR:
		add_piece(s, addr, c->size, c->size, name);
		return copy_msghdr(s, addr, (__u64)result, limit, name);
	case COPY_MMSGHDR:
		add_piece(s, addr, length_of(s, c, result), TRACE_MMSG_MAX * c->size, name);
		return copy_msghdr(s, addr, ~0ULL, limit, name);
	case COPY_STRINGS:
		return copy_strings(s, addr, limit, name);
	}
	return 0;
}

/* Copies everything that is to be copied @when. */
static __always_inline void copy_args(struct task_state *s, const struct trace_plan *plan,
				      __u32 when, __s64 result)
{
	for (__u32 i = 0; i < TRACE_ARGS_MAX && i < plan->n_copies; i++)
		if (plan->copies[i].when & when)
			copy_arg(s, i, result);
	if (plan->command_arg)
		copy_arg(s, TRACE_ARGS_MAX, result);
}
