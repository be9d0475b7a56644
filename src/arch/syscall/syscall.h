/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The names of each machine's system calls, and the meaning of their arguments.
 *
 * The tables are made from data/syscalls at build time. The meaning of a number depends on the ABI,
 * so a caller with a number also needs the ABI of the calling program: a 32-bit program on a 64-bit
 * kernel has its own numbers and its own structs.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct value_table;
struct struct_layout;

#define SYSCALL_ARGS_MAX 6

enum syscall_abi {
	SYSCALL_ABI_NONE, /* not known: calls are shown by number */
	SYSCALL_ABI_X86_64,
	SYSCALL_ABI_I386,
	SYSCALL_ABI_AARCH64,
	SYSCALL_ABI_ARM,
	SYSCALL_N_ABIS,
};

/* The kind of value in a word of an argument or a result, which decides its printed form. */
enum arg_kind {
	ARG_INT,       /* decimal, signed, of arg.bytes bytes */
	ARG_UNSIGNED,  /* decimal, unsigned, of arg.bytes bytes */
	ARG_HEX,       /* 0x1f */
	ARG_OCTAL,     /* 0644 */
	ARG_POINTER,   /* 0x7f…, a pointer of which no more is known */
	ARG_ENUM,      /* one of arg.values */
	ARG_FLAGS,     /* several of arg.values */
	ARG_CLONE,     /* flags as for ARG_FLAGS, with a signal in the lowest byte */
	ARG_MODE,      /* permissions of a file */
	ARG_FD,        /* a descriptor */
	ARG_DIRFD,     /* a descriptor, or CWD */
	ARG_PID,       /* a task, shown with its name if known */
	ARG_UID,       /* a user or a group: -1 is "not changed" */
	ARG_SIGNAL,    /* SIGTERM */
	ARG_DEVICE,    /* major:minor */
	ARG_IOCTL,     /* a command of ioctl() */
	ARG_FCNTL_ARG, /* arg 2 of fcntl(): depends on the command in arg 1 */
	ARG_PRCTL_ARG, /* args 1 to 4 of prctl(): depend on the command in arg 0 */
	ARG_SECONDS,   /* a time in seconds since 1970 */
	/* Pointers. arg.copy describes the data that they point to. */
	ARG_PATH,    /* a file name */
	ARG_STRING,  /* other text that ends with a NUL */
	ARG_BUFFER,  /* any bytes */
	ARG_STRINGS, /* argv, envp */
	ARG_NUMBERS, /* an array of numbers of arg.element_bytes each: pipe()'s descriptors */
	ARG_STRUCT,  /* a struct of arg.layout */
	ARG_STRUCTS, /* an array of arg.layout: pollfd, epoll_event, sembuf */
	ARG_SOCKADDR,
	ARG_SIGSET,
	ARG_FDSET,
	ARG_IOVEC,
	ARG_MSGHDR,
	ARG_MMSGHDR,
	ARG_DIRENTS, /* the entries that getdents64() returns */
	ARG_N_KINDS,
};

/* The data to copy from the memory of the program, so that a pointer can be shown as a value. */
enum arg_copy {
	COPY_NONE,
	COPY_STRING,  /* up to the NUL */
	COPY_BYTES,   /* the number of bytes that arg.length gives */
	COPY_IOVEC,   /* an array of struct iovec and the data its members point to */
	COPY_MSGHDR,  /* a struct msghdr: name, iovec and the data it points to */
	COPY_MMSGHDR, /* an array of struct mmsghdr: the first few */
	COPY_STRINGS, /* an array of pointers to strings that ends with NULL */
};

enum arg_length {
	LENGTH_FIXED,       /* arg.size bytes */
	LENGTH_ARG,         /* the value of argument arg.length_arg, times arg.element_bytes */
	LENGTH_ARG_POINTER, /* the 32-bit number to which argument arg.length_arg points */
	LENGTH_RESULT,      /* the call's return value, times arg.element_bytes */
};

/*
 * The moment at which data is copied: at enter the data that the kernel reads, at exit the data
 * that it has written.
 */
