/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A time chart: the activities of each thread and each CPU, as lanes
 * (tools/timechart/lanes-model.h).
 *
 * It takes events in order of time: those of the scheduler, of power states and of I/O calls. Every
 * thread is in one state at a time, so its times in all states add up to the time for which it is
 * known. No text is formatted here: names are those of the events, not trusted, and have at most
 * CHART_COMM_MAX bytes.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "tools/timechart/lanes-model.h"

struct sched_event;

/* States of a thread. by: a task; cpu: the CPU on which it runs, waits or last ran. */
enum chart_state {
	CHART_UNKNOWN = LANE_NOTHING, /* not seen yet, or it has ended */
	CHART_RUNNING,
	CHART_RUNNABLE, /* waits for a CPU; by: its waker, or its replacement (CHART_PREEMPTED) */
	CHART_SLEEPING, /* interruptible; stack: the place of the sleep */
	CHART_BLOCKED,  /* uninterruptible */
	CHART_IO_WAIT,  /* the same, and the kernel reports that it is for I/O */
	CHART_STOPPED,  /* by a signal or a debugger */
	CHART_STATES,
};

/* In lanes of CPUs: by is the task. Idle is LANE_NOTHING. */
#define CHART_BUSY 1

/* In lanes of idle states: 1 + the number of the state, at most CHART_C_STATES; by: the number. */
#define CHART_C_STATES 6

/* In lanes of frequencies: by is in kHz. */
#define CHART_FREQUENCY 1

/* I/O calls. by: the file descriptor or LANE_NONE; cpu: errno; count: calls; bytes. */
enum chart_io {
	CHART_IO_NOTHING = LANE_NOTHING,
	CHART_IO_READ,
	CHART_IO_WRITE,
	CHART_IO_RECEIVE,
	CHART_IO_SEND,
	CHART_IO_SYNC,
	CHART_IO_POLL,
	CHART_IO_KINDS,
};

/* Flags of pieces. */
enum {
	CHART_PREEMPTED = 1 << 0, /* runnable: it was preempted, not woken */
	CHART_INTERRUPT = 1 << 1, /* runnable: an interrupt woke it */
	CHART_FAILED = 1 << 2,    /* an I/O call returned an error */
};

#define CHART_COMM_MAX 16

/* I/O calls that have ended, before calls are omitted or lengthened for drawing. */
struct chart_io_sums {
	uint64_t calls[CHART_IO_KINDS], ns[CHART_IO_KINDS];
	uint64_t bytes[CHART_IO_KINDS];
	uint64_t errors;
};

/* The current call of a thread, or the last one, with which the next may be merged. */
struct chart_call {
	uint64_t start, end;
	struct lane_mark mark;
	bool is_open; /* it has not returned */
};

struct chart_task {
	uint32_t tid, pid;           /* in the initial PID namespace; @pid: LANE_NONE if unknown */
	char comm[CHART_COMM_MAX];   /* its last name, padded with NULs */
	char before[CHART_COMM_MAX]; /* the previous name; empty: none */
	uint32_t lane;
	uint32_t io_lane; /* LANE_NONE: no calls */
	bool has_ended;   /* its number may now be reused for another thread */
	uint64_t wakeups; /* the number of wake-ups */
	/* Private: */
	struct lane_mark waker; /* a waking that no wake-up has followed yet; state 0: none */
	struct chart_io_sums *io;
	struct chart_call call;
};

struct chart_cpu {
	uint32_t number;
	uint32_t lane;
	uint32_t idle_lane, frequency_lane; /* LANE_NONE: none */
	/* Private: */
	uint32_t now; /* the running task; LANE_NONE: none, or unknown */
	bool was_switched;
};

/*
 * Called when a wait is over: @t left its CPU at @from, with the stack and state of @mark, and was
 * woken, or came back, at @to.
 */
typedef void chart_waited_fn(void *arg, const struct chart_task *t, const struct lane_mark *mark,
			     uint64_t from, uint64_t to);

struct chart_options {
	size_t max_pieces;       /* 0: the default */
	bool waking_is_wakeup;   /* there are no sched_wakeup events */
	bool skip_eagain;        /* calls that fail with EAGAIN are not drawn */
	uint64_t io_min_ns;      /* shorter calls are drawn with this length */
	uint64_t io_merge_ns;    /* calls with a shorter gap are drawn as one */
	chart_waited_fn *waited; /* NULL: not needed */
	void *arg;               /* the argument of @waited */
};

struct chart {
	struct chart_options options;
	struct lanes lanes;
	struct {
		struct chart_task *items;
		size_t n, room;
	} tasks;
	struct {
		struct chart_cpu *items; /* sorted by number after chart_finish() */
		size_t n, room;
	} cpus;
	uint64_t first, last; /* times of the first and last event; 0, 0: none */
	uint64_t n_events;
	uint64_t unexpected;          /* switches from another thread than the last one: losses */
	uint64_t unreturned, unbegun; /* I/O calls without an end, and ends without a beginning */
	/* Private: */
	struct u64_map by_tid, by_cpu; /* each maps to 1 + index */
	bool has_time;
};

void chart_init(struct chart *c, const struct chart_options *o);
void chart_done(struct chart *c);

/*
 * Takes an event of the scheduler. @stack is a number for its stack, or LANE_NONE; the chart only
 * stores it.
 */
void chart_sched(struct chart *c, const struct sched_event *e, uint32_t stack);

/* Notes that CPU @cpu enters idle state @state; UINT32_MAX: it leaves its idle state. */
void chart_idle(struct chart *c, uint64_t time, uint32_t cpu, uint32_t state);

/* Notes that CPU @cpu runs at @khz from now on. */
void chart_frequency(struct chart *c, uint64_t time, uint32_t cpu, uint32_t khz);

/* Notes that thread @tid makes an I/O call. @fd: LANE_NONE if it has none. */
void chart_call(struct chart *c, uint64_t time, uint32_t tid, enum chart_io kind, uint32_t fd);
/* Notes that the call returns with @result, which is the number of bytes or a negative errno. */
void chart_return(struct chart *c, uint64_t time, uint32_t tid, enum chart_io kind, int64_t result);

/*
 * Return the thread @tid, which is made if it is new: its index, or a pointer that is valid until
 * the next thread is made.
 */
uint32_t chart_task_of(struct chart *c, uint32_t tid);
struct chart_task *chart_task_at(struct chart *c, uint32_t tid);

/* Sets the current name of @t. */
void chart_set_comm(struct chart_task *t, const char *chars, size_t n);

/* Ends all lanes and sorts the CPUs. */
void chart_finish(struct chart *c);

/*
 * Returns the time in @state, after chart_finish(). For a task without a lane, all time is
 * LANE_NOTHING.
 */
uint64_t chart_task_ns(const struct chart *c, const struct chart_task *t, enum chart_state state);

/* Returns the number of bytes that the calls of @t moved. */
uint64_t chart_task_bytes(const struct chart_task *t);
