/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Java's frames, which are all on the stack: those of the interpreter have a frame pointer, those
 * of compiled methods a size that stands in the head of their code.
 *
 * The callers of generated code are generated code, too: a method, or the call stub, by which C++
 * calls methods. The walk ends at a return address that is not in generated code.
 */

/* Parts of code to follow: each byte of the map of segments leads back by 254 of them at most. */
#define JAVA_HOPS_MAX 128

#define JAVA_SEGMENT_FREE 0xff

/* The parts of structures that are read at once. */
#define JAVA_METHOD_BYTES 64
#define JAVA_CONST_BYTES  64

#define JAVA_CONST_WORDS_MAX 524288

/* The most bytes of the interpreter's frame of a native method. */
#define JAVA_NATIVE_FRAME_MAX 4096

/* The first 8 bytes of the names of code: "nmethod", "native nmethod", "I2C/C2I adapters". */
#define JAVA_NAME_NMETHOD 0x00646f6874656d6eUL
#define JAVA_NAME_NATIVE  0x6e2065766974616eUL
#define JAVA_NAME_ADAPTER 0x204932432f433249UL

#define JAVA_NO_POSITION ((__u64)-1)

static __always_inline _Bool java_is_code(const struct unwind_state *s, __u64 ra)
{
	return runtime_role(s, ra - 1) == RUNTIME_ROLE_CODE;
}

/* Reads the register at @offset of the kernel's registers. 0: it is not known any more. */
static __always_inline __u64 java_register(const struct unwind_state *s, __u32 offset)
{
	__u64 value = 0;

	if (s->regs && s->is_interrupted)
		bpf_probe_read_kernel(&value, sizeof(value), (void *)(s->regs + offset));
	return value;
}

/* Returns the beginning of the code around @pc: the address of its CodeBlob. 0: there is none. */
__noinline __u64 java_find_blob(__u64 pc)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	__u64 start = 0, segments = 0, n;

	if (!s || !p)
		return 0;
	for (int i = 0; i < JAVA_HEAPS_MAX; i++) {
		const struct java_heap *h = &p->java.heaps[i];

		if (pc - h->start < h->end - h->start) {
			start = h->start;
			segments = h->segments;
		}
	}
	n = (pc - start) >> (p->java.segment_shift & 63);
	for (int i = 0; i < JAVA_HOPS_MAX && start; i++) {
		__u8 back;

		if (!read_user(segments + n, &back, sizeof(back)) || back == JAVA_SEGMENT_FREE ||
		    back > n)
			return 0;
		if (!back)
			return start + (n << (p->java.segment_shift & 63)) + p->java.block_size;
		n -= back;
	}
	return 0;
}

/*
 * Goes on to the caller to which the word at @at returns; @has_fp: the caller's frame pointer is
 * before it.
 */
__noinline int java_return_by(__u64 at, __u32 has_fp)
{
	struct unwind_state *s = unwind_state();
	__u64 ra;

	if (!s)
		return RUNTIME_NOT_FRAME;
	if (at < s->sp || !read_user(at, &ra, sizeof(ra)))
		return RUNTIME_UNREADABLE;
	ra &= UNWIND_HOST.address_mask;
	if (!java_is_code(s, ra))
		return RUNTIME_NOT_FRAME;
	if (has_fp && !read_user(at - 8, &s->fp, sizeof(s->fp)))
		return RUNTIME_UNREADABLE;
	if (has_fp)
		s->has_fp = 1;
	s->sp = at + 8;
	s->pc = ra;
	s->is_interrupted = 0;
	return -1;
}

/* Goes on to the caller at @ra, whose stack pointer is @sp, with the frame pointer as it is. */
static __always_inline int java_return_to(struct unwind_state *s, __u64 ra, __u64 sp)
{
	if (!java_is_code(s, ra) || sp < s->sp)
		return RUNTIME_NOT_FRAME;
	s->sp = sp;
	s->pc = ra;
	s->is_interrupted = 0;
	return -1;
}

/*
 * Adds the interpreted method @method at the byte code @at, which is 0 for a native method.
 * JAVA_NO_POSITION: the method has not begun. RUNTIME_NOT_CODE: it is no method, or not at its byte
 * code.
 */
__noinline int java_add_method(__u64 method, __u64 at)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	const struct java_layout *y;
	__u64 const_method, word;
	__u32 numbers[4], size, words, position = 0;

	if (!s || !p)
		return RUNTIME_NOT_CODE;
	y = &p->java;
	if (!method || method & 7 || !read_user(method, s->scratch.bytes, JAVA_METHOD_BYTES))
		return RUNTIME_NOT_CODE;
	const_method = scratch_u64(s, y->method_const);
	word = scratch_u64(s, y->method_entry);
	if (y->method_entry && word - y->interpreter >= y->interpreter_end - y->interpreter)
		return RUNTIME_NOT_CODE;
	if (!const_method || const_method & 7 ||
	    !read_user(const_method, s->scratch.bytes, JAVA_CONST_BYTES))
		return RUNTIME_NOT_CODE;
	size = scratch_u8(s, y->const_code_size) | (__u32)scratch_u8(s, y->const_code_size + 1u)
							   << 8;
	numbers[0] = (__u32)const_method;
	numbers[1] = (__u32)(const_method >> 32);
	numbers[2] = size;
	numbers[3] = scratch_u8(s, y->const_names) | (__u32)scratch_u8(s, y->const_names + 1u) << 8;
	/* The size in words is that of the head, of the byte code and of tables. */
	words = scratch_u32(s, y->const_words);
	if (words > JAVA_CONST_WORDS_MAX || words * 8 < y->const_size + size)
		return RUNTIME_NOT_CODE;
	if (!size && at && at != JAVA_NO_POSITION)
		return RUNTIME_NOT_CODE;
	if (at != JAVA_NO_POSITION && size) {
		if (at - const_method - y->const_size >= size)
			return RUNTIME_NOT_CODE;
		position = (__u32)(at - const_method - y->const_size);
	}
	return add_interpreted(s, JAVA_METHOD, method, runtime_check(numbers), position);
}

