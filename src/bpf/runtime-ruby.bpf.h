/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Ruby's frames: an array that grows down, innermost first, and has those of methods in C, too.
 * Each call of vm_exec() has the frames up to one with a flag.
 */

/* Members of a frame (rb_control_frame_t), an instruction sequence and its body. */
#define RUBY_FRAME_BYTES 56
#define RUBY_FRAME_PC    0
#define RUBY_FRAME_ISEQ  16
#define RUBY_FRAME_EP    32
#define RUBY_ISEQ_BODY   16
#define RUBY_BODY_BYTES  104
#define RUBY_BODY_SIZE   4
#define RUBY_BODY_CODE   8

/* The first word of a frame's environment: its kind, and flags. */
#define RUBY_MAGIC_MASK   0x7fff0001U
#define RUBY_MAGIC_FIRST  0x11110001U
#define RUBY_MAGIC_C      0x55550001U
#define RUBY_MAGIC_DUMMY  0x79990001U
#define RUBY_FLAG_FINISH  0x20
#define RUBY_FLAG_C_FRAME 0x80

/* The word before two others of it leads to the method, whose definition has a type. */
#define RUBY_METHOD_AT    (-16)
#define RUBY_OBJECT_TYPE  0xf01f
#define RUBY_OBJECT_ENTRY 0x601a
#define RUBY_ENTRY_DEF    16
#define RUBY_DEF_BYTES    40
#define RUBY_DEF_IS_C     1

/* Adds the frame with the instruction sequence @iseq that goes on at @pc. */
static __always_inline int add_ruby(struct unwind_state *s, const struct ruby_layout *y, __u64 iseq,
				    __u64 pc)
{
	__u32 check = 0, position = RUNTIME_NO_POSITION, size;
	__u64 body, offset;

	if (!iseq)
		return RUNTIME_NOT_CODE;
	if (!read_user(iseq + RUBY_ISEQ_BODY, &body, sizeof(body)) ||
	    !read_user(body, s->scratch.bytes, RUBY_BODY_BYTES))
		return RUNTIME_UNREADABLE;
	for (int i = 0; i < 4; i++) {
		barrier_var(i); /* one after the other takes less stack */
		check = runtime_mix(check, scratch_u32(s, y->body_check[i]));
	}
	size = scratch_u32(s, RUBY_BODY_SIZE);
	offset = (pc - scratch_u64(s, RUBY_BODY_CODE)) / 8;
	if (pc && offset <= size)
		position = offset ? (__u32)offset - 1 : 0;
	return add_interpreted(s, RUBY_SORT_ISEQ, body, check, position);
}

/* Adds the frame of a method in C whose environment is @ep, if the method is known. */
static __always_inline int add_ruby_c(struct unwind_state *s, const struct ruby_layout *y, __u64 ep)
{
	__u64 method, def;
	__u32 check = 0;

	if (!read_user(ep + (__u64)(__s64)RUBY_METHOD_AT, &method, sizeof(method)) ||
	    !read_user(method, s->scratch.bytes, RUBY_ENTRY_DEF + sizeof(def)))
		return RUNTIME_FOUND;
	def = scratch_u64(s, RUBY_ENTRY_DEF);
	if ((scratch_u32(s, 0) & RUBY_OBJECT_TYPE) != RUBY_OBJECT_ENTRY ||
	    !read_user(def, s->scratch.bytes, RUBY_DEF_BYTES) ||
	    (scratch_u32(s, 0) & 15) != RUBY_DEF_IS_C)
		return RUNTIME_FOUND;
	for (int i = 0; i < 4; i++) {
		barrier_var(i); /* one after the other takes less stack */
		check = runtime_mix(check, scratch_u32(s, y->method_check[i]));
	}
	return add_interpreted(s, RUBY_SORT_C, def, check, RUNTIME_NO_POSITION);
}

