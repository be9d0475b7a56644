/* SPDX-License-Identifier: MIT */
/* Instruction traces, the kernel's records and perf's: passed on without decoding the trace. */
#include <string.h>

#include "wire/record-codec.h"

#define ERROR_MESSAGE_SIZE 64

void record_take_aux(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->aux.offset = cursor_u64(c);
	r->aux.size = cursor_u64(c);
	r->aux.flags = cursor_u64(c);
}

void record_put_aux(const struct record *r, struct bytes *out)
{
	bytes_u64(out, r->aux.offset);
	bytes_u64(out, r->aux.size);
	bytes_u64(out, r->aux.flags);
}

void record_take_itrace_start(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->itrace_start.pid = cursor_u32(c);
	r->itrace_start.tid = cursor_u32(c);
}

void record_put_itrace_start(const struct record *r, struct bytes *out)
{
	bytes_u32(out, r->itrace_start.pid);
	bytes_u32(out, r->itrace_start.tid);
}

void record_take_hw_id(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->hw_id = cursor_u64(c);
}

void record_put_hw_id(const struct record *r, struct bytes *out)
{
	bytes_u64(out, r->hw_id);
}

void record_take_auxtrace_info(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->auxtrace_info.type = cursor_u32(c);
	cursor_u32(c);
	r->auxtrace_info.priv = words_take(c, cursor_left(c) / sizeof(uint64_t));
}

void record_put_auxtrace_info(const struct record *r, struct bytes *out)
{
	bytes_u32(out, r->auxtrace_info.type);
	bytes_u32(out, 0);
	words_put(&r->auxtrace_info.priv, out);
}

void record_take_auxtrace(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->auxtrace.size = cursor_u64(c);
	r->auxtrace.offset = cursor_u64(c);
	r->auxtrace.reference = cursor_u64(c);
	r->auxtrace.idx = cursor_u32(c);
	r->auxtrace.tid = cursor_u32(c);
	r->auxtrace.cpu = cursor_u32(c);
	cursor_u32(c);
}

void record_put_auxtrace(const struct record *r, struct bytes *out)
{
	bytes_u64(out, r->auxtrace.size);
	bytes_u64(out, r->auxtrace.offset);
	bytes_u64(out, r->auxtrace.reference);
	bytes_u32(out, r->auxtrace.idx);
	bytes_u32(out, r->auxtrace.tid);
	bytes_u32(out, r->auxtrace.cpu);
	bytes_u32(out, 0);
}

/* Takes a field of 64 characters, in which writers omit the part after the text. */
static const char *message_take(struct cursor *c)
{
	const uint8_t *p;

	if (cursor_left(c) < ERROR_MESSAGE_SIZE)
		return cursor_string(c);
	p = cursor_bytes(c, ERROR_MESSAGE_SIZE);
	if (!memchr(p, 0, ERROR_MESSAGE_SIZE))
		c->bad = true;
	return (const char *)p;
}

/*
 * u32 type, code, cpu, pid, tid, fmt; u64 ip; [u64 time, fmt >= 1]; char msg[64];
 * [u32 machine_pid, vcpu, fmt >= 2]
 */
void record_take_auxtrace_error(struct cursor *c, const struct attr *attr, struct record *r)
{
	struct record_auxtrace_error *e = &r->auxtrace_error;

	(void)attr;
	e->type = cursor_u32(c);
	e->code = cursor_u32(c);
	e->cpu = cursor_u32(c);
	e->pid = cursor_u32(c);
	e->tid = cursor_u32(c);
	e->fmt = cursor_u32(c);
	e->ip = cursor_u64(c);
	if (e->fmt >= 1)
		e->time = cursor_u64(c);
	e->msg = message_take(c);
	if (e->fmt >= 2) {
		e->machine_pid = cursor_u32(c);
		e->vcpu = cursor_u32(c);
	}
}

void record_put_auxtrace_error(const struct record *r, struct bytes *out)
{
	const struct record_auxtrace_error *e = &r->auxtrace_error;
	size_t length = strnlen(e->msg, ERROR_MESSAGE_SIZE - 1);

	bytes_u32(out, e->type);
	bytes_u32(out, e->code);
	bytes_u32(out, e->cpu);
	bytes_u32(out, e->pid);
	bytes_u32(out, e->tid);
	bytes_u32(out, e->fmt);
	bytes_u64(out, e->ip);
	if (e->fmt >= 1)
		bytes_u64(out, e->time);
	bytes_add(out, e->msg, length);
	bytes_zero(out, ERROR_MESSAGE_SIZE - length);
	if (e->fmt >= 2) {
		bytes_u32(out, e->machine_pid);
		bytes_u32(out, e->vcpu);
	}
}
