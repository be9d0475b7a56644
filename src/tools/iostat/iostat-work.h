/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The traffic of PCIe root ports: how much devices below a port read from memory and write to it,
 * and how much CPUs read from these devices and write to them. Counted by the PMUs of Intel's I/O
 * stacks, with measure/count.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/count.h"

/*
 * PCIe root ports whose traffic can be counted: those of Intel's I/O stacks (IIO). The kernel has a
 * PMU uncore_iio_N for each stack of a die, with a file dieM that names the root bus ("0000:17") of
 * that stack on die M (Documentation/ABI/testing/sysfs-devices-mapping).
 */

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

enum iostat_kind {
	IOSTAT_INBOUND_READ, /* by devices, of the host's memory */
	IOSTAT_INBOUND_WRITE,
	IOSTAT_OUTBOUND_READ, /* by CPUs, of devices */
	IOSTAT_OUTBOUND_WRITE,
	IOSTAT_KINDS,
};

struct iostat_row {
	struct root_port port;
	bool is_counted[IOSTAT_KINDS];
	double mb[IOSTAT_KINDS]; /* of 1048576 bytes */
};

/*
 * The ports of this machine, by its directory of PMUs. -ENODEV or -ENODATA with @diag: what is
 * missing.
 */
int iostat_ports(const char *devices, struct root_port_list *ret, struct diag *diag);

/*
 * Leaves those of @l that @text names, "0000:17,0:3a". -EINVAL with @diag: it is no list of ports;
 * -ENODEV: a port is not there.
 */
int iostat_select(struct root_port_list *l, const char *text, struct diag *diag);

/* Adds the events of @l's ports to @rq, and that they are summed up by die. To be released. */
struct iostat_events {
	char **items;
	size_t n, room;
};
void iostat_request(const struct root_port_list *l, struct count_request *rq,
		    struct iostat_events *ret);
void iostat_events_done(struct iostat_events *e);

/* What @t says of @l's ports, in their order: @ret has room for all. */
void iostat_rows(const struct stat_table *t, const struct root_port_list *l,
		 struct iostat_row *ret);
