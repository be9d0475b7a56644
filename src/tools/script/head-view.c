/* SPDX-License-Identifier: MIT */
#include "tools/script/writer-view.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/digits.h"
#include "base/escape.h"
#include "session/lbr-stitch.h"
#include "session/session.h"
#include "symbol/text-files.h"

#define COMM_WIDTH    16
#define LATENCY_WIDTH 8
#define NS_PER_S      1000000000ULL

/* The capacity for all fixed parts of a head, with a reserve. */
#define HEAD_MAX 160

void script_writer_init(struct script_writer *p, const struct script_setup *s)
{
	*p = (struct script_writer){ .setup = s, .out = TEXT_EMPTY, .scratch = TEXT_EMPTY };
	p->text = 1; /* 0 belongs to a chain_memo without a stack */
	p->traces = text_memo_new();
	frame_cache_init(&p->frames, s->frames);
	if (s->lbr_registers)
		p->stitch = lbr_stitch_new(s->lbr_registers);
}

static void chain_memo_done(struct chain_memo *m)
{
	free(m->items);
	free(m->at.items);
}

void script_writer_done(struct script_writer *p)
{
	text_done(&p->out);
	text_done(&p->scratch);
	text_memo_free(p->traces);
	frame_cache_done(&p->frames);
	lbr_stitch_free(p->stitch);
	frame_memo_done(&p->places);
	for (size_t i = 0; i < WRITER_CHAINS; i++)
		chain_memo_done(&p->chains[i]);
	call_chain_done(&p->chain);
	free(p->at.items);
	text_files_free(p->sources);
	script_metrics_free(p->metrics);
	u64_map_done(&p->last_lines);
	arena_done(&p->lines_arena);
	u64_map_done(&p->early_names);
	intern_done(&p->names);
}

void script_writer_forget(struct script_writer *p)
{
	p->text++;
}

void script_write_foreign(struct script_writer *p, const char *s, size_t n)
{
	if (p->setup->escape)
		escape_terminal(&p->out, s, n);
	else
		text_add_bytes(&p->out, s, n);
}

const char *script_writer_comm(struct script_writer *p, uint32_t pid, uint32_t tid, uint64_t moment)
{
	const struct session *s = p->setup->session;
	struct script_comm *c = &p->comms[tid % WRITER_COMMS];
	uint64_t generation = machine_generation(s);

	if (!c->comm || c->tid != tid || c->generation != generation ||
	    !span_has(&c->span, moment)) {
		c->comm = machine_comm_span(s, pid, tid, moment, &c->span);
		c->tid = tid;
		c->generation = generation;
	}
	return c->comm;
}

static void script_head_add_comm(struct script_writer *p, const char *comm, bool aligned)
{
	size_t n = strlen(comm), width = aligned ? COMM_WIDTH : 0;

	if (p->setup->latency) {
		width = LATENCY_WIDTH;
		n = n < width ? n : width;
	}
	if (n < width)
		text_add_bytes(&p->out, "                ", width - n);
	script_write_foreign(p, comm, n);
	text_add_char(&p->out, ' ');
}

/* Writes @v left-aligned, in @width columns. */
static char *put_left(char *at, int64_t v, unsigned width)
{
	char *end = digits_signed(at, v);

	while (end < at + width)
		*end++ = ' ';
	return end;
}

static char *put_ids(char *at, uint64_t fields, const struct script_head *h)
{
	if ((fields & FIELD_BIT(PID)) && (fields & FIELD_BIT(TID))) {
		at = digits_signed_right(at, (int32_t)h->pid, 5);
		*at++ = '/';
		at = put_left(at, (int32_t)h->tid, 5);
		*at++ = ' ';
	} else if (fields & (FIELD_BIT(PID) | FIELD_BIT(TID))) {
		at = digits_signed_right(at, (int32_t)(fields & FIELD_BIT(PID) ? h->pid : h->tid),
					 5);
		*at++ = ' ';
	}
	return at;
}

static char *put_cpu(char *at, uint32_t cpu, bool latency)
{
	/* No CPU is -1, for samples decoded from a thread's hardware trace. */
	if (cpu == UINT32_MAX) {
		at = stpcpy(at, latency ? " -1" : "[-01]");
	} else if (latency) {
		at = digits_decimal_right(at, cpu, 3, ' ');
	} else {
		*at++ = '[';
		at = digits_decimal_right(at, cpu, 3, '0');
		*at++ = ']';
	}
	*at++ = ' ';
	return at;
}

static void script_head_add_prefix(struct script_writer *p, const struct script_head *h)
{
	uint64_t fields = h->event->fields;
	char *at;

	if (fields & FIELD_BIT(COMM))
		script_head_add_comm(p, h->comm, h->event->aligned);
	at = put_ids(text_room(&p->out, HEAD_MAX), fields, h);
	if (fields & FIELD_BIT(CPU))
		at = put_cpu(at, h->cpu, p->setup->latency);
	text_filled(&p->out, at);
}

/*
 * Writes the letters of header.misc. Modes are numbers, of which the larger contain the bits of the
 * smaller. perf has always tested them as bits, so a hypervisor's record shows KUH.
 */
