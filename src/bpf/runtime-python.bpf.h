/* SPDX-License-Identifier: MIT */
#pragma once
/* Python's frames: a list, of which each native frame of the loop has one or some. */

/* Adds the frame with the code object @code, which runs the instruction @instr. */
static __always_inline int add_python(struct unwind_state *s, const struct python_layout *y,
				      __u64 code, __u64 instr)
{
	__u32 check = 0, position = RUNTIME_NO_POSITION;
	__u64 size;

	if (!read_user(code, s->scratch.bytes, y->code_bytes & (RUNTIME_SCRATCH - 1)))
		return RUNTIME_UNREADABLE;
	if (scratch_u64(s, y->object_type) != y->code_type)
		return RUNTIME_NOT_CODE;
	for (int i = 0; i < PYTHON_CHECKS; i++) {
		barrier_var(i); /* one after the other takes less stack */
		check = runtime_mix(check, scratch_u32(s, y->check[i]));
	}
	if (y->instr_is_index) {
		position = (__u32)instr * y->instr_scale;
	} else {
		size = scratch_u64(s, y->code_size) * 2;
		if (instr - code - y->code_start < size)
			position = (__u32)(instr - code - y->code_start);
	}
	return add_interpreted(s, 0, code, check, position);
}

/* Adds one frame. -1: there is another one of this native frame. */
__noinline int python_step(void)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	const struct python_layout *y;
	__u64 code, instr, at;
	__u8 entry;
	int result;

	if (!s || !p)
		return RUNTIME_NO_THREAD;
	y = &p->python;
	at = s->frame;
	if (!at)
		return RUNTIME_FOUND;
	if (!read_user(at, s->scratch.bytes, y->frame_bytes & (RUNTIME_SCRATCH - 1)))
		return RUNTIME_UNREADABLE;
	code = scratch_u64(s, y->frame_code) & ~3UL; /* since 3.14 it has a tag */
	instr = scratch_u64(s, y->frame_instr);
	entry = scratch_u8(s, y->frame_entry);
	s->frame = scratch_u64(s, y->frame_previous);
	if (s->frame == at)
		return RUNTIME_ENDLESS;
	if (y->entry == PYTHON_ENTRY_OWNER && entry >= y->entry_owner)
		return RUNTIME_FOUND;
	if (y->instr_is_index)
		instr = (__u32)instr;
	result = add_python(s, y, code, instr);
	if (result != RUNTIME_FOUND)
		return result;
	if (y->entry == PYTHON_ENTRY_EACH || (y->entry == PYTHON_ENTRY_FLAG && entry))
		return RUNTIME_FOUND;
	return -1;
}
