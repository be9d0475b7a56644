/* SPDX-License-Identifier: MIT */
/*
 * CPython 3.7 to 3.15: how frames and code objects are laid out.
 *
 * The offsets in code objects, and until 3.9 those in frames, are in the types themselves
 * (tp_members). Later frames have fixed offsets in each version until 3.12; from 3.13 on
 * _PyRuntime states them.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "elf/file.h"
#include "runtime/internal.h"
#include "runtime/memory.h"
#include "runtime/python-internal.h"
#include "runtime/thread-key.h"

/* Offsets in PyTypeObject and PyMemberDef, which are a part of the stable interface. */
#define TYPE_BASIC_SIZE 24 /* after the type's own type */
#define TYPE_MEMBERS    232
#define MEMBER_SIZE     40
#define MEMBER_OFFSET   16
#define MEMBERS_MAX     64
#define MEMBER_NAME_MAX 32

/* Offsets in a text object until 3.12, and the shift of the kind in its state. */
#define TEXT_LENGTH     16
#define TEXT_STATE      32
#define KIND_SHIFT      2
#define KIND_SHIFT_FREE 8

/* An offset in PyThreadState before 3.11. */
#define STATE_FRAME 24

/* Where a PyThreadState has its thread: until 3.10, and in 3.11. */
#define STATE_THREAD    176
#define STATE_THREAD_11 152

#define CODE_OFFSET_MAX 1024
#define STRUCT_MAX      UINT16_MAX
#define OFFSET_MAX      (UINT16_MAX - sizeof(uint64_t))
#define READ_MAX        248 /* less than the walker has space for */

static const struct runtime_wanted python_wanted[] = {
	{ "PyCode_Type", offsetof(struct runtime_image, python.code_type) },
	{ "PyFrame_Type", offsetof(struct runtime_image, python.frame_type) },
	{ "PyUnicode_Type", offsetof(struct runtime_image, python.text_type) },
	{ "PyBytes_Type", offsetof(struct runtime_image, python.bytes_type) },
	{ "_PyRuntime", offsetof(struct runtime_image, python.state) },
	{ "_PyEval_EvalFrameDefault", offsetof(struct runtime_image, python.loop) },
	{ "PyGILState_GetThisThreadState", offsetof(struct runtime_image, python.get_key) },
	{ "PyThreadState_Get", offsetof(struct runtime_image, python.get_state) },
	{ "_PyThreadState_UncheckedGet", offsetof(struct runtime_image, python.get_holder) },
	{ "Py_Version", offsetof(struct runtime_image, python.version) },
	{ NULL, 0 },
};

static bool python_accept(struct runtime_image *im, struct elf_file *file)
{
	(void)file;
	if (!im->python.loop.start || !im->python.loop.size || !im->python.get_key.start)
		return false;
	return runtime_image_add_range(im, im->python.loop.start,
				       im->python.loop.start + im->python.loop.size, false);
}

/* A member of a type, and where its offset goes. */
struct python_member {
	const char *name;
	uint16_t *to;
};

/*
 * Reads the offsets of members of the type at @type, whose own type is at @head. -EPROTO: not all
 * of them are there.
 */
static int python_read_members(int pid, uint64_t type, unsigned head,
			       const struct python_member *wanted, size_t n)
{
	uint64_t at, name, offset;
	size_t found = 0;
	int r = memory_u64(pid, type + head + TYPE_MEMBERS, &at);

	for (size_t i = 0; r >= 0 && i < MEMBERS_MAX; i++, at += MEMBER_SIZE) {
		char text[MEMBER_NAME_MAX];

		r = memory_u64(pid, at, &name);
		if (r < 0 || !name)
			break;
		if (memory_u64(pid, at + MEMBER_OFFSET, &offset) < 0 ||
		    memory_text(pid, name, text, sizeof(text)) < 0)
			continue;
		for (size_t k = 0; k < n; k++)
			if (!strcmp(text, wanted[k].name) && offset < CODE_OFFSET_MAX) {
				*wanted[k].to = (uint16_t)offset;
				found++;
			}
	}
	return r < 0 ? r : found == n ? 0 : -EPROTO;
}

