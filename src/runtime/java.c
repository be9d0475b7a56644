/* SPDX-License-Identifier: MIT */
/*
 * HotSpot, the virtual machine of OpenJDK 11 to 28. It describes its structures itself; what it
 * does not describe is the frame of its interpreter, and the registers that the interpreter uses.
 */
#include "runtime/java.h"

#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "runtime/memory.h"

#define VERSION_MIN     11
#define VERSION_MAX     28
#define OFFSET_MAX      65536
#define HEAP_SIZE_MAX   (UINT64_C(1) << 32)
#define INTERPRETER_MAX (64u << 20)
#define CODELETS_MAX    4096
#define CODELET_HEAD    64
#define DESCRIPTION_MAX 96

#define SYMBOL(name, member)                                                                       \
	{                                                                                          \
		"gHotSpotVM" name, offsetof(struct runtime_image, java.member)                     \
	}

static const struct runtime_wanted java_wanted[] = {
	SYMBOL("Structs", fields),
	SYMBOL("StructEntryArrayStride", field_size),
	SYMBOL("StructEntryTypeNameOffset", field_type),
	SYMBOL("StructEntryFieldNameOffset", field_name),
	SYMBOL("StructEntryIsStaticOffset", field_is_static),
	SYMBOL("StructEntryOffsetOffset", field_offset),
	SYMBOL("StructEntryAddressOffset", field_address),
	SYMBOL("Types", types),
	SYMBOL("TypeEntryArrayStride", type_size),
	SYMBOL("TypeEntryTypeNameOffset", type_name),
	SYMBOL("TypeEntrySizeOffset", type_bytes),
	{ NULL, 0 },
};

static bool java_accept(struct runtime_image *im, struct elf_file *file)
{
	(void)file;
	return im->java.types.start && im->java.field_size.start && im->java.type_size.start;
}

/* A field, or without a name the size of a type, and the member of the layout it goes to. */
struct java_member {
	const char *type, *name;
	size_t to;
};

#define TO(member) offsetof(struct java_layout, member)

/* All versions have these. */
static const struct java_member java_members[] = {
	{ "HeapBlock", NULL, TO(block_size) },
	{ "CodeBlob", "_name", TO(blob_name) },
	{ "CodeBlob", "_size", TO(blob_size) },
	{ "CodeBlob", "_frame_size", TO(blob_frame) },
	{ "CodeBlob", "_frame_complete_offset", TO(blob_complete) },
	{ "nmethod", "_compile_id", TO(code_id) },
	{ "nmethod", "_orig_pc_offset", TO(code_orig_pc) },
	{ "nmethod", "_scopes_pcs_offset", TO(code_pcs) },
	{ "PcDesc", NULL, TO(pc_size) },
	{ "Method", "_constMethod", TO(method_const) },
	{ "ConstMethod", NULL, TO(const_size) },
	{ "ConstMethod", "_code_size", TO(const_code_size) },
	{ "ConstMethod", "_name_index", TO(const_names) },
	{ "ConstMethod", "_constMethod_size", TO(const_words) },
	{ "ConstMethod", "_constants", TO(const_pool) },
	{ "ConstantPool", NULL, TO(pool_size) },
	{ "ConstantPool", "_tags", TO(pool_tags) },
	{ "ConstantPool", "_pool_holder", TO(pool_holder) },
	{ "ConstantPool", "_length", TO(pool_length) },
	{ "Klass", "_name", TO(klass_name) },
	{ "InstanceKlass", "_constants", TO(klass_pool) },
	{ "Symbol", "_length", TO(symbol_length) },
	{ "Symbol", "_body", TO(symbol_body) },
	{ "Array<int>", "_length", TO(array_length) },
	{ "Array<u1>", "_data", TO(array_bytes) },
};

#define JAVA_ALTERNATIVES 3

