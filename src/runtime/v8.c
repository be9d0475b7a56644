/* SPDX-License-Identifier: MIT */
/*
 * V8 in Node 18 to 24: how frames and objects are laid out.
 *
 * V8 describes itself by integers whose names begin with v8dbg_. What they leave out is fixed for
 * each version.
 */
#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "elf/file.h"
#include "elf/symbols.h"
#include "runtime/memory.h"
#include "runtime/v8.h"

#define PREFIX "v8dbg_"

#define SYMBOLS_MAX       4096 /* of the description: it has some hundreds */
#define SECTIONS_MAX      256
#define BUILTINS_SIZE_MAX (64u << 20)
#define GETTER_SIZE       16

/* A function in assembler with a frame, but without rules to unwind it, has at least this size. */
#define WITHOUT_RULES_SIZE 32

static const struct runtime_wanted v8_wanted[] = {
	{ "v8dbg_off_fp_function", offsetof(struct runtime_image, v8.described) },
	{ "_ZN2v88internal7Version6major_E", offsetof(struct runtime_image, v8.major) },
	{ "_ZN2v88internal7Version6minor_E", offsetof(struct runtime_image, v8.minor) },
	{ "_ZN2v88internal7Isolate23CurrentEmbeddedBlobCodeEv",
	  offsetof(struct runtime_image, v8.builtins) },
	{ "_ZN2v88internal7Isolate27CurrentEmbeddedBlobCodeSizeEv",
	  offsetof(struct runtime_image, v8.builtins_size) },
	{ "PushAllRegistersAndIterateStack", offsetof(struct runtime_image, v8.without_rules) },
	{ NULL, 0 },
};

/*
 * A version, and what its description leaves out. A Code is in front of its instructions
 * until 10; the two parts of it are apart since 11.
 */
static const struct v8_version {
	uint16_t version;
	struct v8_layout layout;
} v8_versions[] = {
	{ 1002,
	  { .code_start = 128,
	    .has_inline_code = 1,
	    .code_size = 40,
	    .code_flags = 48,
	    .code_deopt = 16,
	    .code_positions = 24,
	    .bytecode_positions = 32,
	    .deopt_literals = 2,
	    .deopt_shared = 6,
	    .deopt_inlined = 7 } },
	{ 1103,
	  { .code_start = 40,
	    .code_size = 56,
	    .code_flags = 48,
	    .code_deopt = 16,
	    .code_positions = 24,
	    .code_stream = 32,
	    .bytecode_positions = 32 } },
	{ 1204,
	  { .code_start = 40, .code_deopt = 8, .code_positions = 16, .bytecode_positions = 24 } },
	{ 1306,
	  { .code_start = 40, .code_deopt = 8, .code_positions = 16, .bytecode_positions = 24 } },
};

/* An integer that V8 has: its name ends with "__" if its type follows, which varies. */
struct v8_constant {
	const char *name;
	size_t offset; /* in struct v8_layout */
	bool is_optional;
};

#define ALWAYS(name, member)                                                                       \
	{                                                                                          \
		name, offsetof(struct v8_layout, member), false                                    \
	}
#define MAYBE(name, member)                                                                        \
	{                                                                                          \
		name, offsetof(struct v8_layout, member), true                                     \
	}

