/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * V8's frames: those of its generated code, which has frame pointers. Above the saved frame pointer
 * stands either a small number, the type of the frame, or the context of a JavaScript function,
 * whose JSFunction comes next.
 *
 * Code without a frame is recognized only where the thread was interrupted: by its instructions,
 * or because it is a builtin and the frame is that of a function in JavaScript.
 */

/* The parts of s->scratch.bytes: a frame, of which so many bytes are below fp; an object;
 * instructions.
 */
#define V8_BELOW       64
#define V8_FRAME_BYTES 96
#define V8_OBJECT      128
#define V8_OBJECT_SIZE 64
#define V8_BEFORE      16
#define V8_CODE_BYTES  48

/* Words above sp among which the return address of a builtin without a frame is. */
#define V8_RETURN_WORDS 4

static __always_inline __u64 v8_in_frame(const struct unwind_state *s, __s16 offset)
{
	return scratch_u64(s, (__u32)(V8_BELOW + offset));
}

static __always_inline _Bool v8_is_object(__u64 word)
{
	return (word & 3) == 1 && word > 0xffff && word >> 52 == 0;
}

/* Returns the type of @object; 0: it is none. */
static __always_inline __u32 v8_type(const struct v8_layout *y, __u64 object)
{
	__u64 map;
	__u16 type;

	if (!v8_is_object(object) || !read_user(object - 1, &map, sizeof(map)) ||
	    !v8_is_object(map) || !read_user(map - 1 + y->map_type, &type, sizeof(type)))
		return 0;
	return type;
}

/*
 * Returns the SharedFunctionInfo of the JSFunction @function, and reads it to the scratch; 0: it is
 * no function of a script.
 */
static __always_inline __u64 v8_shared(struct unwind_state *s, const struct v8_layout *y,
				       __u64 function, __u32 *check)
{
	__u64 shared, script, id;
	__u32 numbers[4];

	if (!v8_is_object(function) ||
	    !read_user(function - 1 + y->function_shared, &shared, sizeof(shared)) ||
	    v8_type(y, shared) != y->shared_type ||
	    !read_user(shared - 1, s->scratch.bytes + V8_OBJECT, V8_OBJECT_SIZE))
		return 0;
	script = scratch_u64(s, V8_OBJECT + y->shared_script);
	if (v8_type(y, script) != y->script_type ||
	    !read_user(script - 1 + y->script_id, &id, sizeof(id)))
		return 0;
	numbers[0] = scratch_u32(s, V8_OBJECT + y->shared_length);
	numbers[1] = scratch_u32(s, V8_OBJECT + y->shared_literal);
	numbers[2] = scratch_u8(s, V8_OBJECT + y->shared_token) |
		     (__u32)scratch_u8(s, V8_OBJECT + y->shared_token + 1) << 8;
	numbers[3] = (__u32)(id >> 32);
	*check = runtime_check(numbers);
	return shared;
}

/* Returns true, and the offset, if the frame runs byte code. */
static __always_inline _Bool v8_is_bytecode(const struct unwind_state *s, const struct v8_layout *y,
					    __u32 *position)
{
	__u64 offset = v8_in_frame(s, y->frame_offset);

	*position = (__u32)(offset >> 32) - (y->bytecode_start - 1);
	return !(__u32)offset && v8_type(y, v8_in_frame(s, y->frame_bytecode)) == y->bytecode_type;
}

/* True if @pc is in the instructions of the Code @code; gives where they begin. */
static __always_inline _Bool v8_is_in_code(const struct v8_layout *y, __u64 code, __u64 pc,
					   __u64 *start)
{
	__u32 size;

	if (v8_type(y, code) != y->code_type ||
	    !read_user(code - 1 + y->code_size, &size, sizeof(size)))
		return 0;
	*start = code - 1 + y->code_start;
	if (!y->has_inline_code && !read_user(*start, start, sizeof(*start)))
		return 0;
	return pc - *start < size;
}

/* Returns true, and the offset, if @pc is in the baseline code of the function in the scratch. */
static __always_inline _Bool v8_is_baseline(const struct unwind_state *s, const struct v8_layout *y,
					    __u64 pc, __u32 *position)
{
	__u64 start;
	_Bool is_inside = v8_is_in_code(y, scratch_u64(s, V8_OBJECT + y->shared_data), pc, &start);

	*position = (__u32)(pc - start);
	return is_inside;
}

/*
 * True if @pc is in the function's own copy of the interpreter's entry, which it has if V8 runs
 * with --interpreted-frames-native-stack.
 */
static __always_inline _Bool v8_is_entry_copy(const struct unwind_state *s,
					      const struct v8_layout *y, __u64 pc)
{
	__u64 data = scratch_u64(s, V8_OBJECT + y->shared_data), start;

	if (v8_type(y, data) == y->code_type &&
	    !read_user(data - 1 + y->code_deopt, &data, sizeof(data)))
		return 0;
	return v8_type(y, data) == y->interpreter_type &&
	       read_user(data - 1 + y->interpreter_entry, &data, sizeof(data)) &&
	       v8_is_in_code(y, data, pc, &start);
}