enum arg_when {
	COPY_AT_ENTER = 1,
	COPY_AT_EXIT = 2, /* only if the call did not fail */
};

struct syscall_arg {
	const char *name;
	uint8_t kind;   /* enum arg_kind */
	uint8_t bytes;  /* size of the word itself: 4 or 8; the rest of the register is garbage */
	uint8_t copy;   /* enum arg_copy */
	uint8_t when;   /* enum arg_when */
	uint8_t length; /* enum arg_length */
	uint8_t length_arg;
	uint8_t element_bytes; /* 1: length is in bytes */
	bool is_hidden;        /* not shown in lines: it only completes another argument */
	uint16_t size;         /* used with LENGTH_FIXED */
	const struct value_table *values;   /* ARG_ENUM, ARG_FLAGS; or NULL */
	const struct struct_layout *layout; /* ARG_STRUCT, ARG_STRUCTS; or NULL */
};

/* Sets of calls that can be selected by name: `-e file`. A call may be in several sets. */
enum syscall_group {
	GROUP_FILE = 1 << 0, /* takes the name of a file */
	GROUP_DESC = 1 << 1, /* takes or returns a descriptor, and is not in GROUP_NETWORK */
	GROUP_NETWORK = 1 << 2,
	GROUP_MEMORY = 1 << 3,
	GROUP_PROCESS = 1 << 4,
	GROUP_SIGNAL = 1 << 5,
	GROUP_IPC = 1 << 6,
	GROUP_STRING = 1 << 7, /* takes any string: a group that only perf has */
	GROUP_CREDS = 1 << 8,  /* users, groups, capabilities */
	GROUP_CLOCK = 1 << 9,
	GROUP_STAT = 1 << 10,
	GROUP_READ_WRITE = 1 << 11, /* read and write: in perf's `file`, but not in strace's */
};

/* The meaning of an argument if the call has this command. */
struct syscall_variant {
	uint32_t command;
	struct syscall_arg arg;
};

struct syscall_desc {
	const char *name;
	uint8_t n_args;
	uint8_t result;  /* enum arg_kind: ARG_INT, ARG_POINTER, ARG_FD, ARG_PID, ARG_OCTAL ... */
	bool no_return;  /* exit() and similar calls: success is never seen */
	bool returns_fd; /* returns a new descriptor, so its path is worth looking up */
	uint16_t groups; /* enum syscall_group */
	/*
	 * For fcntl(), ioctl(), ...: args[command_arg] determines the meaning of args[variant_arg].
	 */
	uint8_t command_arg, variant_arg;
	uint16_t n_variants;
	const struct syscall_variant *variants; /* ascending by command */
	struct syscall_arg args[SYSCALL_ARGS_MAX];
};

/* Returns "x86_64", "i386", "aarch64" or "arm"; NULL for none. */
const char *syscall_abi_name(enum syscall_abi abi);

/* Returns the ABI of 64-bit (or @is_32bit) programs of the machine with this e_machine. */
enum syscall_abi syscall_abi_of(unsigned e_machine, bool is_32bit);

/* Returns the largest number of @abi plus one. Numbers below it may be unused. */
unsigned syscall_count(enum syscall_abi abi);

/* Returns the call @nr; NULL: not known. */
const struct syscall_desc *syscall_find(enum syscall_abi abi, unsigned nr);

/*
 * Returns the description of argument @i of a call with these words: the one for the call's command
 * if there is one, else desc->args[i].
 */
const struct syscall_arg *syscall_arg_of(const struct syscall_desc *desc, unsigned i,
					 const uint64_t args[SYSCALL_ARGS_MAX]);

/* Returns the number of the call @name, or -ENOENT. Alternative names of a call are found, too. */
int syscall_number(enum syscall_abi abi, const char *name);

/* True if @desc creates a task, which also returns from the call, with 0. False for NULL. */
bool syscall_makes_task(const struct syscall_desc *desc);

/*
 * Returns the groups called @name, to be compared with syscall_desc.groups; 0: there is none.
 * "%file" is strace's group of this name, "file" is perf's.
 */
unsigned syscall_group_of(const char *name);
