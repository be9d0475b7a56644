/* SPDX-License-Identifier: MIT */
/* Finds the facts about this machine that the unwinder in the kernel needs: struct unwind_host. */
#include <errno.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "bpf/unwind-internal.h"

/* The inode of the initial namespace of processes: PROC_PID_INIT_INO of the kernel. */
#define INITIAL_PID_NS 0xeffffffcU

static void set_namespace(struct unwind_host *h)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) < 0 || st.st_ino == INITIAL_PID_NS)
		return;
	h->pid_ns_device = st.st_dev;
	h->pid_ns_inode = st.st_ino;
}

/*
 * Returns the bits of an address of user mode. Our own stack is near the highest address; 16 more
 * bits could be used only through a hint to mmap().
 */
static uint64_t address_mask(const struct arch_convention *c)
{
	uint64_t here = (uintptr_t)__builtin_frame_address(0);
	unsigned bits = 64 - (unsigned)__builtin_clzll(here);

	if (!c->address_bits[0])
		return UINT64_MAX;
	return UINT64_MAX >> (64 - bits);
}

static uint32_t saved_at(const struct arch_convention *c, uint8_t reg)
{
	for (size_t i = 0; i < c->signal.n_saved; i++)
		if (c->signal.saved[i].dwarf == reg)
			return c->signal.saved[i].offset;
	return 0;
}

int unwind_host_find(const struct arch *a, struct unwind_host *ret, struct diag *diag)
{
	const struct arch_convention *c = a ? a->convention : NULL;
	const struct arch_trap *t = c ? c->trap : NULL;

	if (!t)
		return diag_set(diag, -EOPNOTSUPP,
				"stacks cannot be unwound in the kernel of this machine");
	*ret = (struct unwind_host){
		.pc = t->pc,
		.sp = t->sp,
		.fp = t->fp,
		.lr = t->lr,
		.mode = t->mode,
		.user_mask = t->user_mask,
		.user_value = t->user_value,
		.native_mask = t->native_mask,
		.native_value = t->native_value,
		.signal_pc = saved_at(c, c->pc),
		.signal_sp = saved_at(c, c->sp),
		.signal_fp = saved_at(c, c->fp),
		.signal_lr = c->lr == ARCH_NO_REGISTER ? 0 : saved_at(c, c->lr),
		.address_mask = address_mask(c),
	};
	set_namespace(ret);
	return 0;
}
