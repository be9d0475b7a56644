/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>

#include "arch/syscall/tables.h"
#include "arch/syscall/values.h"
#include "skip.h"

static const struct value_table *table(enum syscall_abi abi, const char *name)
{
	const struct value_table *t = value_table_find(abi, name);

	assert_non_null(t);
	return t;
}

static uint64_t number(enum syscall_abi abi, const char *name, const char *value)
{
	uint64_t n = 0;

	assert_true(value_table_number(table(abi, name), value, &n));
	return n;
}

static void flags_differ_between_machines(void **state)
{
	(void)state;
	assert_int_equal(number(SYSCALL_ABI_X86_64, "open_flags", "DIRECTORY"), 0x10000);
	assert_int_equal(number(SYSCALL_ABI_AARCH64, "open_flags", "O_DIRECTORY"), 0x4000);
	assert_string_equal(value_table_name(table(SYSCALL_ABI_ARM, "open_flags"), 0x4000),
			    "DIRECTORY");
}

static void unknown_tables_names_and_values_are_not_found(void **state)
{
	(void)state;
	uint64_t n = 7;

	assert_null(value_table_find(SYSCALL_ABI_X86_64, "nonsense"));
	assert_null(value_table_find(SYSCALL_ABI_NONE, "open_flags"));
	assert_null(value_table_find(SYSCALL_N_ABIS, "open_flags"));
	assert_false(value_table_number(table(SYSCALL_ABI_X86_64, "open_flags"), "x", &n));
	assert_int_equal(n, 7);
	assert_null(value_table_name(table(SYSCALL_ABI_X86_64, "seek"), 77));
	assert_null(value_table_name(table(SYSCALL_ABI_X86_64, "open_flags"), 3));
	assert_null(struct_layout_find(SYSCALL_ABI_NONE, "stat"));
	assert_null(struct_layout_find(SYSCALL_ABI_X86_64, "stat64"));
}

static void errors_and_signals_have_their_full_names(void **state)
{
	(void)state;
	assert_string_equal(errno_name(SYSCALL_ABI_AARCH64, 2), "ENOENT");
	assert_string_equal(errno_name(SYSCALL_ABI_AARCH64, 11), "EAGAIN");
	assert_string_equal(errno_name(SYSCALL_ABI_X86_64, 512), "ERESTARTSYS");
	assert_null(errno_name(SYSCALL_ABI_X86_64, 0));
	assert_null(errno_name(SYSCALL_ABI_X86_64, 4095));
	assert_null(errno_name(SYSCALL_ABI_NONE, 2));
	assert_string_equal(signal_name(SYSCALL_ABI_AARCH64, 15), "SIGTERM");
	assert_string_equal(signal_name(SYSCALL_ABI_X86_64, 29), "SIGIO");
	assert_null(signal_name(SYSCALL_ABI_X86_64, 33));
	assert_null(signal_name(SYSCALL_ABI_X86_64, -1));
}

static void a_name_of_several_bits_comes_before_its_bits(void **state)
{
	(void)state;
	const struct value_table *t = table(SYSCALL_ABI_X86_64, "open_flags");
	bool sync = false;

	for (size_t i = 0; i < t->n; i++) {
		sync |= strcmp(t->names[i].name, "SYNC") == 0;
		if (strcmp(t->names[i].name, "DSYNC") == 0)
			assert_true(sync);
	}
}

static void check_flags(const struct value_table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct value_name *v = &t->names[i];

		assert_int_equal(v->value & ~v->mask, 0);
		for (size_t k = 0; k < i; k++) /* no name is hidden by one of its own bits */
			assert_false((v->mask & t->names[k].mask) == t->names[k].mask &&
				     v->mask != t->names[k].mask);
	}
}

static void check_enum(const struct value_table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		assert_int_equal(t->names[i].value, t->names[i].mask);
		if (i)
			assert_true(t->names[i - 1].value < t->names[i].value);
	}
}

static void every_table_is_in_order(void **state)
{
	(void)state;
	for (int abi = SYSCALL_ABI_X86_64; abi < SYSCALL_N_ABIS; abi++)
		for (size_t i = 0; i < syscall_tables[abi].n_values; i++) {
			const struct value_table *t = syscall_tables[abi].values[i];

			assert_true(t->n > 0);
			assert_ptr_equal(value_table_find(abi, t->name), t);
			if (t->is_flags)
				check_flags(t);
			else
				check_enum(t);
		}
}