/* The first of several that a version has. */
static const struct java_member java_alternatives[][JAVA_ALTERNATIVES] = {
	{ { "nmethod", "_method", TO(code_method) },
	  { "CompiledMethod", "_method", TO(code_method) } },
	{ { "nmethod", "_deopt_handler_offset", TO(code_deopt) },
	  { "nmethod", "_deopt_handler_entry_offset", TO(code_deopt) },
	  { "CompiledMethod", "_deopt_handler_begin", TO(code_deopt) } },
	{ { "nmethod", "_scopes_data_offset", TO(code_scopes) },
	  { "CompiledMethod", "_scopes_data_begin", TO(code_scopes) } },
	{ { "ConstMethod", "_flags", TO(const_flags) },
	  { "ConstMethod", "_flags._flags", TO(const_flags) } },
	{ { "CodeBlob", "_code_begin", TO(blob_code) },
	  { "CodeBlob", "_code_offset", TO(blob_code) } },
};

/* The rest is 0 in versions that do not have it. */
static const struct java_member java_optional[] = {
	{ "ConstantPool", "_source_file_name_index", TO(pool_file) },
	{ "InstanceKlass", "_source_file_name_index", TO(klass_file) },
	{ "nmethod", "_dependencies_offset", TO(code_pcs_end) },
	{ "nmethod", "_metadata_offset", TO(code_metadata) },
	{ "nmethod", "_immutable_data", TO(code_immutable) },
	{ "nmethod", "_immutable_data_size", TO(code_immutable_size) },
	{ "CodeBlob", "_mutable_data", TO(blob_mutable) },
	{ "CodeBlob", "_mutable_data_size", TO(blob_mutable_size) },
	{ "CodeBlob", "_relocation_size", TO(blob_relocation) },
	{ "Method", "_i2i_entry", TO(method_entry) },
};

/* False: the machine does not have it, or not at a small offset. */
static bool java_take_member(const struct java_vm *vm, const struct java_member *m,
			     struct java_layout *to)
{
	uint64_t value;

	if (!(m->name ? java_vm_find(vm, m->type, m->name, &value)
		      : java_vm_find_size(vm, m->type, &value)) ||
	    value >= OFFSET_MAX)
		return false;
	*(uint16_t *)((char *)to + m->to) = (uint16_t)value;
	return true;
}

static bool java_take_first(const struct java_vm *vm, const struct java_member *alternatives,
			    struct java_layout *to)
{
	for (size_t i = 0; i < JAVA_ALTERNATIVES && alternatives[i].type; i++)
		if (java_take_member(vm, &alternatives[i], to))
			return true;
	return false;
}

/* True if the members that the walker takes are in the parts that it reads. */
static bool java_layout_fits(const struct java_layout *y)
{
	return y->blob_name <= 248 && y->code_method <= 248 && y->blob_size <= 252 &&
	       y->blob_frame <= 252 && y->blob_complete <= 254 && y->blob_code <= 248 &&
	       y->code_id <= JAVA_CODE_BYTES - sizeof(uint32_t) && y->method_const <= 56 &&
	       y->method_entry <= 56 && y->const_code_size <= 62 && y->const_names <= 62 &&
	       y->const_words <= 60 && !(y->const_words & 3) &&
	       !((y->blob_name | y->code_method | y->method_const | y->method_entry) & 7) &&
	       !((y->blob_size | y->blob_frame) & 3) && y->block_size <= 64;
}

static int java_find_members(const struct java_vm *vm, struct java_layout *y)
{
	uint64_t ignored;

	for (size_t i = 0; i < ARRAY_SIZE(java_members); i++)
		if (!java_take_member(vm, &java_members[i], y))
			return -EPROTO;
	for (size_t i = 0; i < ARRAY_SIZE(java_alternatives); i++)
		if (!java_take_first(vm, java_alternatives[i], y))
			return -EPROTO;
	for (size_t i = 0; i < ARRAY_SIZE(java_optional); i++)
		java_take_member(vm, &java_optional[i], y);
	/* Shared methods had an entry elsewhere. */
	if (y->version < 17)
		y->method_entry = 0;
	y->code_is_offset = !java_vm_find(vm, "CodeBlob", "_code_begin", &ignored);
	return java_layout_fits(y) ? 0 : -EPROTO;
}

