/* SPDX-License-Identifier: MIT */
#include "kernel/code-maps.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernel/proc-task.h"

/* As in <linux/fs.h> of Linux 6.11. */
#define QUERY_WRITABLE   0x02
#define QUERY_EXECUTABLE 0x04
#define QUERY_SHARED     0x08
#define QUERY_NEXT       0x10 /* the map at the address, or else the next one */
#define QUERY_READABLE   0x01

struct procmap_query {
	uint64_t size;
	uint64_t query_flags, query_addr;
	uint64_t vma_start, vma_end, vma_flags, vma_page_size, vma_offset, inode;
	uint32_t dev_major, dev_minor;
	uint32_t vma_name_size, build_id_size;
	uint64_t vma_name_addr, build_id_addr;
};

#define PROCMAP_QUERY_IOCTL _IOWR('f', 17, struct procmap_query)

/* Processes with 32-bit addresses have nothing from here on. */
#define ABOVE_32_BIT (UINT64_C(1) << 32)

/* The lowest address of the map that belongs to no process. */
#define GATE_MIN UINT64_C(0xffffffffff000000)

int code_maps_open(struct proc *p, pid_t pid, struct code_maps *m)
{
	char path[32];

	snprintf(path, sizeof(path), "%d/maps", (int)pid);
	m->fd = openat(p->fd, path, O_RDONLY | O_CLOEXEC);
	m->from = 0;
	m->is_ended = false;
	return m->fd < 0 ? -errno : 0;
}

void code_maps_close(struct code_maps *m)
{
	if (m->fd >= 0)
		close(m->fd);
	m->fd = -1;
}

static struct proc_map code_maps_take(const struct code_maps *m, const struct procmap_query *q)
{
	return (struct proc_map){
		.start = q->vma_start,
		.end = q->vma_end,
		.pgoff = q->vma_offset,
		.prot = (q->vma_flags & QUERY_READABLE ? PROT_READ : 0U) |
			(q->vma_flags & QUERY_WRITABLE ? PROT_WRITE : 0U) |
			(q->vma_flags & QUERY_EXECUTABLE ? PROT_EXEC : 0U),
		.flags = q->vma_flags & QUERY_SHARED ? MAP_SHARED : MAP_PRIVATE,
		.maj = q->dev_major,
		.min = q->dev_minor,
		.ino = q->inode,
		.name = m->name,
		.name_length = q->vma_name_size ? q->vma_name_size - 1 : 0,
	};
}

static bool code_maps_is_64_bit(const struct code_maps *m)
{
	struct procmap_query q = {
		.size = sizeof(q),
		.query_flags = QUERY_NEXT,
		.query_addr = ABOVE_32_BIT,
	};

	return m->from > ABOVE_32_BIT || ioctl(m->fd, PROCMAP_QUERY_IOCTL, &q) == 0;
}

int code_maps_next(struct code_maps *m, const struct proc_map *gate, struct proc_map *ret)
{
	struct procmap_query q = {
		.size = sizeof(q),
		.query_flags = QUERY_NEXT | QUERY_EXECUTABLE,
		.query_addr = m->from,
		.vma_name_size = sizeof(m->name),
		.vma_name_addr = (uintptr_t)m->name,
	};

	if (m->is_ended)
		return 0;
	if (ioctl(m->fd, PROCMAP_QUERY_IOCTL, &q) == 0) {
		*ret = code_maps_take(m, &q);
		m->from = q.vma_end;
		return 1;
	}
	if (errno != ENOENT)
		return -errno;
	m->is_ended = true;
	if (!gate || !code_maps_is_64_bit(m))
		return 0;
	*ret = *gate;
	return 1;
}

bool code_maps_gate(struct proc *p, struct proc_map *ret)
{
	static const char name[] = "[vsyscall]";
	size_t length;
	const char *text;
	struct proc_map m;

	if (proc_maps_read(p, getpid(), &text, &length) < 0)
		return false;
	while (proc_maps_next(&text, &length, &m)) {
		if (m.start < GATE_MIN || !(m.prot & PROT_EXEC) || m.name_length != strlen(name) ||
		    memcmp(m.name, name, m.name_length) != 0)
			continue;
		*ret = m;
		ret->name = name;
		return true;
	}
	return false;
}