/* Finds the offsets of code objects. */
static int python_find_code(int pid, uint64_t type, struct runtime_process *p)
{
	struct python_layout *y = &p->python;
	bool is_old = y->version < PYTHON_VERSION(11);
	const struct python_member wanted[] = {
		{ "co_argcount", &y->check[0] },
		{ "co_kwonlyargcount", &y->check[1] },
		{ "co_flags", &y->check[2] },
		{ "co_firstlineno", &y->first_line },
		{ "co_filename", &y->file },
		{ is_old ? "co_name" : "co_qualname", &y->name },
		{ y->version < PYTHON_VERSION(10) ? "co_lnotab" : "co_linetable", &y->lines },
		{ is_old ? "co_code" : "co_name", &y->code_start },
	};
	uint64_t size;
	int r = python_read_members(pid, type, y->object_type, wanted, ARRAY_SIZE(wanted));

	if (r >= 0)
		r = memory_u64(pid, type + y->object_type + TYPE_BASIC_SIZE, &size);
	if (r < 0)
		return r;
	if (size > CODE_OFFSET_MAX)
		return -EPROTO;
	if (!is_old)
		y->code_start = (uint16_t)size;
	y->check[3] = y->first_line;
	y->check[4] = y->file;
	y->check[5] = y->name;
	y->check[6] = y->lines;
	y->code_type = type;
	return 0;
}

/* The frames of a version, and the way to them from a thread's state. */
static const struct python_frames {
	unsigned minor;
	uint16_t steps, to_frame[2];
	struct python_layout layout;
} python_frames[] = {
	{ 10,
	  1,
	  { 24 },
	  { .frame_code = 32,
	    .frame_previous = 24,
	    .frame_instr = 96,
	    .entry = PYTHON_ENTRY_EACH,
	    .instr_is_index = 1,
	    .instr_scale = 2 } },
	{ 11,
	  2,
	  { 56, 8 },
	  { .frame_code = 32,
	    .frame_previous = 48,
	    .frame_instr = 56,
	    .frame_entry = 68,
	    .entry = PYTHON_ENTRY_FLAG } },
	{ 12,
	  2,
	  { 56, 0 },
	  { .frame_code = 0,
	    .frame_previous = 8,
	    .frame_instr = 56,
	    .frame_entry = 70,
	    .entry = PYTHON_ENTRY_OWNER,
	    .entry_owner = 3 } },
};

/* Adds a step to both ways. */
static void python_add_step(struct runtime_process *p, int64_t offset)
{
	runtime_path_add(&p->frame, offset);
	if (p->other.n)
		runtime_path_add(&p->other, offset);
}

/* Sets what has stayed the same until 3.12. */
static void python_set_objects(struct python_layout *y, uint32_t version)
{
	y->version = version;
	y->object_type = PYTHON_OBJECT_TYPE;
	y->text_length = TEXT_LENGTH;
	y->text_state = TEXT_STATE;
	y->kind_shift = KIND_SHIFT;
	y->text = version < PYTHON_VERSION(12) ? 48 : 40;
	y->wide_text = version < PYTHON_VERSION(12) ? 72 : 56;
}

/* Until 3.9 the type of frames has their offsets. */
static int python_find_old_frames(int pid, uint64_t type, struct runtime_process *p)
{
	struct python_layout *y = &p->python;
	const struct python_member wanted[] = {
		{ "f_back", &y->frame_previous },
		{ "f_code", &y->frame_code },
		{ "f_lasti", &y->frame_instr },
	};

	y->entry = PYTHON_ENTRY_EACH;
	y->instr_is_index = y->instr_scale = 1;
	python_add_step(p, STATE_FRAME);
	return python_read_members(pid, type, PYTHON_OBJECT_TYPE, wanted, ARRAY_SIZE(wanted));
}

static int python_find_frames(const struct runtime_image *im, int pid, uint64_t bias,
			      struct runtime_process *p)
{
	struct python_layout *y = &p->python;
	uint32_t version = y->version;

	for (size_t i = 0; i < ARRAY_SIZE(python_frames); i++) {
		const struct python_frames *f = &python_frames[i];

		if (f->minor != PYTHON_MINOR(version))
			continue;
		*y = f->layout;
		python_set_objects(y, version);
		for (size_t k = 0; k < f->steps; k++)
			python_add_step(p, f->to_frame[k]);
		return 0;
	}
	if (PYTHON_MINOR(version) > 9)
		return -ENOTSUP;
	python_set_objects(y, version);
	return python_find_old_frames(pid, im->python.frame_type.start + bias, p);
}

/* Finds the version, which has a symbol since 3.11. */
static int python_find_version(const struct runtime_image *im, int pid, uint64_t bias,
			       uint32_t *ret)
{
	uint16_t offset;
	const struct python_member old[] = { { "f_lasti", &offset } };

	if (im->python.version.start)
		return memory_u32(pid, im->python.version.start + bias, ret);
	if (!im->python.frame_type.start)
		return -EPROTO;
	*ret = python_read_members(pid, im->python.frame_type.start + bias, PYTHON_OBJECT_TYPE, old,
				   1) < 0
		       ? PYTHON_VERSION(10)
		       : PYTHON_VERSION(9);
	return 0;
}