/* Frames and registers of the interpreter, by machine: frame_<machine>.hpp of HotSpot. */
static int java_find_machine(const struct arch *arch, struct java_layout *y)
{
	y->frame_sender_sp = -8;
	y->frame_method = -24;
	switch (arch ? arch->elf_machine : EM_NONE) {
	case EM_X86_64: /* r13, rbx, r13, rax in struct pt_regs */
		y->is_x86 = 1;
		y->frame_bcp = -64;
		y->reg_bcp = y->reg_sender_sp = 2 * 8;
		y->reg_method = 5 * 8;
		y->reg_return = 10 * 8;
		return 0;
	case EM_AARCH64: /* x22, x12, x19 or before version 20 x13, x30 */
		y->frame_bcp = -72;
		y->reg_bcp = 22 * 8;
		y->reg_method = 12 * 8;
		y->reg_sender_sp = y->version >= 20 ? 19 * 8 : 13 * 8;
		y->reg_return = 30 * 8;
		return 0;
	default:
		return -ENOTSUP;
	}
}

/* Reads a static variable, a pointer. -EAGAIN: it is not set yet. */
static int java_read_static(const struct java_vm *vm, int pid, const char *type, const char *name,
			    uint64_t *ret)
{
	uint64_t at;
	int r = java_vm_find(vm, type, name, &at) ? memory_u64(pid, at, ret) : -EPROTO;

	return r < 0 ? r : *ret ? 0 : -EAGAIN;
}

/* Reads the word of the structure at @at that is the field @name of @type. */
static int java_read_word(const struct java_vm *vm, int pid, uint64_t at, const char *type,
			  const char *name, uint64_t *ret)
{
	uint64_t offset;

	return java_vm_find(vm, type, name, &offset) ? memory_u64(pid, at + offset, ret) : -EPROTO;
}

static int java_read_int(const struct java_vm *vm, int pid, uint64_t at, const char *type,
			 const char *name, uint32_t *ret)
{
	uint64_t offset;

	return java_vm_find(vm, type, name, &offset) ? memory_u32(pid, at + offset, ret) : -EPROTO;
}

static int java_find_heap(const struct java_vm *vm, int pid, uint64_t at, struct java_heap *ret,
			  uint16_t *ret_shift)
{
	uint64_t memory, segments, low, high, map;
	uint32_t shift;
	int r = java_read_int(vm, pid, at, "CodeHeap", "_log2_segment_size", &shift);

	if (r < 0 || !java_vm_find(vm, "CodeHeap", "_memory", &memory) ||
	    !java_vm_find(vm, "CodeHeap", "_segmap", &segments))
		return r < 0 ? r : -EPROTO;
	r = java_read_word(vm, pid, at + memory, "VirtualSpace", "_low_boundary", &low);
	if (r >= 0)
		r = java_read_word(vm, pid, at + memory, "VirtualSpace", "_high_boundary", &high);
	if (r >= 0)
		r = java_read_word(vm, pid, at + segments, "VirtualSpace", "_low", &map);
	if (r < 0)
		return r;
	if (!low || !map)
		return -EAGAIN;
	*ret = (struct java_heap){ low, high, map };
	*ret_shift = (uint16_t)shift;
	return shift >= 4 && shift <= 16 && high > low && high - low <= HEAP_SIZE_MAX ? 0 : -EPROTO;
}

static int java_find_heaps(const struct java_vm *vm, int pid, struct runtime_process *p)
{
	struct java_layout *y = &p->java;
	uint64_t array, data, offset;
	uint32_t n;
	int r = java_read_static(vm, pid, "CodeCache", "_heaps", &array);

	if (r >= 0)
		r = java_read_int(vm, pid, array,
				  java_vm_find(vm, "GrowableArrayBase", "_len", &offset)
					  ? "GrowableArrayBase"
					  : "GenericGrowableArray",
				  "_len", &n);
	if (r >= 0)
		r = java_read_word(vm, pid, array, "GrowableArray<int>", "_data", &data);
	if (r < 0)
		return r;
	if (!n || n > JAVA_HEAPS_MAX)
		return n ? -EPROTO : -EAGAIN;
	for (uint32_t i = 0; i < n && r >= 0; i++) {
		uint64_t at;

		r = memory_u64(pid, data + i * sizeof(at), &at);
		if (r >= 0)
			r = java_find_heap(vm, pid, at, &y->heaps[i], &y->segment_shift);
		if (r >= 0 &&
		    !runtime_process_add_range(p, y->heaps[i].start, y->heaps[i].end, true))
			r = -EPROTO;
		if (!i || y->heaps[i].start < y->code_start)
			y->code_start = y->heaps[i].start;
		if (y->heaps[i].end > y->code_end)
			y->code_end = y->heaps[i].end;
	}
	return r;
}

