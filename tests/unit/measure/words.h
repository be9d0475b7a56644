/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Event words of a request in a test: `.events = WORDS(E("cs"), G("/"))`.
 */
#include "base/cleanup.h"
#include "measure/event-words.h"

#define E(t)                                                                                       \
	{                                                                                          \
		EVENT_WORD_EVENT, t                                                                \
	}
#define M(t)                                                                                       \
	{                                                                                          \
		EVENT_WORD_METRIC, t                                                               \
	}
#define G(t)                                                                                       \
	{                                                                                          \
		EVENT_WORD_CGROUP, t                                                               \
	}

#define WORDS(...)                                                                                 \
	{                                                                                          \
		.items = (struct event_word[]){ __VA_ARGS__ },                                     \
		.n = ARRAY_SIZE(((struct event_word[]){ __VA_ARGS__ })),                           \
	}
