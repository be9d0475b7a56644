/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Leaves the frames of compiled methods and of the virtual machine's own code. A part of
 * bpf/runtime-java.bpf.h.
 *
 * A method's frame has a fixed size while its body runs. If it was interrupted where the frame is
 * made or removed, its instructions tell how much of it there is.
 */

/* The code around the interrupted instruction, in s->scratch. */
#define JAVA_BEFORE 40
#define JAVA_AFTER  32

/* A place on the stack: bytes from the stack pointer to the return address. */
#define JAVA_PLACE_UNKNOWN (-1)
#define JAVA_PLACE_FP      1 /* added: the caller's frame pointer is before it */
#define JAVA_PLACE_LINK    2 /* added: the link register has it instead */

/* Where the return address of other code is looked for. */
#define JAVA_PUSHES_MAX    8
#define JAVA_SCAN_BYTES    256
#define JAVA_SCANS_MAX     10
#define JAVA_STUB_SIZE_MAX 8192

/* In unwind_state.own. */
struct java_blob {
	__u64 at, code, name, method;
	__u32 size, frame; /* bytes */
	__u32 complete;    /* the offset in the code from which the frame is complete */
	__u32 id;
};

_Static_assert(sizeof(struct java_blob) <= sizeof(((struct unwind_state *)0)->own), "no room");

static __always_inline _Bool java_byte_is(const struct unwind_state *s, __u32 i, __u8 byte)
{
	return s->scratch.bytes[i & (RUNTIME_SCRATCH - 1)] == byte;
}

/* True if sub rsp, SIZE is at @i; its length. */
static __always_inline __u32 java_sub_length(const struct unwind_state *s, __u32 i)
{
	if (!java_byte_is(s, i, 0x48) || !java_byte_is(s, i + 2, 0xec))
		return 0;
	return java_byte_is(s, i + 1, 0x83) ? 4 : java_byte_is(s, i + 1, 0x81) ? 7 : 0;
}

/* True if the bytes before @i are push rbp, or this and mov rbp, rsp. */
static __always_inline _Bool java_is_pushed(const struct unwind_state *s, __u32 i)
{
	return java_byte_is(s, i - 1, 0x55) ||
	       (java_byte_is(s, i - 4, 0x55) && java_byte_is(s, i - 3, 0x48) &&
		((java_byte_is(s, i - 2, 0x8b) && java_byte_is(s, i - 1, 0xec)) ||
		 (java_byte_is(s, i - 2, 0x89) && java_byte_is(s, i - 1, 0xe5))));
}

/*
 * Returns the place of the return address where a frame of @frame bytes is made, @offset bytes
 * behind the beginning of the code:
 *
 *	[mov [rsp-SIZE], eax]  push rbp  [mov rbp, rsp]  sub rsp, SIZE
 *	sub rsp, SIZE  mov [rsp+SIZE-16], rbp
 */
static __always_inline int java_x86_prologue(const struct unwind_state *s, __u32 offset,
					     __u32 frame)
{
	const __u32 i = JAVA_BEFORE;
	_Bool is_move = java_byte_is(s, i, 0x48) &&
			((java_byte_is(s, i + 1, 0x8b) && java_byte_is(s, i + 2, 0xec)) ||
			 (java_byte_is(s, i + 1, 0x89) && java_byte_is(s, i + 2, 0xe5)));

	if (java_byte_is(s, i, 0x48) && java_byte_is(s, i + 1, 0x89) &&
	    (java_byte_is(s, i + 2, 0x6c) || java_byte_is(s, i + 2, 0xac)) &&
	    java_byte_is(s, i + 3, 0x24))
		return (int)frame - 8;
	if (java_sub_length(s, i) || is_move)
		return java_is_pushed(s, i) ? 8 + JAVA_PLACE_FP : 0;
	for (__u32 back = 4; back < JAVA_BEFORE; back++) {
		__u32 length = java_sub_length(s, i - back);

		if (length && length <= back && back <= offset)
			return (int)frame - 8 + JAVA_PLACE_FP;
	}
	return 0;
}