/* All members are of 16 bits. */
static const struct v8_constant v8_constants[] = {
	ALWAYS("off_fp_context_or_frame_type", frame_type),
	ALWAYS("off_fp_function", frame_function),
	ALWAYS("off_fp_bytecode_array", frame_bytecode),
	ALWAYS("off_fp_bytecode_offset", frame_offset),
	ALWAYS("frametype_EntryFrame", entry_type),
	ALWAYS("frametype_ConstructEntryFrame", construct_type),
	ALWAYS("class_Map__instance_type__", map_type),
	ALWAYS("class_JSFunction__shared__", function_shared),
	MAYBE("class_SharedFunctionInfo__script_or_debug_info__", shared_script),
	MAYBE("class_SharedFunctionInfo__raw_script__", shared_script),
	ALWAYS("class_SharedFunctionInfo__length__", shared_length),
	ALWAYS("class_SharedFunctionInfo__raw_function_token_offset__", shared_token),
	ALWAYS("class_SharedFunctionInfo__flags__", shared_flags),
	ALWAYS("class_SharedFunctionInfo__name_or_scope_info__", shared_name),
	ALWAYS("class_BytecodeArray__data__", bytecode_start),
	ALWAYS("type_SharedFunctionInfo__", shared_type),
	ALWAYS("type_Script__", script_type),
	ALWAYS("type_BytecodeArray__", bytecode_type),
	ALWAYS("type_Code__", code_type),
	ALWAYS("type_InterpreterData__", interpreter_type),
	ALWAYS("type_ScopeInfo__", scope_type),
	ALWAYS("type_ByteArray__", byte_array_type),
	MAYBE("type_TrustedByteArray__", trusted_bytes_type),
	ALWAYS("type_FixedArray__", array_type),
	MAYBE("type_SharedFunctionInfoWrapper__", wrapper_type),
	MAYBE("class_SharedFunctionInfoWrapper__shared_info__", wrapper_shared),
	ALWAYS("class_Script__source__", script_source),
	ALWAYS("class_Script__name__", script_name),
	ALWAYS("class_Script__line_ends__", script_line_ends),
	ALWAYS("scopeinfo_idx_first_vars", scope_variables),
	MAYBE("class_Code__flags__", code_flags),
	MAYBE("class_Code__instruction_size__", code_size),
	MAYBE("class_Code__instruction_stream__", code_stream),
	MAYBE("class_InstructionStream__instruction_start__", stream_start),
	ALWAYS("CodeKindFieldMask", kind_mask),
	ALWAYS("CodeKindBaseline", kind_baseline),
	MAYBE("DeoptimizationDataLiteralArrayIndex", deopt_literals),
	MAYBE("DeoptimizationDataSharedFunctionInfoIndex", deopt_shared),
	MAYBE("DeoptimizationDataWrappedSharedFunctionInfoIndex", deopt_shared),
	MAYBE("DeoptimizationDataInliningPositionsIndex", deopt_inlined),
	ALWAYS("class_String__length__", text_length),
	ALWAYS("class_SeqOneByteString__chars__", text_start),
	ALWAYS("class_ConsString__first__", text_first),
	ALWAYS("class_ConsString__second__", text_second),
	ALWAYS("class_SlicedString__parent__", text_parent),
	ALWAYS("class_SlicedString__offset__", text_offset),
};

/* Integers that must have these values; the code relies on them. */
static const struct v8_value {
	const char *name;
	int32_t value;
} v8_values[] = {
	{ "TaggedSize", 8 },
	{ "HeapObjectTag", 1 },
	{ "SmiShiftSize", 31 },
	{ "CodeKindFieldShift", 0 },
	{ "FirstNonstringType", 0x80 },
	{ "StringRepresentationMask", 7 },
	{ "SeqStringTag", 0 },
	{ "ConsStringTag", 1 },
	{ "ExternalStringTag", 2 },
	{ "SlicedStringTag", 3 },
	{ "ThinStringTag", 5 },
	{ "OneByteStringTag", 8 },
	{ "class_FixedArrayBase__length__SMI", 8 },
	{ "class_FixedArray__data__uintptr_t", 16 },
	{ "class_ThinString__actual__String", 16 },
	{ "class_ExternalString__resource__Object", 16 },
	{ "class_SeqTwoByteString__chars__char", 16 },
};

struct v8_description {
	struct elf_file *file;
	struct v8_layout *layout;
	bool has[ARRAY_SIZE(v8_constants)];
	size_t n_values, n_symbols;
	bool is_wrong;
};

static bool v8_is_name(const char *symbol, const char *name)
{
	size_t n = strlen(name);

	if (n > 2 && !strcmp(name + n - 2, "__"))
		return !strncmp(symbol, name, n);
	return !strcmp(symbol, name);
}

/* Returns the value of an integer of the image; 0 is not in the file. */
static int32_t v8_value(struct elf_file *file, uint64_t addr)
{
	struct elf_section s;
	int32_t value = 0;

	for (size_t i = 1; i < SECTIONS_MAX && elf_file_section(file, i, &s); i++)
		if (s.flags & SHF_ALLOC && s.type == SHT_PROGBITS && addr - s.addr < s.size)
			elf_file_read(file, s.offset + (addr - s.addr), &value, sizeof(value));
	return value;
}

