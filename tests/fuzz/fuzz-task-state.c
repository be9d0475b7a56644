/* SPDX-License-Identifier: MIT */
/* Fuzzes the print fmt of a recording: no more task states are read than there is capacity for. */
#include <stdint.h>
#include <stdlib.h>

#include "session/task-state.h"
#include "base/cleanup.h"
#include "base/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *text = xstrndup((const char *)data, size);
	struct task_states s;

	task_states_parse(text, &s);
	if (!s.n || s.n > TASK_STATE_BITS_MAX || task_state_of(&s, 0) != TASK_STATE_RUNNABLE)
		abort();
	if (task_state_of(&s, UINT64_MAX) > TASK_STATE_DEAD)
		abort();
	return 0;
}