/* Finds the way to the state that a thread has had last: by a pthread key until 3.14. */
static int python_find_last_state(const struct runtime_image *im, int pid, uint64_t bias,
				  const struct runtime_libc *libc, struct runtime_path *path)
{
	struct thread_code code = runtime_image_code(im, &im->python.get_key, pid, bias);
	uint64_t key_at;
	uint32_t made, key;
	int r = thread_variable_path(code, path);

	if (r >= 0)
		return r;
	path->n = 0;
	r = thread_key_find(code, &key_at);
	if (r >= 0)
		r = memory_u32(pid, key_at - sizeof(made), &made);
	if (r >= 0)
		r = memory_u32(pid, key_at, &key);
	if (r >= 0 && made != 1)
		r = made ? -EPROTO : -EAGAIN;
	return r < 0 ? r : thread_key_path(libc, key, path);
}

/*
 * Until 3.11 a global variable has the state of the thread that has the lock, which says whose it
 * is. A thread with several interpreters has a state in each.
 */
static bool python_find_holder(const struct runtime_image *im, int pid, uint64_t bias,
			       const struct runtime_libc *libc, struct runtime_process *p)
{
	uint64_t at;

	if (!im->python.get_holder.start || libc->self == RUNTIME_NO_SELF ||
	    !thread_loads_find(runtime_image_code(im, &im->python.get_holder, pid, bias), &at, 1))
		return false;
	p->self_at = p->python.version < PYTHON_VERSION(11) ? STATE_THREAD : STATE_THREAD_11;
	p->self = libc->self;
	p->frame.is_absolute = 1;
	runtime_path_add(&p->frame, (int64_t)at);
	return true;
}

/*
 * Finds the ways to the state of a thread: the one that it has now, and the last one, which is all
 * there is while it has released the lock.
 */
static int python_find_state(const struct runtime_image *im, int pid, uint64_t bias,
			     const struct runtime_libc *libc, struct runtime_process *p)
{
	struct runtime_path last = { 0 };
	int r = python_find_last_state(im, pid, bias, libc, &last);
	bool has_now = false;

	if (r == -EAGAIN)
		return r;
	if (p->python.version < PYTHON_VERSION(12)) {
		has_now = r >= 0 && python_find_holder(im, pid, bias, libc, p);
	} else if (im->python.get_state.start) {
		has_now = thread_variable_path(
				  runtime_image_code(im, &im->python.get_state, pid, bias),
				  &p->frame) >= 0;
		if (!has_now)
			p->frame.n = 0;
	}
	if (!has_now)
		p->frame = last;
	else if (r >= 0)
		p->other = last;
	return has_now ? 0 : r;
}

/*
 * The offsets with which _PyRuntime begins since 3.13, as words: a group of structures of which
 * each begins with its size. Newer versions have more of them.
 */
struct python_places {
	unsigned minor, thread, frame, object, text;
};

static const struct python_places python_places[] = {
	{ 13, 19, 28, 44, 67 },
	{ 14, 22, 31, 50, 77 },
	{ 15, 22, 39, 58, 89 },
};

#define OFFSETS_MAX    128
#define IS_FREE_THREAD 2 /* the word that says that the build has no global lock */

/* The members of the structures, counted from their sizes. */
enum {
	PLACE_THREAD_FRAME = 4,
	PLACE_FRAME_PREVIOUS = 1,
	PLACE_FRAME_EXECUTABLE,
	PLACE_FRAME_INSTR,
	PLACE_FRAME_OWNER = 5,
	PLACE_OBJECT_TYPE = 1,
	PLACE_TEXT_STATE = 1,
	PLACE_TEXT_LENGTH,
	PLACE_TEXT_SIZE,
};

/* Gives the offset at @place of the structure at @first of @o; @max if it is not inside. */
static uint16_t python_offset(const uint64_t *o, unsigned first, unsigned place)
{
	return o[first + place] < o[first] ? (uint16_t)o[first + place] : OFFSET_MAX;
}

/* Takes the offsets that the process states. */
static int python_take_described(const uint64_t *o, const struct python_places *at,
				 struct runtime_process *p)
{
	struct python_layout *y = &p->python;
	bool is_free = o[IS_FREE_THREAD];
	uint64_t text_size = o[at->text + PLACE_TEXT_SIZE];