static void v8_take_symbol(const struct elf_symbol *s, void *arg)
{
	struct v8_description *d = arg;
	const char *name = s->name + strlen(PREFIX);
	int32_t value;

	if (strncmp(s->name, PREFIX, strlen(PREFIX)) != 0 || d->n_symbols++ >= SYMBOLS_MAX)
		return;
	value = v8_value(d->file, s->addr);
	for (size_t i = 0; i < ARRAY_SIZE(v8_values); i++)
		if (!strcmp(name, v8_values[i].name)) {
			d->n_values++;
			d->is_wrong |= value != v8_values[i].value;
		}
	for (size_t i = 0; i < ARRAY_SIZE(v8_constants); i++)
		if (v8_is_name(name, v8_constants[i].name)) {
			int16_t v = (int16_t)value;

			d->has[i] = true;
			d->is_wrong |= value < INT16_MIN || value > INT16_MAX;
			memcpy((char *)d->layout + v8_constants[i].offset, &v, sizeof(v));
		}
}

static uint16_t v8_version_of(const struct runtime_image *im, struct elf_file *file)
{
	uint32_t major = (uint32_t)v8_value(file, im->v8.major.start);
	uint32_t minor = (uint32_t)v8_value(file, im->v8.minor.start);

	return major < 100 && minor < 100 ? (uint16_t)(major * 100 + minor) : 0;
}

/* Sets where the frame is left that C++ has called: on aarch64 it saves more above it. */
static void v8_set_machine(struct v8_layout *y, uint16_t machine)
{
	y->entry_fp = 0;
	y->entry_pc = 8;
	y->entry_sp = 16;
	if (machine == EM_AARCH64) {
		y->is_link = 1;
		y->entry_sp = 16 + 18 * 8;
	}
}

/* Members that are beside described ones in every version. */
static void v8_set_neighbours(struct v8_layout *y)
{
	y->shared_data = 8;
	y->interpreter_entry = V8_INTERPRETER_BYTECODE + 8;
	y->shared_literal = y->shared_flags + 4;
	y->script_line = y->script_name + 8;
	y->script_id = y->script_line_ends + 8;
}

bool v8_layout_fits(const struct v8_layout *y)
{
	const int16_t in_frame[] = { y->frame_type, y->frame_function, y->frame_bytecode,
				     y->frame_offset };

	for (size_t i = 0; i < ARRAY_SIZE(in_frame); i++)
		if (in_frame[i] < -64 || in_frame[i] > 0 || in_frame[i] % 8)
			return false;
	return y->shared_script && y->shared_script <= 56 && y->shared_literal <= 60 &&
	       y->shared_length <= 60 && y->shared_token <= 60 && y->code_size && y->deopt_shared;
}

/* True if the description, which was read, can be used. */
static bool v8_is_usable(const struct v8_description *d)
{
	if (d->is_wrong || d->n_values < ARRAY_SIZE(v8_values))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(v8_constants); i++)
		if (!d->has[i] && !v8_constants[i].is_optional)
			return false;
	return v8_layout_fits(d->layout);
}

/* Reads the description of V8 in @file. False: it has none, or one that is not known. */
static bool v8_describe(struct elf_file *file, uint16_t version, struct v8_layout *ret)
{
	struct v8_description d = { .file = file, .layout = ret };

	for (size_t i = 0; i < ARRAY_SIZE(v8_versions); i++)
		if (v8_versions[i].version == version)
			*ret = v8_versions[i].layout;
	if (!ret->code_start)
		return false;
	ret->version = version;
	elf_symbols_read(file, ELF_DYNSYM, v8_take_symbol, &d);
	/* Both tables have the same symbols, which count once. */
	if (!d.n_values)
		elf_symbols_read(file, ELF_SYMTAB, v8_take_symbol, &d);
	v8_set_machine(ret, elf_file_machine(file));
	v8_set_neighbours(ret);
	return v8_is_usable(&d);
}

/* An unknown version is accepted here, and refused when a process has it. */
static bool v8_accept(struct runtime_image *im, struct elf_file *file)
{
	const struct runtime_symbol *without = &im->v8.without_rules;
	uint16_t version;

	if (!im->v8.major.start || !im->v8.minor.start || !elf_file_is_64(file) ||
	    elf_file_is_swapped(file))
		return false;
	version = v8_version_of(im, file);
	if (!v8_describe(file, version, &im->v8.layout))
		im->v8.layout = (struct v8_layout){ 0 };
	if (without->start)
		runtime_image_add_range(
			im, without->start,
			without->start + (without->size ? without->size : WITHOUT_RULES_SIZE),
			true);
	return true;
}