static char *put_misc(char *at, uint16_t misc, uint32_t type)
{
	static const struct {
		uint16_t mode;
		char letter;
	} modes[] = {
		{ PERF_RECORD_MISC_KERNEL, 'K' },     { PERF_RECORD_MISC_USER, 'U' },
		{ PERF_RECORD_MISC_HYPERVISOR, 'H' }, { PERF_RECORD_MISC_GUEST_KERNEL, 'G' },
		{ PERF_RECORD_MISC_GUEST_USER, 'g' },
	};
	char *end = at + 6;

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if ((misc & modes[i].mode) == modes[i].mode)
			*at++ = modes[i].letter;
	if ((type == PERF_RECORD_MMAP || type == PERF_RECORD_MMAP2) &&
	    (misc & PERF_RECORD_MISC_MMAP_DATA))
		*at++ = 'M';
	if (type == PERF_RECORD_COMM && (misc & PERF_RECORD_MISC_COMM_EXEC))
		*at++ = 'E';
	if ((type == PERF_RECORD_SWITCH || type == PERF_RECORD_SWITCH_CPU_WIDE) &&
	    (misc & PERF_RECORD_MISC_SWITCH_OUT)) {
		*at++ = 'S';
		if (misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
			*at++ = 'p';
	}
	while (at < end)
		*at++ = ' ';
	return at;
}

static char *put_fraction(char *at, uint64_t ns, bool all)
{
	*at++ = '.';
	return all ? digits_decimal_right(at, ns, 9, '0')
		   : digits_microseconds(at, (uint32_t)(ns / 1000));
}

/* Writes a date and time of day: "2026-11-15 05:10:14.981718 ". */
static char *put_time_of_day(char *at, const struct script_setup *s, uint64_t time)
{
	uint64_t wall = time + (uint64_t)s->wall_offset_ns;
	time_t seconds = (time_t)(wall / NS_PER_S);
	struct tm tm;

	if (!localtime_r(&seconds, &tm))
		memset(&tm, 0, sizeof(tm));
	at += strftime(at, 32, "%F %H:%M:%S", &tm);
	at = put_fraction(at, wall % NS_PER_S, s->ns);
	*at++ = ' ';
	return at;
}

/*
 * Returns the time to show for @time: the time itself, or the difference to the first or the last
 * line.
 */
static uint64_t shown_time(struct script_writer *p, uint64_t time)
{
	uint64_t shown = time;

	if (p->setup->reltime) {
		if (!p->first_time)
			p->first_time = time;
		shown = time - p->first_time;
	} else if (p->setup->deltatime) {
		shown = p->has_last_time ? time - p->last_time : 0;
		p->last_time = time;
		p->has_last_time = true;
	}
	return shown;
}

/* Writes seconds as %5lu. Many lines have the same seconds, so the digits are reused. */
static char *put_seconds(char *at, struct script_writer *p, uint64_t seconds)
{
	if (seconds != p->seconds || !p->seconds_length) {
		char *end = digits_decimal_right(p->seconds_text, seconds, 5, ' ');

		p->seconds = seconds;
		p->seconds_length = (uint8_t)(end - p->seconds_text);
	}
	memcpy(at, p->seconds_text, sizeof(p->seconds_text));
	return at + p->seconds_length;
}

static char *script_head_put_time(char *at, struct script_writer *p, uint64_t time)
{
	uint64_t shown = shown_time(p, time);

	at = put_seconds(at, p, shown / NS_PER_S);
	at = put_fraction(at, shown % NS_PER_S, p->setup->ns);
	*at++ = ':';
	*at++ = ' ';
	return at;
}

/*
 * Returns the remembered prefix for the thread and CPU, made anew if it belongs to another thread.
 */
static const struct script_write_prefix *script_head_prefix_of(struct script_writer *p,
							       const struct script_head *h)
{
	struct script_write_prefix *x =
		&p->prefixes[(h->tid + h->event->event->index) % PEN_PREFIXES];
	size_t from = p->out.length, length;

	if (x->comm == h->comm && x->tid == h->tid && x->pid == h->pid && x->cpu == h->cpu &&
	    x->event == h->event)
		return x;
	script_head_add_prefix(p, h);
	length = p->out.length - from;
	if (length <= sizeof(x->chars)) {
		*x = (struct script_write_prefix){ h->comm,  h->pid,          h->tid, h->cpu,
						   h->event, (uint8_t)length, "" };
		memcpy(x->chars, p->out.chars + from, length);
	}
	text_filled(&p->out, p->out.chars + from);
	return length <= sizeof(x->chars) ? x : NULL;
}

void script_write_head(struct script_writer *p, const struct script_head *h)
{
	const struct script_write_prefix *x = script_head_prefix_of(p, h);
	uint64_t fields = h->event->fields;
	char *at;

	if (!x)
		script_head_add_prefix(p, h);
	at = text_room(&p->out, HEAD_MAX);
	if (x) {
		memcpy(at, x->chars, sizeof(x->chars));
		at += x->length;
	}
	if (fields & FIELD_BIT(MISC))
		at = put_misc(at, h->misc, h->type);
	if (fields & FIELD_BIT(TOD))
		at = put_time_of_day(at, p->setup, h->time);
	if (fields & FIELD_BIT(TIME))
		at = script_head_put_time(at, p, h->time);
	text_filled(&p->out, at);
}