/* Finds the parts of the interpreter that begin methods. They are one after the other. */
static int java_find_entries(const struct java_vm *vm, int pid, uint64_t at, uint64_t end,
			     struct java_layout *y)
{
	static const char wanted[] = "method entry point";
	uint64_t description, size_at;

	if (!java_vm_find(vm, "InterpreterCodelet", "_size", &size_at) ||
	    !java_vm_find(vm, "InterpreterCodelet", "_description", &description) ||
	    size_at > CODELET_HEAD || description > CODELET_HEAD)
		return -EPROTO;
	for (int i = 0; i < CODELETS_MAX && at < end; i++) {
		char text[DESCRIPTION_MAX];
		uint64_t name;
		uint32_t size;
		int r = memory_u32(pid, at + size_at, &size);

		if (r >= 0)
			r = memory_u64(pid, at + description, &name);
		if (r < 0)
			return r;
		if (!size || size > end - at)
			return -EPROTO;
		if (memory_text(pid, name, text, sizeof(text)) >= 0 &&
		    !strncmp(text, wanted, sizeof(wanted) - 1)) {
			if (!y->entries)
				y->entries = at;
			y->entries_end = at + size;
		}
		at += size;
	}
	return y->entries ? 0 : -EAGAIN;
}

static int java_find_interpreter(const struct java_vm *vm, int pid, struct java_layout *y)
{
	uint64_t queue, start, stub_return = 0;
	uint32_t size, first, end;
	int r = java_read_static(vm, pid, "StubRoutines", "_call_stub_return_address",
				 &stub_return);

	if (r >= 0)
		r = java_read_static(vm, pid, "AbstractInterpreter", "_code", &queue);
	if (r >= 0)
		r = java_read_word(vm, pid, queue, "StubQueue", "_stub_buffer", &start);
	if (r >= 0)
		r = java_read_int(vm, pid, queue, "StubQueue", "_buffer_limit", &size);
	if (r >= 0)
		r = java_read_int(vm, pid, queue, "StubQueue", "_queue_begin", &first);
	if (r >= 0)
		r = java_read_int(vm, pid, queue, "StubQueue", "_queue_end", &end);
	if (r < 0)
		return r;
	if (size > INTERPRETER_MAX || first > end || end > size)
		return -EPROTO;
	y->call_stub_return = stub_return;
	y->interpreter = start;
	y->interpreter_end = start + size;
	return java_find_entries(vm, pid, start + first, start + end, y);
}

static int java_find_version(const struct java_vm *vm, int pid, struct java_layout *y)
{
	uint64_t at;
	uint32_t version;
	int r = java_vm_find(vm, "Abstract_VM_Version", "_vm_major_version", &at)
			? memory_u32(pid, at, &version)
			: -EPROTO;

	if (r < 0)
		return r;
	if (!version)
		return -EAGAIN;
	y->version = (uint16_t)version;
	return version >= VERSION_MIN && version <= VERSION_MAX ? 0 : -ENOTSUP;
}

static int java_find(const struct runtime_image *im, int pid, uint64_t bias,
		     const struct runtime_libc *libc, struct runtime_process *ret)
{
	struct java_vm vm = { 0 };
	int r = java_vm_read(&im->java, pid, bias, &vm);

	(void)libc;
	if (r >= 0)
		r = java_find_version(&vm, pid, &ret->java);
	if (r >= 0)
		r = java_find_members(&vm, &ret->java);
	if (r >= 0)
		r = java_find_machine(im->arch, &ret->java);
	if (r >= 0)
		r = java_find_heaps(&vm, pid, ret);
	if (r >= 0)
		r = java_find_interpreter(&vm, pid, &ret->java);
	/* Its code will not be in a file, so that this is how to notice that it has begun. */
	ret->has_other = r == -EAGAIN;
	java_vm_done(&vm);
	return r;
}

