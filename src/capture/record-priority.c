/* SPDX-License-Identifier: MIT */
#include "capture/record-priority.h"

#include <errno.h>
#include <sched.h>
#include <sys/resource.h>

#define NICE_HIGHEST (-20)

int record_priority_raise(int realtime, struct record_priority *ret)
{
	const struct sched_param wanted = { .sched_priority = realtime };
	struct sched_param now = { 0 };
	struct record_priority before = {
		.raised = true,
		.policy = sched_getscheduler(0),
		.nice = getpriority(PRIO_PROCESS, 0),
	};

	sched_getparam(0, &now);
	before.realtime = now.sched_priority;
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &wanted) < 0 &&
	    setpriority(PRIO_PROCESS, 0, NICE_HIGHEST) < 0)
		return -errno;
	*ret = before;
	return 0;
}

void record_priority_restore(struct record_priority *p)
{
	const struct sched_param before = { .sched_priority = p->realtime };

	if (!p->raised)
		return;
	sched_setscheduler(0, p->policy, &before);
	setpriority(PRIO_PROCESS, 0, p->nice);
	p->raised = false;
}
