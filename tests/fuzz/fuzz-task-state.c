/* SPDX-License-Identifier: MIT */
/* Fuzzes the print fmt of a recording: whatever it says, some bits mean a state in which a task
 * waits or ends. */
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
	uint64_t all = 0;

	task_states_parse(text, &s);
	for (int i = 0; i <= TASK_STATE_DEAD; i++)
		all |= s.bits[i];
	if (s.bits[TASK_STATE_RUNNABLE] || task_state_of(&s, 0) != TASK_STATE_RUNNABLE)
		abort();
	if (task_state_of(&s, UINT64_MAX) > TASK_STATE_DEAD ||
	    (all && task_state_of(&s, UINT64_MAX) == TASK_STATE_RUNNABLE))
		abort();
	return 0;
}
