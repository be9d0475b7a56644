/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * PHP's frames: a list, which also has those of functions in C. Each native frame of the loop has
 * those up to one that was called from C.
 */

#define PHP_FRAME_BYTES    64
#define PHP_FUNCTION_BYTES 192

/* Types of functions. */
#define PHP_INTERNAL  1
#define PHP_USER      2
#define PHP_EVAL_CODE 4

/* A frame that was called from C, and a function that is a stand-in for __call(). */
#define PHP_CALL_TOP   (1U << 17)
#define PHP_TRAMPOLINE (1U << 18)

/* Returns the position of the operation @opline in the code of the function in s->scratch. */
static __always_inline __u32 php_position(const struct unwind_state *s, const struct php_layout *y,
					  __u64 opline)
{
	__u64 offset = opline - scratch_u64(s, y->code);
	__u32 n = scratch_u32(s, y->check[PHP_SORT_USER][0]);

	if (!y->opline_size || offset % y->opline_size || offset / y->opline_size >= n)
		return RUNTIME_NO_POSITION;
	return (__u32)(offset / y->opline_size);
}

/* Adds the frame of the function @function, which is in the scratch and runs @opline. */
__noinline int php_add(__u64 function, __u64 opline)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	__u32 check = 0, position = RUNTIME_NO_POSITION;
	const struct php_layout *y;
	const __u16 *at;
	_Bool is_internal;

	if (!s || !p)
		return RUNTIME_NO_THREAD;
	y = &p->php;
	is_internal = scratch_u8(s, 0) == PHP_INTERNAL;
	at = y->check[is_internal ? PHP_SORT_INTERNAL : PHP_SORT_USER];
	for (int i = 0; i < 4; i++) {
		barrier_var(i); /* one after the other takes less stack */
		check = runtime_mix(check, scratch_u32(s, at[i]));
	}
	if (!is_internal) {
		__u64 now = 0;

		/* The loop writes it to the frame only before what may call other functions. */
		if (s->regs && s->is_interrupted && y->has_register)
			bpf_probe_read_kernel(&now, sizeof(now),
					      (void *)(s->regs + y->opline_register));
		s->regs = 0;
		position = php_position(s, y, now);
		if (position == RUNTIME_NO_POSITION)
			position = php_position(s, y, opline);
	}
	return add_interpreted(s, is_internal ? PHP_SORT_INTERNAL : PHP_SORT_USER, function, check,
			       position);
}

/* Adds one frame. -1: there is another one of this native frame. */
__noinline int php_step(void)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	const struct php_layout *y;
	__u64 function, opline, at;
	__u32 info;
	__u8 type;
	int result;

	if (!s || !p)
		return RUNTIME_NO_THREAD;
	y = &p->php;
	at = s->frame;
	if (!at)
		return RUNTIME_FOUND;
	if (!read_user(at, s->scratch.bytes, PHP_FRAME_BYTES))
		return RUNTIME_UNREADABLE;
	opline = scratch_u64(s, 0);
	function = scratch_u64(s, y->frame_function);
	info = scratch_u32(s, y->frame_info);
	s->frame = scratch_u64(s, y->frame_previous);
	if (s->frame == at)
		return RUNTIME_ENDLESS;
	/* Generators have a stand-in for their caller. */
	if (!function)
		return -1;
	if (!read_user(function, s->scratch.bytes, PHP_FUNCTION_BYTES))
		return RUNTIME_UNREADABLE;
	type = scratch_u8(s, 0);
	if (type != PHP_INTERNAL && type != PHP_USER && type != PHP_EVAL_CODE)
		return RUNTIME_NOT_CODE;
	/* The function at the base of a fiber has no name. */
	if (type == PHP_INTERNAL ? scratch_u64(s, y->name) != 0
				 : !(scratch_u32(s, y->flags) & PHP_TRAMPOLINE)) {
		result = php_add(function, opline);
		if (result != RUNTIME_FOUND)
			return result;
	}
	return type != PHP_INTERNAL && info & PHP_CALL_TOP ? RUNTIME_FOUND : -1;
}

/*
 * Leaves generated code, which runs in the stack frame of the loop and has none of its own. Code of
 * others, as that of regular expressions, has frames that nobody knows.
 */
__noinline int php_code(void)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	__u64 pc;

	if (!s || !p)
		return UNWIND_NO_IMAGE;
	pc = s->is_interrupted ? s->pc : s->pc - 1;
	if (p->php.loop && runtime_role(s, pc) == RUNTIME_ROLE_CODE) {
		s->pc = p->php.loop + 1;
		s->is_interrupted = 0;
		return -1;
	}
	/* Other threads than the first one have no PHP. */
	if (s->pid == s->tid) {
		add_frame(s, pc);
		s->regs = 0;
		if (!s->has_frame)
			find_frame();
	}
	return UNWIND_NO_IMAGE;
}