/*
 * Returns the place of the return address in a frame of @frame bytes, which may have been removed:
 *
 *	add rsp, SIZE  pop rbp  [mov r10, [r15+POLL]]  [cmp rsp, [r15+POLL]  ja STUB]
 *	[test eax, [POLL]]  ret
 */
static __always_inline int java_x86_body(const struct unwind_state *s, __u32 frame)
{
	__u32 i = JAVA_BEFORE;
	int removed = 0;

	if (java_byte_is(s, i, 0x5d)) {
		removed = 8 + JAVA_PLACE_FP;
		i++;
	}
	for (int n = 0; n < 4; n++) {
		__u8 a = s->scratch.bytes[i & (RUNTIME_SCRATCH - 1)];
		__u8 b = s->scratch.bytes[(i + 1) & (RUNTIME_SCRATCH - 1)];
		__u8 c = s->scratch.bytes[(i + 2) & (RUNTIME_SCRATCH - 1)];

		if (a == 0xc3)
			return removed;
		if ((a == 0x49 && b == 0x3b && c == 0xa7) || (a == 0x4d && b == 0x8b && c == 0x97))
			i += 7;
		else if ((a == 0x49 && b == 0x3b && c == 0x67) ||
			 (a == 0x4d && b == 0x8b && c == 0x57))
			i += 4;
		else if ((a == 0x0f && b == 0x87) || (a == 0x85 && b == 0x05))
			i += 6;
		else if (a == 0x41 && b == 0x85 && c == 0x02)
			i += 3;
		else
			break;
	}
	return (int)frame - 8 + JAVA_PLACE_FP;
}

/* Returns the instruction @n words from the interrupted one. */
static __always_inline __u32 java_arm_word(const struct unwind_state *s, int n)
{
	return scratch_u32(s, (__u32)(JAVA_BEFORE + n * 4));
}

/* stp x29, x30, [sp, #N], also with the stack pointer moved before; ldp, also after. */
#define JAVA_IS_STP(w)      (((w)&0xffc07fff) == 0xa9007bfd)
#define JAVA_IS_STP_PUSH(w) (((w)&0xffc07fff) == 0xa9807bfd)
#define JAVA_IS_LDP(w)      (((w)&0xffc07fff) == 0xa9407bfd)
#define JAVA_IS_LDP_POP(w)  (((w)&0xffc07fff) == 0xa8c07bfd)
/* sub sp, sp, N and add sp, sp, N */
#define JAVA_IS_SUB(w) (((w)&0xff8003ff) == 0xd10003ff || ((w)&0xffe0ffff) == 0xcb2063ff)
#define JAVA_IS_ADD(w) (((w)&0xff8003ff) == 0x910003ff || ((w)&0xffe0ffff) == 0x8b2063ff)
#define JAVA_RET       0xd65f03c0

/*
 * The same for arm64, where a frame is made by
 *
 *	sub sp, sp, SIZE  stp x29, x30, [sp, SIZE-16]
 *	stp x29, x30, [sp, -16]!  [mov x29, sp]  [mov x8, SIZE]  sub sp, sp, SIZE-16
 */
static __always_inline int java_arm_prologue(const struct unwind_state *s, __u32 offset,
					     __u32 frame)
{
	for (int n = 1; n <= 5; n++) {
		__u32 w = java_arm_word(s, -n);

		if ((__u32)n * 4 > offset)
			break;
		if (JAVA_IS_STP(w))
			return (int)frame - 8 + JAVA_PLACE_FP;
		if (JAVA_IS_STP_PUSH(w))
			return 8 + JAVA_PLACE_FP;
		if (JAVA_IS_SUB(w) && JAVA_IS_STP(java_arm_word(s, -n + 1)))
			return (int)frame - 8 + JAVA_PLACE_LINK;
		if (JAVA_IS_SUB(w))
			return (int)frame - 8 + JAVA_PLACE_FP;
	}
	return -8 + JAVA_PLACE_LINK;
}