/* Gives the address of the variable that a function returns: it consists of a load from there. */
static int v8_find_variable(int pid, const struct runtime_symbol *getter, uint64_t bias,
			    uint64_t *ret)
{
	static const uint8_t branch_target[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	static const uint8_t frame[] = { 0x55, 0x48, 0x89, 0xe5 };
	uint8_t code[GETTER_SIZE];
	size_t at = 0;
	int32_t distance;
	int r;

	if (!getter->start)
		return -ENOTSUP;
	r = memory_read(pid, getter->start + bias, code, sizeof(code));
	if (r < 0)
		return r;
	if (!memcmp(code, branch_target, sizeof(branch_target)))
		at += sizeof(branch_target);
	if (!memcmp(code + at, frame, sizeof(frame)))
		at += sizeof(frame);
	if (code[at] == 0x48)
		at++;
	/* mov distance(%rip), %rax or %eax */
	if (code[at] != 0x8b || code[at + 1] != 0x05)
		return -EPROTO;
	memcpy(&distance, code + at + 2, sizeof(distance));
	*ret = getter->start + bias + at + 6 + (uint64_t)(int64_t)distance;
	return 0;
}

/* As above on aarch64: adrp x0, page; then ldr, or add and ldar. */
static int v8_find_variable_aarch64(int pid, const struct runtime_symbol *getter, uint64_t bias,
				    uint64_t *ret)
{
	uint32_t code[GETTER_SIZE / 4];
	size_t at = 0;
	uint64_t page;
	int r;

	if (!getter->start)
		return -ENOTSUP;
	r = memory_read(pid, getter->start + bias, code, sizeof(code));
	if (r < 0)
		return r;
	if (code[0] == 0xd503245f) /* bti c */
		at++;
	if ((code[at] & 0x9f000000) != 0x90000000)
		return -EPROTO;
	page = (uint64_t)((int64_t)((uint64_t)(code[at] >> 5 & 0x7ffff) << 45) >> 31);
	page |= (uint64_t)(code[at] >> 29 & 3) << 12;
	page += (getter->start + bias + 4 * at) & ~(uint64_t)0xfff;
	if ((code[at + 1] & 0xbfc00000) == 0xb9400000) /* ldr */
		*ret = page + (code[at + 1] >> 10 & 0xfff) * (code[at + 1] >> 30 & 1 ? 8u : 4u);
	else if ((code[at + 1] & 0xffc00000) == 0x91000000) /* add */
		*ret = page + (code[at + 1] >> 10 & 0xfff);
	else
		return -EPROTO;
	return 0;
}

/* Finds the builtins, which are code in the image: V8 notes where when it starts. */
static int v8_find_builtins(const struct runtime_image *im, int pid, uint64_t bias,
			    struct runtime_process *p)
{
	int (*find)(int pid, const struct runtime_symbol *getter, uint64_t bias,
		    uint64_t *ret) = p->v8.is_link ? v8_find_variable_aarch64 : v8_find_variable;
	uint64_t at, start;
	uint32_t size;
	int r = find(pid, &im->v8.builtins, bias, &at);

	if (r >= 0)
		r = memory_u64(pid, at, &start);
	if (r >= 0)
		r = find(pid, &im->v8.builtins_size, bias, &at);
	if (r >= 0)
		r = memory_u32(pid, at, &size);
	if (r < 0)
		return r;
	if (!start)
		return -EAGAIN;
	if (!size || size > BUILTINS_SIZE_MAX ||
	    !runtime_process_add_range(p, start, start + size, true))
		return -EPROTO;
	return 0;
}

static int v8_find(const struct runtime_image *im, int pid, uint64_t bias,
		   const struct runtime_libc *libc, struct runtime_process *ret)
{
	(void)libc;
	if (!im->v8.layout.version)
		return -ENOTSUP;
	ret->v8 = im->v8.layout;
	ret->has_other = 1;
	return v8_find_builtins(im, pid, bias, ret);
}

const struct runtime_type runtime_v8 = {
	.kind = RUNTIME_KIND_V8,
	.wanted = v8_wanted,
	.accept = v8_accept,
	.find = v8_find,
	.read = v8_code_read,
};