/* Reads the head of compiled code, and checks that it is that of the frame. */
static int java_read_head(const struct java_layout *y, int pid, const uint64_t frame[2],
			  uint8_t *bytes, size_t n)
{
	uint64_t name;
	uint32_t numbers[4];
	int r = memory_read(pid, RUNTIME_OBJECT(frame[0]), bytes, n);

	if (r < 0)
		return r;
	name = java_u64(bytes, RUNTIME_SORT(frame[0]) == JAVA_STUB ? y->blob_name : y->code_method);
	numbers[0] = java_u32(bytes, y->blob_size);
	if (RUNTIME_SORT(frame[0]) == JAVA_STUB) {
		numbers[1] = (uint32_t)name;
		numbers[2] = (uint32_t)(name >> 32);
		numbers[3] = 0;
	} else {
		numbers[1] = java_u32(bytes, y->code_id);
		numbers[2] = (uint32_t)name;
		numbers[3] = (uint32_t)(name >> 32);
	}
	return runtime_check(numbers) == RUNTIME_CHECK(frame[1]) ? 0 : -ESTALE;
}

static int java_read_compiled(const struct java_layout *y, int pid, const uint64_t frame[2],
			      struct runtime_code *ret)
{
	uint8_t bytes[JAVA_CODE_BYTES];
	int r = java_read_head(y, pid, frame, bytes, sizeof(bytes));

	if (r >= 0)
		r = java_method_read(y, pid, java_u64(bytes, y->code_method),
				     runtime_code_add(ret));
	if (r < 0)
		return r;
	/* Without the inlined methods all of it belongs to the method itself. */
	if (java_scopes_read(y, pid, RUNTIME_OBJECT(frame[0]), bytes, ret) < 0) {
		ret->spots.n = 0;
		*ARRAY_ADD(&ret->spots) = (struct runtime_spot){ UINT32_MAX, 0, 0 };
	}
	return java_read_head(y, pid, frame, bytes, sizeof(bytes));
}

static int java_read_stub(const struct java_layout *y, int pid, const uint64_t frame[2],
			  struct runtime_code *ret)
{
	struct runtime_function *f = runtime_code_add(ret);
	char name[DESCRIPTION_MAX];
	uint8_t bytes[JAVA_CODE_BYTES / 2];
	int r = java_read_head(y, pid, frame, bytes, sizeof(bytes));

	if (r >= 0)
		r = memory_text(pid, java_u64(bytes, y->blob_name), name, sizeof(name));
	if (r < 0)
		return r;
	text_add(&f->name, name);
	f->size = 1;
	return java_read_head(y, pid, frame, bytes, sizeof(bytes));
}

static int java_check_method(const struct java_layout *y, int pid, const uint64_t frame[2])
{
	uint32_t check;
	int r = java_method_check(y, pid, RUNTIME_OBJECT(frame[0]), &check);

	return r < 0 ? r : check == RUNTIME_CHECK(frame[1]) ? 0 : -ESTALE;
}

static int java_read(const struct runtime_process *p, int pid, const uint64_t frame[2],
		     struct runtime_code *ret)
{
	const struct java_layout *y = &p->java;
	int r;

	switch (RUNTIME_SORT(frame[0])) {
	case JAVA_COMPILED:
		return java_read_compiled(y, pid, frame, ret);
	case JAVA_STUB:
		return java_read_stub(y, pid, frame, ret);
	case JAVA_METHOD:
		r = java_check_method(y, pid, frame);
		if (r >= 0)
			r = java_method_read(y, pid, RUNTIME_OBJECT(frame[0]),
					     runtime_code_add(ret));
		return r < 0 ? r : java_check_method(y, pid, frame);
	default:
		return -EPROTO;
	}
}

const struct runtime_type runtime_java = {
	.kind = RUNTIME_KIND_JAVA,
	.wanted = java_wanted,
	.accept = java_accept,
	.find = java_find,
	.read = java_read,
};