static __always_inline int java_arm_body(const struct unwind_state *s, __u32 frame)
{
	_Bool is_removed = 0, returns = 0;

	/* ldp x29, x30, [sp, SIZE-16]  add sp, sp, SIZE; or the other way round */
	if (JAVA_IS_ADD(java_arm_word(s, 0)) && JAVA_IS_LDP(java_arm_word(s, -1)))
		return (int)frame - 8 + JAVA_PLACE_LINK;
	if (JAVA_IS_LDP_POP(java_arm_word(s, 0)))
		return 8 + JAVA_PLACE_FP;
	for (int n = 0; n < 6; n++)
		returns |= java_arm_word(s, n) == JAVA_RET;
	for (int n = 1; n < 8 && returns; n++)
		is_removed |= JAVA_IS_LDP_POP(java_arm_word(s, -n)) ||
			      (JAVA_IS_ADD(java_arm_word(s, -n)) &&
			       JAVA_IS_LDP(java_arm_word(s, -n - 1)));
	return is_removed ? -8 + JAVA_PLACE_LINK : (int)frame - 8 + JAVA_PLACE_FP;
}

/* Returns the place of the return address of an interrupted method. */
__noinline int java_find_place(__u64 code, __u32 complete, __u32 frame)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	__u64 pc;

	if (!s || !p)
		return JAVA_PLACE_UNKNOWN;
	pc = s->pc;
	if (!read_user(pc - JAVA_BEFORE, s->scratch.bytes, JAVA_BEFORE + JAVA_AFTER))
		return JAVA_PLACE_UNKNOWN;
	if (pc - code < complete)
		return p->java.is_x86 ? java_x86_prologue(s, (__u32)(pc - code), frame)
				      : java_arm_prologue(s, (__u32)(pc - code), frame);
	return p->java.is_x86 ? java_x86_body(s, frame) : java_arm_body(s, frame);
}

/* Goes on to the caller of an interrupted method. */
static __always_inline int java_leave_interrupted(struct unwind_state *s, const struct java_blob *b)
{
	int place = java_find_place(b->code, b->complete, b->frame);

	if (place == JAVA_PLACE_UNKNOWN)
		return RUNTIME_NOT_FRAME;
	if ((place & 7) == JAVA_PLACE_LINK)
		return java_return_to(s, s->lr & UNWIND_HOST.address_mask,
				      s->sp + (__u64)(__s64)((place & ~7) + 8));
	return java_return_by(s->sp + (__u64)(place & ~7), place & JAVA_PLACE_FP);
}

/*
 * Returns the number of words that are popped right after the call that returns to @pc: arguments
 * of the virtual machine's code.
 */
static __always_inline __u32 java_pops(__u64 pc)
{
	__u32 n = 0;
	__u8 code[8];

	if (!read_user(pc, code, sizeof(code)))
		return 0;
	for (int i = 0; i < 7; i++) {
		if (code[i] == 0x41 && (code[i + 1] & 0xf8) == 0x58)
			continue;
		if ((code[i] & 0xf8) != 0x58 || code[i] == 0x5d)
			break;
		n++;
	}
	return n;
}

/*
 * Returns the address of the call by which the frame of @b, which returns to @at + 1, has called. A
 * frame that is to be deoptimized returns to code that does this, and has the address elsewhere.
 */
static __always_inline __u64 java_call_of(const struct unwind_state *s, const struct java_layout *y,
					  const struct java_blob *b, __u64 at)
{
	__u64 deopt = 0, pc;
	__u32 orig_pc;

	if (s->is_interrupted ||
	    !read_user(b->at + y->code_deopt, &deopt, y->code_is_offset ? 4 : sizeof(deopt)))
		return at;
	if (s->pc != (y->code_is_offset ? b->at + deopt : deopt) ||
	    !read_user(b->at + y->code_orig_pc, &orig_pc, sizeof(orig_pc)) || orig_pc >= b->frame ||
	    !read_user(s->sp + orig_pc, &pc, sizeof(pc)))
		return at;
	return pc - 1 - b->code < b->size - (b->code - b->at) ? pc - 1 : at;
}

