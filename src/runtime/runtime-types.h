/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The description of a process for the walker of interpreted frames in the kernel
 * (bpf/runtime.bpf.h), and the form in which it passes frames on.
 *
 * A process has at most one runtime. Its code is found in two kinds of ranges: a native frame in a
 * loop, a C function that runs byte code, stands for interpreted frames that are elsewhere in
 * memory; generated code has frames of its own on the stack, which the runtime knows how to leave.
 */
#include <linux/types.h>

enum runtime_kind {
	RUNTIME_KIND_NONE,
	RUNTIME_KIND_PYTHON,
	RUNTIME_KIND_JAVA,
	RUNTIME_KIND_V8,
	RUNTIME_KIND_RUBY,
	RUNTIME_KIND_PHP,
	RUNTIME_KINDS,
};

/*
 * A path of pointers: the thread pointer plus offsets[0] is the address of a word, this word plus
 * offsets[1] is the address of the next one, and so on.
 */
#define RUNTIME_STEPS_MAX 6

struct runtime_path {
	__u32 n;
	__u32 is_absolute; /* offsets[0] is an address: the thread pointer is not added */
	__s64 offsets[RUNTIME_STEPS_MAX];
};

struct runtime_range {
	__u64 start, end;
	__u32 is_code;  /* generated code; else a loop */
	__u32 is_outer; /* a function that calls the loop, or generated code, and is a part of it */
};

#define RUNTIME_RANGES_MAX 8

/* The way in which the frames of one native frame of the loop end. */
enum python_entry {
	PYTHON_ENTRY_EACH,  /* each native frame has one interpreted frame (until 3.10) */
	PYTHON_ENTRY_FLAG,  /* the outermost one has a flag (3.11) */
	PYTHON_ENTRY_OWNER, /* an owner of at least `entry_owner` stands below them (since 3.12) */
};

/* argcount, kwonlyargcount, flags, firstlineno, and the addresses of filename, name and lines */
#define PYTHON_CHECKS 7

/* Offsets in bytes. */
struct python_layout {
	__u64 code_type; /* the address of the type of code objects */
	__u64 text_type, bytes_type;
	/* a frame */
	__u16 frame_code, frame_previous, frame_instr, frame_entry;
	__u16 frame_bytes; /* up to the last of them */
	/* a code object; its code is at code_start, or is another object */
	__u16 object_type, code_size, code_start;
	__u16 check[PYTHON_CHECKS];        /* numbers of 4 bytes for the check word */
	__u16 code_bytes;                  /* up to the last member that is read */
	__u16 entry;                       /* enum python_entry */
	__u16 entry_owner;                 /* see PYTHON_ENTRY_OWNER */
	__u16 instr_is_index, instr_scale; /* frame_instr is a number, in units of so many bytes */
	/* The rest is not for the walker. */
	__u32 version; /* as in Py_Version: 3.11.2 is 0x030b02.. */
	__u16 name, file, lines, first_line;
	/* a text object: its characters are at `text` if all are ASCII, else at `wide_text` */
	__u16 text_length, text_state, text, wide_text;
	__u16 kind_shift; /* in its state */
};

/* The kinds of code objects of PHP. */
enum php_sort {
	PHP_SORT_USER,     /* byte code */
	PHP_SORT_INTERNAL, /* a function in C */
};

/* Offsets in bytes. */
struct php_layout {
	/* a frame (zend_execute_data) */
	__u16 frame_function, frame_info, frame_previous;
	/* a function: the check words of one with byte code, and of one in C */
	__u16 flags, name, code, check[2][4]; /* check: by enum php_sort */
	__u16 opline_size;
	__u16 opline_register; /* in the kernel's registers: the one that the loop keeps it in */
	__u16 has_register;
	__u64 loop; /* an address in the loop, behind its prologue; 0: not known */
	/* The rest is not for the walker. */
	__u16 class, last, file, class_name;
	__u16 line; /* in an operation */
};

/* The kinds of code objects of Ruby. */
enum ruby_sort {
	RUBY_SORT_ISEQ, /* byte code: its body */
	RUBY_SORT_C,    /* a method in C: its definition */
};