/*
 * Leaves a method that begins: its frame is not complete, and its caller's return address is on the
 * stack or in a register.
 */
__noinline int java_enter(void)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	__u64 ra, sp, word = 0;
	int result;

	if (!s || !p)
		return RUNTIME_NOT_FRAME;
	sp = java_register(s, p->java.reg_sender_sp);
	ra = java_register(s, p->java.reg_return);
	result = java_add_method(java_register(s, p->java.reg_method), JAVA_NO_POSITION);
	if (result != RUNTIME_FOUND)
		return result;
	/* The frame pointer may be this frame's already. */
	if (s->fp - s->sp <= 64 && read_user(s->fp - 8, &word, sizeof(word)) &&
	    (s->fp == s->sp || word == sp)) {
		result = java_return_by(s->fp + 8, 1);
		s->sp = sp > s->sp ? sp : s->sp;
		return result;
	}
	if (p->java.is_x86 && read_user(s->sp, &word, sizeof(word)) && java_is_code(s, word))
		ra = word;
	return java_return_to(s, ra & UNWIND_HOST.address_mask, sp);
}

/* A frame of the interpreter, in unwind_state.own. */
struct java_frame {
	__u64 method, bcp, sender_sp;
	__u64 ra; /* that of a frame that was left */
};

_Static_assert(sizeof(struct java_frame) <= sizeof(((struct unwind_state *)0)->own), "no room");

/* Leaves a frame of the interpreter. */
__noinline int java_leave_interpreter(void)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	struct java_frame *f;
	int result = RUNTIME_NOT_CODE;
	const struct java_layout *y;

	if (!s || !p || !s->has_fp)
		return RUNTIME_NOT_FRAME;
	y = &p->java;
	f = (struct java_frame *)s->own;
	if (!read_user(s->fp + (__u64)(__s64)y->frame_method, &f->method, sizeof(f->method)) ||
	    !read_user(s->fp + (__u64)(__s64)y->frame_bcp, &f->bcp, sizeof(f->bcp)) ||
	    !read_user(s->fp + (__u64)(__s64)y->frame_sender_sp, &f->sender_sp,
		       sizeof(f->sender_sp)))
		f->method = f->bcp = f->sender_sp = 0;
	/* While byte code runs, its address is in a register; it is kept at calls. */
	if (s->is_interrupted)
		result = java_add_method(f->method, java_register(s, y->reg_bcp));
	if (result != RUNTIME_FOUND && s->is_interrupted &&
	    s->pc - y->entries < y->entries_end - y->entries) {
		if (!f->bcp && s->fp - s->sp < JAVA_NATIVE_FRAME_MAX)
			result = java_add_method(f->method, 0);
		if (result != RUNTIME_FOUND)
			return java_enter();
	}
	/* The frame was left, and the method is about to return. */
	if (result != RUNTIME_FOUND && s->is_interrupted && y->is_x86 &&
	    read_user(s->sp, &f->ra, sizeof(f->ra)) && java_is_code(s, f->ra))
		return java_return_by(s->sp, 0);
	if (result != RUNTIME_FOUND)
		result = java_add_method(f->method, f->bcp);
	if (result != RUNTIME_FOUND)
		return result;
	if (f->sender_sp <= s->fp || s->fp < s->sp)
		return RUNTIME_NOT_FRAME;
	result = java_return_by(s->fp + 8, 1);
	if (result < 0 && f->sender_sp > s->sp)
		s->sp = f->sender_sp;
	return result;
}

#include "bpf/runtime-java-code.bpf.h"

/* Leaves the frame of the call stub, which has a frame pointer. Its caller is C++. */
static __always_inline int java_leave_entry(struct unwind_state *s)
{
	__u64 words[2];

	if (!s->has_fp || s->fp < s->sp || !read_user(s->fp, words, sizeof(words)) || !words[1])
		return RUNTIME_NOT_FRAME;
	s->sp = s->fp + 16;
	s->fp = words[0];
	s->pc = words[1] & UNWIND_HOST.address_mask;
	s->is_interrupted = 0;
	return -1;
}

/* Adds the frame in which the state's pc is, and goes on to its caller. */
__noinline int java_step(void)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	__u64 at;

	if (!s || !p)
		return RUNTIME_NOT_FRAME;
	at = s->is_interrupted ? s->pc : s->pc - 1;
	if (at - p->java.interpreter < p->java.interpreter_end - p->java.interpreter)
		return java_leave_interpreter();
	if (!s->is_interrupted && s->pc == p->java.call_stub_return)
		return java_leave_entry(s);
	return java_leave_code(at);
}