static __always_inline _Bool v8_is_builtin(const struct unwind_state *s, __u64 pc)
{
	for (__u32 i = 0; i < RUNTIME_RANGES_MAX; i++) {
		const struct runtime_range *r = &s->process.ranges[i];

		if (i < s->n_ranges && r->is_code && pc - r->start < r->end - r->start)
			return 1;
	}
	return 0;
}

/* Adds the frame of the function @function, or of the builtin in which it is interrupted. */
static __always_inline void v8_add_function(struct unwind_state *s, const struct v8_layout *y,
					    __u64 function, _Bool is_builtin)
{
	__u64 pc = s->is_interrupted ? s->pc : s->pc - 1;
	__u32 check, position;
	__u64 shared = v8_shared(s, y, function, &check);

	if (!shared)
		add_frame(s, pc);
	else if (is_builtin && v8_is_bytecode(s, y, &position))
		add_interpreted(s, V8_SORT_BYTECODE, shared, check, position);
	else if (is_builtin) {
		/* A builtin has no such frame: it was called by the function, somewhere. */
		add_frame(s, pc);
		add_interpreted(s, V8_SORT_BYTECODE, shared, check, RUNTIME_NO_POSITION);
	} else if (v8_is_entry_copy(s, y, pc) && v8_is_bytecode(s, y, &position)) {
		add_interpreted(s, V8_SORT_BYTECODE, shared, check, position);
	} else if (v8_is_baseline(s, y, pc, &position))
		add_interpreted(s, V8_SORT_BASELINE, shared, check, position);
	else
		add_interpreted(s, V8_SORT_CODE, pc, check, 0);
}

/* Goes on to the caller, whose return address is @pc and whose stack begins at @sp. */
static __always_inline int v8_return(struct unwind_state *s, __u64 pc, __u64 sp)
{
	if (!pc || sp <= s->sp)
		return RUNTIME_NOT_FRAME;
	s->pc = pc & UNWIND_HOST.address_mask;
	s->sp = sp;
	s->is_interrupted = 0;
	return -1;
}

/* Adds the frame at the frame pointer, and leaves it. */
__noinline int v8_frame(void)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	const struct v8_layout *y;
	__u64 fp, pc, sp, type;
	_Bool is_builtin;

	if (!s || !p)
		return RUNTIME_NO_THREAD;
	y = &p->v8;
	fp = s->fp;
	pc = s->is_interrupted ? s->pc : s->pc - 1;
	is_builtin = v8_is_builtin(s, pc);
	if (!s->has_fp || fp < s->sp || fp & 7 ||
	    !read_user(fp - V8_BELOW, s->scratch.bytes, V8_FRAME_BYTES)) {
		add_frame(s, pc);
		return RUNTIME_NOT_FRAME;
	}
	type = v8_in_frame(s, y->frame_type);
	s->fp = v8_in_frame(s, 0);
	pc = v8_in_frame(s, 8);
	sp = fp + 16;
	if (type & 1) {
		v8_add_function(s, y, v8_in_frame(s, y->frame_function), is_builtin);
		return v8_return(s, pc, sp);
	}
	add_frame(s, s->is_interrupted ? s->pc : s->pc - 1);
	if (type >> 1 == y->entry_type || type >> 1 == y->construct_type) {
		sp = fp + (__u64)y->entry_sp;
		if (!read_user(fp + (__u64)y->entry_fp, &s->fp, sizeof(s->fp)) ||
		    !read_user(fp + (__u64)y->entry_pc, &pc, sizeof(pc)))
			return RUNTIME_UNREADABLE;
	}
	return v8_return(s, pc, sp);
}

static __always_inline __u32 v8_code_at(const struct unwind_state *s, int offset)
{
	return scratch_u8(s, (__u32)(V8_BEFORE + offset));
}

/* True if the frame is left before the instruction after @end: "mov rsp, rbp; pop rbp", no ret. */
static __always_inline _Bool v8_left_before(const struct unwind_state *s, int end)
{
	return v8_code_at(s, end) == 0x5d && v8_code_at(s, end - 1) == 0xe5 &&
	       v8_code_at(s, end - 2) == 0x8b && v8_code_at(s, end - 3) == 0x48;
}

/* True if a frame begins at @at: "push rbp; mov rbp, rsp". */
static __always_inline _Bool v8_begins_at(const struct unwind_state *s, int at)
{
	return v8_code_at(s, at) == 0x55 && v8_code_at(s, at + 1) == 0x48 &&
	       v8_code_at(s, at + 2) == 0x89 && v8_code_at(s, at + 3) == 0xe5;
}

/*
 * Returns how many words above sp the return address is, if the code at the interruption has no
 * frame now; -1: it has one.
 */