/* Offsets in bytes. */
struct ruby_layout {
	__u64 outer_start, outer_end; /* the functions that call generated code: of the loop, */
	__u64 loop_start, loop_end;   /* and the loop itself */
	__u16 frame_size;             /* of a frame (rb_control_frame_t) */
	__u16 body_check[4], method_check[4];
	/* The rest is not for the walker. */
	__u16 path, label, lines; /* in a body */
	__u16 text;               /* of a text that is part of its object */
	__u16 has_text_length;    /* it has its length in a member, as other texts have */
	__u16 reserved;
	__u64 symbols; /* the address of the table of names; 0: not known */
};

/* The kinds of frames of V8: what the object and the position of one are. */
enum v8_sort {
	V8_SORT_BYTECODE, /* a SharedFunctionInfo, and an offset in its byte code */
	V8_SORT_BASELINE, /* a SharedFunctionInfo, and an offset in its baseline code */
	V8_SORT_CODE,     /* an address in optimized code */
	V8_SORT_ENTERED,  /* an address in code without a frame; there is no check word */
};

/* Offsets in bytes: in objects, those of frames from the frame pointer. */
struct v8_layout {
	__s16 frame_type, frame_function, frame_bytecode, frame_offset;
	__s16 entry_fp, entry_pc, entry_sp; /* of the caller of the frame with an entry_type */
	__u16 entry_type, construct_type;   /* frames that C++ has called */
	__u16 is_link;                      /* a call sets the link register */
	__u16 map_type;                     /* in the map of an object */
	__u16 function_shared;              /* in a JSFunction */
	__u16 shared_data, shared_script;   /* in a SharedFunctionInfo */
	__u16 shared_length, shared_token;  /* numbers of 32 and 16 bits for the check word */
	__u16 shared_literal, script_id;    /* further ones: 32 bits, and a small integer */
	__u16 bytecode_start;               /* the code in a BytecodeArray */
	__u16 code_start, code_size;        /* in a Code */
	__u16 has_inline_code;              /* the code is in the Code; else code_start has its
					       address */
	__u16 code_deopt;                   /* there, too: its data, or the byte code */
	__u16 interpreter_entry;            /* a Code in an InterpreterData */
	__u16 shared_type, script_type, bytecode_type, code_type, interpreter_type; /* in maps */
	/* The rest is not for the walker. */
	__u16 version; /* 1103: V8 11.3 */
	__u16 shared_name, shared_flags;
	__u16 script_source, script_name, script_line, script_line_ends;
	__u16 scope_type, scope_variables; /* the index of the first variable */
	__u16 bytecode_positions;
	__u16 code_flags, code_positions, code_stream;
	__u16 stream_start; /* the code in an InstructionStream */
	__u16 kind_mask, kind_baseline;
	__u16 deopt_literals, deopt_shared, deopt_inlined;
	__u16 wrapper_type, wrapper_shared; /* an object that stands for a SharedFunctionInfo */
	__u16 text_length, text_start, text_first, text_second, text_parent, text_offset;
	__u16 byte_array_type, trusted_bytes_type, array_type;
};

/* The kinds of frames of Java: their `sort`. */
enum java_sort {
	JAVA_METHOD,   /* an interpreted method: Method*, and the index of the byte code */
	JAVA_COMPILED, /* compiled methods: nmethod*, and the offset in its code */
	JAVA_STUB,     /* other code of the virtual machine, which has a name */
};

#define JAVA_HEAPS_MAX 4

struct java_heap {
	__u64 start, end, segments; /* `segments`: the map of its segments */
};