static void structs_differ_between_machines(void **state)
{
	(void)state;
	assert_int_equal(struct_layout_find(SYSCALL_ABI_X86_64, "stat")->size, 144);
	assert_int_equal(struct_layout_find(SYSCALL_ABI_AARCH64, "stat")->size, 128);
	assert_int_equal(struct_layout_find(SYSCALL_ABI_I386, "stat64")->size, 96);
	assert_int_equal(struct_layout_find(SYSCALL_ABI_ARM, "stat64")->size, 104);
	assert_int_equal(struct_layout_find(SYSCALL_ABI_I386, "timespec")->size, 8);
	assert_int_equal(struct_layout_find(SYSCALL_ABI_I386, "timespec64")->size, 16);
}

#if defined(__x86_64__)
#define HOST_ABI SYSCALL_ABI_X86_64
#elif defined(__aarch64__)
#define HOST_ABI SYSCALL_ABI_AARCH64
#else
#define HOST_ABI SYSCALL_ABI_NONE
#endif

#define MEMBER(struct_name, member)                                                                \
	{                                                                                          \
#struct_name, sizeof(struct struct_name), #member,                                 \
			offsetof(struct struct_name, member),                                      \
			sizeof(((struct struct_name *)0)->member)                                  \
	}

static const struct struct_member *member(const struct struct_layout *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->members[i].name, name) == 0)
			return &l->members[i];
	fail_msg("%s has no %s", l->name, name);
	return NULL;
}

static void layouts_are_those_of_the_compiler(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		size_t size;
		const char *member;
		size_t offset, bytes;
	} rows[] = {
		MEMBER(timespec, tv_nsec),    MEMBER(timeval, tv_usec),
		MEMBER(itimerspec, it_value), MEMBER(itimerval, it_value),
		MEMBER(timex, tick),          MEMBER(stat, st_mode),
		MEMBER(stat, st_size),        MEMBER(stat, st_ino),
		MEMBER(stat, st_blksize),     MEMBER(stat, st_rdev),
		MEMBER(statx, stx_size),      MEMBER(statx, stx_mtime),
		MEMBER(statfs, f_bavail),     MEMBER(statfs, f_flags),
		MEMBER(rlimit, rlim_max),     MEMBER(rusage, ru_maxrss),
		MEMBER(rusage, ru_nivcsw),    MEMBER(utsname, machine),
		MEMBER(sysinfo, freeram),     MEMBER(sysinfo, mem_unit),
		MEMBER(epoll_event, data),    MEMBER(pollfd, revents),
		MEMBER(iovec, iov_len),       MEMBER(msghdr, msg_iovlen),
		MEMBER(msghdr, msg_flags),    MEMBER(mmsghdr, msg_len),
		MEMBER(flock, l_pid),         MEMBER(winsize, ws_col),
		MEMBER(sembuf, sem_flg),      MEMBER(linger, l_linger),
		MEMBER(ucred, gid),           MEMBER(sched_param, sched_priority),
	};

	if (HOST_ABI == SYSCALL_ABI_NONE)
		skip_because("no table of system calls for this machine");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct struct_layout *l = struct_layout_find(HOST_ABI, rows[i].name);

		assert_non_null(l);
		const struct struct_member *m = member(l, rows[i].member);

		assert_int_equal(l->size, rows[i].size);
		assert_int_equal(m->offset, rows[i].offset);
		assert_int_equal(m->bytes * m->count, rows[i].bytes);
	}
}

static void every_member_lies_in_its_struct(void **state)
{
	(void)state;
	for (int abi = SYSCALL_ABI_X86_64; abi < SYSCALL_N_ABIS; abi++)
		for (size_t i = 0; i < syscall_tables[abi].n_layouts; i++) {
			const struct struct_layout *l = syscall_tables[abi].layouts[i];

			assert_ptr_equal(struct_layout_find(abi, l->name), l);
			for (size_t k = 0; k < l->n; k++) {
				const struct struct_member *m = &l->members[k];

				assert_true(m->bytes && m->count);
				assert_true(m->offset + m->bytes * m->count <= l->size);
				assert_int_equal(m->kind == ARG_STRUCT, m->layout != NULL);
			}
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flags_differ_between_machines),
		cmocka_unit_test(unknown_tables_names_and_values_are_not_found),
		cmocka_unit_test(errors_and_signals_have_their_full_names),
		cmocka_unit_test(a_name_of_several_bits_comes_before_its_bits),
		cmocka_unit_test(every_table_is_in_order),
		cmocka_unit_test(structs_differ_between_machines),
		cmocka_unit_test(layouts_are_those_of_the_compiler),
		cmocka_unit_test(every_member_lies_in_its_struct),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