__noinline int v8_words_to_return(void)
{
	struct unwind_state *s = unwind_state();

	if (!s || !read_user(s->pc - V8_BEFORE, s->scratch.bytes, V8_CODE_BYTES))
		return -1;
	if (v8_code_at(s, 0) == 0xc3 || v8_code_at(s, 0) == 0xc2)
		return 0;
	if (v8_begins_at(s, -1))
		return 1;
	for (int at = -1; at >= -V8_BEFORE + 3; at--) {
		if (v8_code_at(s, at) == 0xc3 || v8_code_at(s, at) == 0xc2)
			break;
		if (v8_left_before(s, at))
			return 0;
	}
	for (int at = 0; at < V8_CODE_BYTES - V8_BEFORE - 4; at++) {
		if (v8_code_at(s, at) == 0xcc)
			break;
		if (v8_begins_at(s, at))
			return 0;
	}
	return -1;
}

static __always_inline __u32 v8_instruction(const struct unwind_state *s, int nth)
{
	return scratch_u32(s, (__u32)(V8_BEFORE + 4 * nth));
}

/* As above, on a machine with a link register: 0, the link register has the return address. */
__noinline int v8_has_link(void)
{
	struct unwind_state *s = unwind_state();

	if (!s || !s->has_lr || !read_user(s->pc - V8_BEFORE, s->scratch.bytes, V8_CODE_BYTES))
		return -1;
	if (v8_instruction(s, 0) == 0xd65f03c0)
		return 0;
	for (int i = -1; i >= -V8_BEFORE / 4; i--) {
		if (v8_instruction(s, i) == 0xd65f03c0)
			break;
		if (v8_instruction(s, i) == 0xa8c17bfd)
			return 0;
	}
	for (int i = 0; i < (V8_CODE_BYTES - V8_BEFORE) / 4; i++) {
		if (v8_instruction(s, i) == 0xd65f03c0)
			break;
		if (v8_instruction(s, i) == 0xa9bf7bfd)
			return 0;
	}
	return -1;
}

/* Adds the interrupted code, which has no frame, and returns from it. -2: it has a frame. */
static __always_inline int v8_leave_early(struct unwind_state *s, const struct v8_layout *y)
{
	int words = y->is_link ? v8_has_link() : v8_words_to_return();
	__u64 sp = s->sp, pc = s->lr, fp = s->fp;

	if (words < 0)
		return -2;
	if (!y->is_link) {
		if (!read_user(sp + 8 * (__u64)(words & 1), &pc, sizeof(pc)) ||
		    (words == 1 && !read_user(sp, &fp, sizeof(fp))))
			return RUNTIME_UNREADABLE;
		sp += 8 * (__u64)((words & 1) + 1);
	}
	/* A frame that begins later may be that of another path. */
	pc &= UNWIND_HOST.address_mask;
	if (!unwind_find_map(pc - 1))
		return -2;
	if (v8_is_builtin(s, s->pc))
		add_frame(s, s->pc);
	else
		add_interpreted(s, V8_SORT_ENTERED, s->pc, 0, 0);
	s->fp = fp;
	s->sp = sp;
	s->pc = pc;
	s->is_interrupted = 0;
	return -1;
}

/* True if @pc is in generated code that is no builtin. */
static __always_inline _Bool v8_is_compiled(struct unwind_state *s, __u64 pc)
{
	return !v8_is_builtin(s, pc) && unwind_find_map(pc) && !s->map.n_chunks;
}

/*
 * Leaves a builtin without a frame that optimized or baseline code has called, so the frame at the
 * frame pointer is that of a function: the return address is near sp. -2: it is no such builtin.
 */
__noinline int v8_leave_builtin(void)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	const struct v8_layout *y;
	__u64 type, pc, function;
	__u32 check;

	if (!s || !p)
		return RUNTIME_NO_THREAD;
	y = &p->v8;
	if (!read_user(s->fp + (__u64)y->frame_type, &type, sizeof(type)) || !(type & 1) ||
	    !read_user(s->fp + (__u64)y->frame_function, &function, sizeof(function)) ||
	    !v8_shared(s, y, function, &check))
		return -2;
	for (__u64 i = 0; i < V8_RETURN_WORDS; i++) {
		if (!read_user(s->sp + 8 * i, &pc, sizeof(pc)))
			return -2;
		if (v8_is_builtin(s, pc - 1))
			return -2;
		if (!v8_is_compiled(s, pc - 1))
			continue;
		add_frame(s, s->pc);
		return v8_return(s, pc, s->sp + 8 * (i + 1));
	}
	return -2;
}

/* Adds one frame. -1: there is a caller. */
__noinline int v8_step(void)
{
	struct unwind_state *s = unwind_state();
	struct runtime_process *p = s ? runtime_of(s) : (void *)0;
	int result = -2;

	if (!s || !p)
		return RUNTIME_NO_THREAD;
	if (s->is_interrupted) {
		result = v8_leave_early(s, &p->v8);
		if (result == -2 && !p->v8.is_link && v8_is_builtin(s, s->pc))
			result = v8_leave_builtin();
	}
	return result == -2 ? v8_frame() : result;
}