/* Offsets in bytes. Those of frames are relative to the frame pointer. */
struct java_layout {
	struct java_heap heaps[JAVA_HEAPS_MAX];
	__u64 code_start, code_end; /* all of them */
	__u64 interpreter, interpreter_end;
	__u64 entries, entries_end; /* a part of it: the code that begins methods */
	__u64 call_stub_return;     /* where compiled and interpreted methods return to C++ */
	__u32 is_x86;
	__u16 segment_shift, block_size; /* `block_size`: the head of a block of a heap */
	/* CodeBlob and nmethod */
	__u16 blob_name, blob_size, blob_frame, blob_complete, blob_code;
	__u16 code_is_offset;
	__u16 code_method, code_id, code_orig_pc, code_deopt;
	/* an interpreter's frame */
	__s16 frame_method, frame_bcp, frame_sender_sp;
	/* Method and ConstMethod; byte code follows the latter */
	__u16 method_entry; /* 0: it need not be in the interpreter */
	__u16 method_const, const_size, const_code_size, const_names, const_words;
	/* registers of the interpreter, in the kernel's struct pt_regs */
	__u16 reg_bcp, reg_method, reg_sender_sp, reg_return;
	/* The rest is not for the walker. */
	__u16 version;
	__u16 const_pool, const_flags;
	__u16 pool_tags, pool_holder, pool_length, pool_size, pool_file;
	__u16 klass_name, klass_pool, klass_file, symbol_length, symbol_body;
	__u16 array_length, array_bytes;
	__u16 code_pcs, code_pcs_end, code_scopes, code_immutable, code_immutable_size;
	__u16 code_metadata, blob_mutable, blob_mutable_size, blob_relocation;
	__u16 pc_size;
	__u16 reserved[4];
};

/* A process, as its runtime has described it. */
struct runtime_process {
	__u32 kind;      /* enum runtime_kind */
	__u32 is_ready;  /* 0: the runtime has not started yet, and the process is to be looked at
			    again */
	__u32 has_other; /* code in no file, and in no range, is generated code, too */
	__u32 n_ranges;
	struct runtime_range ranges[RUNTIME_RANGES_MAX];
	struct runtime_path frame; /* the innermost interpreted frame */
	struct runtime_path other; /* the same, if a pointer on the way is NULL; n 0: none */
	/*
	 * If self_at is not 0, the state of a thread, to which the first step leads, has the thread
	 * pointer plus `self` there. Otherwise it is that of another thread, and `other` is the
	 * way.
	 */
	__s64 self;
	__u32 self_at, reserved;
	union {
		struct python_layout python;
		struct php_layout php;
		struct ruby_layout ruby;
		struct v8_layout v8;
		struct java_layout java;
	};
};

/* Adds a number of a code object to its check word, which begins as 0. */
static inline __u32 runtime_mix(__u32 check, __u32 number)
{
	check = (check ^ number ^ 0x9e3779b9) * 0x85ebca6b;
	return check ^ check >> 13;
}

/* Returns the check word of a code object with these four numbers. */
static inline __u32 runtime_check(const __u32 numbers[4])
{
	__u32 check = 0;

	for (int i = 0; i < 4; i++)
		check = runtime_mix(check, numbers[i]);
	return check;
}

/*
 * An interpreted frame is two words among the addresses of a stack. The first one is no address:
 *
 *	63..56 RUNTIME_MARK, 55..52 sort, 51..0 address of the code object
 *	63..32 check word,   31..0  position in it
 *
 * The sort tells the kinds of code objects of a runtime apart, as it likes. The check word differs,
 * most probably, if the memory has another code object by the time its name is read.
 */
#define RUNTIME_MARK 0xe1
#define RUNTIME_FRAME(sort, object)                                                                \
	((__u64)RUNTIME_MARK << 56 | (__u64)(sort) << 52 | ((object)&0xfffffffffffff))
#define RUNTIME_IS_FRAME(w)              ((w) >> 56 == RUNTIME_MARK)
#define RUNTIME_SORT(w)                  ((unsigned)((w) >> 52 & 15))
#define RUNTIME_OBJECT(w)                ((w)&0xfffffffffffff)
#define RUNTIME_CHECKED(check, position) ((__u64)(check) << 32 | (position))
#define RUNTIME_CHECK(w)                 ((__u32)((w) >> 32))
#define RUNTIME_POSITION(w)              ((__u32)(w))
#define RUNTIME_NO_POSITION              0xffffffffU

/* The result of looking for the interpreted frames of a native frame, or of leaving generated code.
 */
enum runtime_result {
	RUNTIME_FOUND,
	RUNTIME_NO_THREAD,  /* the thread has no state: it starts, ends or is not the runtime's */
	RUNTIME_UNREADABLE, /* memory that cannot be read now */
	RUNTIME_NOT_CODE,   /* a frame without a code object */
	RUNTIME_NOT_FRAME,  /* a frame that cannot be left: its form is not known */
	RUNTIME_ENDLESS,    /* more frames than fit */
	RUNTIME_RESULTS,
};