static __always_inline int java_leave_method(struct unwind_state *s, const struct java_layout *y,
					     const struct java_blob *b)
{
	__u64 pc = s->pc, at = pc - (s->is_interrupted ? 0 : 1);
	__u32 check = runtime_mix(runtime_mix(0, b->size), b->id);
	int result;

	check = runtime_mix(runtime_mix(check, (__u32)b->method), (__u32)(b->method >> 32));
	at = java_call_of(s, y, b, at);
	result = add_interpreted(s, JAVA_COMPILED, b->at, check, (__u32)(at - b->code));
	if (result != RUNTIME_FOUND)
		return result;
	if (b->frame < 16)
		return RUNTIME_NOT_FRAME;
	if (s->is_interrupted)
		return java_leave_interrupted(s, b);
	result = java_return_by(s->sp + b->frame - 8, 1);
	if (result == RUNTIME_NOT_FRAME && y->is_x86)
		result = java_return_by(s->sp + b->frame - 8 + java_pops(pc) * 8, 1);
	return result;
}

/* Returns the target of the call instruction before @ra, or 0. */
static __always_inline __u64 java_call_target(__u64 ra)
{
	__u8 code[16];
	__u64 target;

	if (!read_user(ra - sizeof(code), code, sizeof(code)))
		return 0;
	if (code[11] == 0xe8) {
		__s32 distance;

		__builtin_memcpy(&distance, code + 12, sizeof(distance));
		return ra + (__u64)(__s64)distance;
	}
	/* mov r10, TARGET  call r10 */
	__builtin_memcpy(&target, code + 5, sizeof(target));
	return code[3] == 0x49 && code[4] == 0xba && code[13] == 0x41 && code[14] == 0xff &&
			       code[15] == 0xd2
		       ? target
		       : 0;
}

/* True if the word at @at is the address to which a call of the @size bytes at @start returns. */
__noinline int java_is_call_of(__u64 at, __u64 start, __u32 size)
{
	struct unwind_state *s = unwind_state();
	__u64 word;

	return s && read_user(at, &word, sizeof(word)) && java_is_code(s, word) &&
	       java_call_target(word) - start < size;
}

/*
 * Looks in JAVA_SCAN_BYTES of the stack at @at for the return address of the code that is running.
 * The entry of this code is the nearest one before it, so that the best candidate is the one whose
 * call has the highest target.
 */
__noinline int java_scan(__u64 at)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;

	if (!s || !p || !read_user(at, s->scratch.bytes, JAVA_SCAN_BYTES))
		return 0;
	for (__u32 i = 0; i < JAVA_SCAN_BYTES; i += 8) {
		__u64 word = scratch_u64(s, i), target;

		if (word - p->java.code_start >= p->java.code_end - p->java.code_start)
			continue;
		target = java_call_target(word);
		if (target > s->found_target && target <= s->pc) {
			s->found_target = target;
			s->found_at = at + i;
		}
	}
	return 1;
}

/*
 * Looks for the return address of the virtual machine's code @start, whose frames have no common
 * form, by the call that has entered it.
 */
__noinline int java_find_call(__u64 start, __u32 size, __u32 frame)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;

	if (!s || !p)
		return RUNTIME_NOT_FRAME;
	if (!p->java.is_x86)
		return s->is_interrupted
			       ? java_return_to(s, s->lr & UNWIND_HOST.address_mask, s->sp)
			       : RUNTIME_NOT_FRAME;
	if (s->has_fp && s->fp - s->sp < 4096 && java_is_call_of(s->fp + 8, start, size))
		return java_return_by(s->fp + 8, 1);
	for (int i = 0; i < JAVA_PUSHES_MAX; i++)
		if (java_is_call_of(s->sp + (__u64)i * 8, start, size))
			return java_return_by(s->sp + (__u64)i * 8, 0);
	if (frame && java_is_call_of(s->sp + frame - 8, start, size))
		return java_return_by(s->sp + frame - 8, 1);
	s->found_target = s->pc - JAVA_STUB_SIZE_MAX > start ? s->pc - JAVA_STUB_SIZE_MAX : start;
	s->found_at = 0;
	for (int i = 0; i < JAVA_SCANS_MAX; i++)
		if (!java_scan(s->sp + (__u64)i * JAVA_SCAN_BYTES))
			break;
	return s->found_at ? java_return_by(s->found_at, 0) : RUNTIME_NOT_FRAME;
}