/* Ends at the base of a stack, whose frame is none. */
static __always_inline void ruby_end(struct unwind_state *s)
{
	__u64 ep, flags;

	if (read_user(s->frame + RUBY_FRAME_EP, &ep, sizeof(ep)) &&
	    read_user(ep, &flags, sizeof(flags)) &&
	    ((__u32)flags & RUBY_MAGIC_MASK) == RUBY_MAGIC_DUMMY)
		s->frame = 0;
}

/* Adds one frame. -1: there is another one of this native frame. */
__noinline int ruby_step(void)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	const struct ruby_layout *y;
	__u64 iseq, ep, pc, flags = 0;
	__u32 magic;
	int result = RUNTIME_FOUND;

	if (!s || !p)
		return RUNTIME_NO_THREAD;
	y = &p->ruby;
	if (!s->frame)
		return RUNTIME_FOUND;
	if (!read_user(s->frame, s->scratch.bytes, RUBY_FRAME_BYTES))
		return RUNTIME_UNREADABLE;
	pc = scratch_u64(s, RUBY_FRAME_PC);
	iseq = scratch_u64(s, RUBY_FRAME_ISEQ);
	ep = scratch_u64(s, RUBY_FRAME_EP);
	if (!read_user(ep, &flags, sizeof(flags)))
		return RUNTIME_UNREADABLE;
	magic = (__u32)flags & RUBY_MAGIC_MASK;
	if (magic < RUBY_MAGIC_FIRST || magic > RUBY_MAGIC_DUMMY)
		return RUNTIME_NOT_FRAME;
	s->frame += y->frame_size;
	if (magic == RUBY_MAGIC_DUMMY) {
		s->frame = 0;
		return RUNTIME_FOUND;
	}
	if (!(flags & RUBY_FLAG_C_FRAME))
		result = add_ruby(s, y, iseq, pc);
	else if (magic == RUBY_MAGIC_C)
		result = add_ruby_c(s, y, ep);
	if (result != RUNTIME_FOUND)
		return result;
	if (!(flags & RUBY_FLAG_FINISH))
		return -1;
	ruby_end(s);
	return RUNTIME_FOUND;
}

/* Words of the stack that generated code may have. */
#define RUBY_CODE_WORDS 64

/* Finds the place where generated code has its return address. 0: it is none of Ruby's. */
static __always_inline __u64 ruby_find_return(struct unwind_state *s, const struct ruby_layout *y)
{
	__u64 sp = s->sp;

	for (int part = 0; part < 2; part++, sp += RUNTIME_SCRATCH) {
		if (!read_user(sp, s->scratch.bytes, RUNTIME_SCRATCH))
			return 0;
		for (__u32 i = 0; i < RUNTIME_SCRATCH; i += 8) {
			__u64 word = scratch_u64(s, i);

			if (word - y->outer_start < y->outer_end - y->outer_start ||
			    word - y->loop_start < y->loop_end - y->loop_start)
				return sp + i;
		}
	}
	return 0;
}

/*
 * Adds the frames of generated code, and goes on in the function that has called it. Its size on
 * the stack is not known, so the return address is looked for.
 */
__noinline int ruby_code(void)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	int result = RUNTIME_FOUND;
	__u64 at, pc;

	if (!s || !p)
		return UNWIND_NO_IMAGE;
	at = p->ruby.outer_end ? ruby_find_return(s, &p->ruby) : 0;
	if (!at || !read_user(at, &pc, sizeof(pc)))
		return UNWIND_NO_IMAGE;
	if (!s->has_frame)
		result = find_frame();
	if (result != RUNTIME_FOUND)
		return UNWIND_NO_IMAGE;
	result = -1;
	for (int i = 0; i < RUNTIME_FRAMES_MAX && result < 0; i++)
		result = ruby_step();
	runtime_count(p, result < 0 ? RUNTIME_ENDLESS : (__u32)result);
	s->pc = pc;
	s->sp = at + 8;
	s->is_interrupted = 0;
	s->in_loop = RUNTIME_LOOP_CODE;
	return -1;
}