	if (o[at->thread] > STRUCT_MAX || o[at->frame] > STRUCT_MAX || o[at->object] > STRUCT_MAX ||
	    o[at->text] > STRUCT_MAX || text_size > o[at->text])
		return -EPROTO;
	python_add_step(p, python_offset(o, at->thread, PLACE_THREAD_FRAME));
	y->frame_previous = python_offset(o, at->frame, PLACE_FRAME_PREVIOUS);
	y->frame_code = python_offset(o, at->frame, PLACE_FRAME_EXECUTABLE);
	y->frame_instr = python_offset(o, at->frame, PLACE_FRAME_INSTR);
	y->frame_entry = python_offset(o, at->frame, PLACE_FRAME_OWNER);
	y->entry = PYTHON_ENTRY_OWNER;
	y->entry_owner = 3;
	y->object_type = python_offset(o, at->object, PLACE_OBJECT_TYPE);
	y->text_state = python_offset(o, at->text, PLACE_TEXT_STATE);
	y->text_length = python_offset(o, at->text, PLACE_TEXT_LENGTH);
	y->kind_shift = is_free && at->minor > 13 ? KIND_SHIFT_FREE : KIND_SHIFT;
	y->text = (uint16_t)text_size;
	y->wide_text = (uint16_t)(text_size + 2 * sizeof(uint64_t));
	return 0;
}

static int python_find_described(const struct runtime_image *im, int pid, uint64_t bias,
				 struct runtime_process *p)
{
	uint64_t o[OFFSETS_MAX];
	int r = memory_read(pid, im->python.state.start + bias, o, sizeof(o));

	if (r < 0)
		return r;
	if (memcmp(o, "xdebugpy", 8) != 0 || o[1] != p->python.version)
		return -EPROTO;
	for (size_t i = 0; i < ARRAY_SIZE(python_places); i++)
		if (python_places[i].minor == PYTHON_MINOR(p->python.version))
			return python_take_described(o, &python_places[i], p);
	return -ENOTSUP;
}

static int python_find_layout(const struct runtime_image *im, int pid, uint64_t bias,
			      struct runtime_process *p)
{
	struct python_layout *y = &p->python;
	int r;

	if (PYTHON_MINOR(y->version) >= 13)
		r = python_find_described(im, pid, bias, p);
	else
		r = python_find_frames(im, pid, bias, p);
	if (r < 0)
		return r;
	y->code_size = (uint16_t)(y->object_type + sizeof(uint64_t));
	if (im->python.text_type.start)
		y->text_type = im->python.text_type.start + bias;
	if (im->python.bytes_type.start)
		y->bytes_type = im->python.bytes_type.start + bias;
	return python_find_code(pid, im->python.code_type.start + bias, p);
}

/* Sets the sizes of what the walker reads at once. -EPROTO: an offset is too large. */
static int python_set_reads(struct python_layout *y)
{
	const uint16_t frame[] = { y->frame_code, y->frame_previous, y->frame_instr,
				   y->entry == PYTHON_ENTRY_EACH ? 0 : y->frame_entry };
	size_t frame_bytes = 0, code_bytes = y->code_size + sizeof(uint64_t);

	for (size_t i = 0; i < ARRAY_SIZE(frame); i++)
		if (frame_bytes < frame[i] + sizeof(uint64_t))
			frame_bytes = frame[i] + sizeof(uint64_t);
	for (size_t i = 0; i < PYTHON_CHECKS; i++)
		if (code_bytes < y->check[i] + sizeof(uint64_t))
			code_bytes = y->check[i] + sizeof(uint64_t);
	if (frame_bytes > READ_MAX || code_bytes > READ_MAX || y->object_type >= y->code_size)
		return -EPROTO;
	y->frame_bytes = (uint16_t)frame_bytes;
	y->code_bytes = (uint16_t)code_bytes;
	return 0;
}

static int python_find(const struct runtime_image *im, int pid, uint64_t bias,
		       const struct runtime_libc *libc, struct runtime_process *ret)
{
	int r = python_find_version(im, pid, bias, &ret->python.version);

	if (r >= 0)
		r = python_find_state(im, pid, bias, libc, ret);
	if (r >= 0)
		r = python_find_layout(im, pid, bias, ret);
	return r < 0 ? r : python_set_reads(&ret->python);
}

const struct runtime_type runtime_python = {
	.kind = RUNTIME_KIND_PYTHON,
	.wanted = python_wanted,
	.accept = python_accept,
	.find = python_find,
	.read = python_read,
};
