/* SPDX-License-Identifier: MIT */
/* Tasks: their names, beginnings and ends, namespaces, cgroups, and context switches. */
#include "wire/record-codec.h"

void record_take_comm(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->comm.pid = cursor_u32(c);
	r->comm.tid = cursor_u32(c);
	r->comm.comm = cursor_string(c);
}

void record_put_comm(const struct record *r, struct bytes *out)
{
	bytes_u32(out, r->comm.pid);
	bytes_u32(out, r->comm.tid);
	bytes_string(out, r->comm.comm, 8);
}

void record_take_task(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->task.pid = cursor_u32(c);
	r->task.ppid = cursor_u32(c);
	r->task.tid = cursor_u32(c);
	r->task.ptid = cursor_u32(c);
	r->task.time = cursor_u64(c);
}

void record_put_task(const struct record *r, struct bytes *out)
{
	bytes_u32(out, r->task.pid);
	bytes_u32(out, r->task.ppid);
	bytes_u32(out, r->task.tid);
	bytes_u32(out, r->task.ptid);
	bytes_u64(out, r->task.time);
}

void record_take_switch(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->context_switch.next_prev_pid = cursor_u32(c);
	r->context_switch.next_prev_tid = cursor_u32(c);
}

void record_put_switch(const struct record *r, struct bytes *out)
{
	bytes_u32(out, r->context_switch.next_prev_pid);
	bytes_u32(out, r->context_switch.next_prev_tid);
}

/* u32 pid, tid; u64 nr; { u64 dev, ino; }[nr] */
void record_take_namespaces(struct cursor *c, const struct attr *attr, struct record *r)
{
	uint64_t nr;

	(void)attr;
	r->namespaces.pid = cursor_u32(c);
	r->namespaces.tid = cursor_u32(c);
	nr = cursor_u64(c);
	r->namespaces.links = words_take(c, nr > UINT16_MAX ? UINT64_MAX : 2 * nr);
}

void record_put_namespaces(const struct record *r, struct bytes *out)
{
	bytes_u32(out, r->namespaces.pid);
	bytes_u32(out, r->namespaces.tid);
	bytes_u64(out, r->namespaces.links.n / 2);
	words_put(&r->namespaces.links, out);
}

void record_take_cgroup(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->cgroup.id = cursor_u64(c);
	r->cgroup.path = cursor_string(c);
}

void record_put_cgroup(const struct record *r, struct bytes *out)
{
	bytes_u64(out, r->cgroup.id);
	bytes_string(out, r->cgroup.path, 8);
}
