/* SPDX-License-Identifier: MIT */
#include "tools/script/python/interrupt.h"

#include <signal.h>

#include "base/python.h"

static atomic_bool pressed;

const atomic_bool *python_interrupt_flag(void)
{
	return &pressed;
}

bool python_interrupted(void)
{
	return atomic_load_explicit(&pressed, memory_order_relaxed);
}

#if HAVE_LIBPYTHON

/* PyErr_SetInterrupt() may be called in a signal handler: it only marks the signal as pending. */
static void python_interrupt_on(int number)
{
	if (atomic_exchange(&pressed, true)) {
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	PyErr_SetInterrupt();
}

void python_interrupt_watch(void)
{
	struct sigaction now, mine = { .sa_handler = python_interrupt_on };

	/* Reads are not restarted, because a read from an idle pipe must end. */
	sigemptyset(&mine.sa_mask);
	if (sigaction(SIGINT, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
		sigaction(SIGINT, &mine, NULL);
}

void python_interrupt_drop(void)
{
	if (PyErr_CheckSignals() < 0)
		PyErr_Clear();
}

#endif