/* Leaves an adapter between the conventions of compiled and interpreted methods. */
static __always_inline int java_leave_adapter(struct unwind_state *s, const struct java_layout *y)
{
	__u64 ra = java_register(s, y->reg_return), sp = java_register(s, y->reg_sender_sp), word;

	if (!s->is_interrupted)
		return RUNTIME_NOT_FRAME;
	if (y->is_x86 && read_user(s->sp, &word, sizeof(word)) && java_is_code(s, word))
		return java_return_by(s->sp, 0);
	return java_return_to(s, ra & UNWIND_HOST.address_mask, sp);
}

/* Leaves a frame of the virtual machine's own code. */
static __always_inline int java_leave_stub(struct unwind_state *s, const struct java_blob *b)
{
	__u32 check = runtime_mix(runtime_mix(0, b->size), (__u32)b->name);
	int result;

	check = runtime_mix(runtime_mix(check, (__u32)(b->name >> 32)), 0);
	result = add_interpreted(s, JAVA_STUB, b->at, check, 0);
	if (result == RUNTIME_FOUND && !s->is_interrupted && b->frame >= 16) {
		result = java_return_by(s->sp + b->frame - 8, 1);
		if (result < 0)
			return result;
	} else if (result != RUNTIME_FOUND) {
		return result;
	}
	return java_find_call(b->code, b->size - (__u32)(b->code - b->at), b->frame);
}

/* Reads the head of the code at @at. False: it is none. */
static __always_inline _Bool java_read_blob(struct unwind_state *s, const struct java_layout *y,
					    __u64 at, struct java_blob *b)
{
	if (!read_user(at, s->scratch.bytes, RUNTIME_SCRATCH))
		return 0;
	b->at = at;
	b->name = scratch_u64(s, y->blob_name);
	b->method = scratch_u64(s, y->code_method);
	b->size = scratch_u32(s, y->blob_size);
	b->frame = scratch_u32(s, y->blob_frame) * 8;
	/* It is small, and of 16 or 32 bits. */
	b->complete = scratch_u8(s, y->blob_complete) | (__u32)scratch_u8(s, y->blob_complete + 1u)
								<< 8;
	b->code = y->code_is_offset ? at + scratch_u32(s, y->blob_code)
				    : scratch_u64(s, y->blob_code);
	return b->code - at < b->size && b->frame < 1u << 20;
}

/* Leaves the frame of the code around @pc. */
__noinline int java_leave_code(__u64 pc)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	struct java_blob *b;
	__u64 at = java_find_blob(pc), name;

	if (!s || !p || !at)
		return RUNTIME_NOT_CODE;
	b = (struct java_blob *)s->own;
	if (!java_read_blob(s, &p->java, at, b) || pc - b->code >= b->size - (b->code - at) ||
	    !read_user(b->name, &name, sizeof(name)))
		return RUNTIME_NOT_CODE;
	if (name == JAVA_NAME_ADAPTER)
		return java_leave_adapter(s, &p->java);
	if (name != JAVA_NAME_NMETHOD && name != JAVA_NAME_NATIVE)
		return java_leave_stub(s, b);
	if (!read_user(at + p->java.code_id, &b->id, sizeof(b->id)))
		return RUNTIME_UNREADABLE;
	return java_leave_method(s, &p->java, b);
}
