/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Three tasks that wait for one another: a timer wakes 1, 1 wakes 2, and 2 wakes 3.
 *
 *	us	0    10   20   30   40   50   60   70   80   90  100
 *	1	sleeps....|want|runs.....|sleeps...................
 *	2	sleeps..............|wants|runs......|sleeps.......
 *	3	runs|sleeps......................|wants|runs.......
 */
#include "sched-story.h"
#include "tools/sched/wakes-model.h"

static inline void wake_story(struct wakes *w)
{
	struct sched_event events[] = {
		story_switch(0, 0, 1, 1, 0),
		story_switch(0, 1, 2, 1, 3),
		story_switch(10, 1, 3, 1, 0),
		story_event(SCHED_WAKING, 20, 0, 0, 1),
		story_switch(25, 0, 0, 0, 1),
		story_event(SCHED_WAKING, 40, 0, 1, 2),
		story_switch(45, 1, 0, 0, 2),
		story_switch(50, 0, 1, 1, 0),
		story_event(SCHED_WAKING, 60, 1, 2, 3),
		story_switch(70, 1, 2, 1, 3),
		story_switch(100, 1, 3, 1, 0),
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		wakes_take(w, &events[i]);
}
