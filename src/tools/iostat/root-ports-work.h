/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * PCIe root ports whose traffic can be counted: those of Intel's I/O stacks (IIO). The kernel has a
 * PMU uncore_iio_N for each stack of a die, with a file dieM that names the root bus ("0000:17") of
 * that stack on die M (Documentation/ABI/testing/sysfs-devices-mapping).
 */
#include <stddef.h>
#include <stdint.h>

struct root_port {
	unsigned stack, die; /* N and M */
	unsigned domain, bus;
};

struct root_port_list {
	struct root_port *items; /* ascending by stack and die */
	size_t n, room;
};

void root_port_list_done(struct root_port_list *l);

/*
 * @devices is the directory of the PMUs. -ENODEV: there is no such PMU; -ENODATA: the kernel does
 * not tell which ports they count.
 */
int root_ports_read(const char *devices, struct root_port_list *ret);

/* "0000:17", or "0:17", of @length characters. -EINVAL. */
int root_port_parse(const char *text, size_t length, unsigned *ret_domain, unsigned *ret_bus);
