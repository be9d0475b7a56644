/* SPDX-License-Identifier: MIT */
#include "hwtrace/branch-insn.h"

#include "arch/x86-insn.h"
#include "hwtrace/decoder.h"

#define B AUX_FLAG_BRANCH

static const uint32_t flags[] = {
	[X86_NO_BRANCH] = 0,
	[X86_JUMP] = B,
	[X86_CONDITIONAL] = B | AUX_FLAG_CONDITIONAL,
	[X86_CALL] = B | AUX_FLAG_CALL,
	[X86_RETURN] = B | AUX_FLAG_RETURN,
	[X86_INTERRUPT] = B | AUX_FLAG_CALL | AUX_FLAG_INTERRUPT,
	[X86_INTERRUPT_RETURN] = B | AUX_FLAG_RETURN | AUX_FLAG_INTERRUPT,
	[X86_SYSCALL] = B | AUX_FLAG_CALL | AUX_FLAG_SYSCALLRET,
	[X86_SYSCALL_RETURN] = B | AUX_FLAG_RETURN | AUX_FLAG_SYSCALLRET,
	[X86_TRANSACTION] = 0,
};

size_t branch_insn(const uint8_t *bytes, size_t n, uint32_t *ret_flags)
{
	struct x86_insn r;
	bool is_relative;
	uint32_t found;

	if (!x86_insn_read(bytes, n, &r))
		return 0;
	found = flags[x86_insn_branch(&r, &is_relative)];
	if (!found)
		return 0;
	*ret_flags = found;
	return r.at;
}
