/* SPDX-License-Identifier: MIT */
#include "tools/sched/times-work.h"

#include <inttypes.h>

#include "base/notes.h"
#include "session/consumer.h"
#include "tools/sched/read-work.h"
#include "tools/sched/task-times-model.h"
#include "wire/record.h"

static void sched_times_take(void *arg, const struct sched_event *e)
{
	task_times_take(arg, e);
}

static void sched_times_take_fork(void *arg, const struct record *r, uint64_t time)
{
	(void)time;
	task_times_forget(arg, r->task.tid);
}

int task_times_read(struct recorded *r, struct task_times *t, struct notes *notes,
		    struct diag *diag)
{
	const struct sched_reader reader = {
		.kinds = SCHED_KIND_BIT(SCHED_SWITCH) | SCHED_KIND_BIT(SCHED_WAKING) |
			 SCHED_KIND_BIT(SCHED_WAKEUP) | SCHED_KIND_BIT(SCHED_WAKEUP_NEW),
		.take = sched_times_take,
		.types = RECORD_TYPE_BIT(PERF_RECORD_FORK),
		.record = sched_times_take_fork,
		.arg = t,
	};
	int status = sched_read(r, &reader, notes, diag);

	if (status >= 0 && t->unmatched)
		notes_add(notes, NOTE_REMARK,
			  "%" PRIu64
			  " times do not count, as the recording has no beginning of them",
			  t->unmatched);
	return status;
}
