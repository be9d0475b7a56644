/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The traffic of PCIe root ports: the amount of data that devices below a port read from memory and
 * write to it, and that CPUs read from these devices and write to them. It is counted by the PMUs
 * of Intel's I/O stacks, with measure/count.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/count.h"

/*
 * PCIe root ports with traffic that can be counted: those of Intel's I/O stacks (IIO). The kernel
 * has a PMU uncore_iio_N for each stack of a die. Its file dieM names the root bus ("0000:17") of
 * that stack on die M (Documentation/ABI/testing/sysfs-devices-mapping).
 */

struct root_port {
	unsigned stack, die; /* uncore_iio_N and dieM: N and M */
	unsigned domain, bus;
};

struct root_port_list {
	struct root_port *items; /* ascending by stack and die */
	size_t n, room;
};

void root_port_list_done(struct root_port_list *l);

/*
 * Reads the ports. @devices is the directory of the PMUs. Returns -ENODEV if there is no such PMU,
 * and -ENODATA if the kernel does not report which ports they count.
 */
int root_ports_read(const char *devices, struct root_port_list *ret);

/* Parses "0000:17" or "0:17", a text of @length characters. Returns -EINVAL if it is malformed. */
int root_port_parse(const char *text, size_t length, unsigned *ret_domain, unsigned *ret_bus);

enum iostat_kind {
	IOSTAT_INBOUND_READ, /* by devices, from the host's memory */
	IOSTAT_INBOUND_WRITE,
	IOSTAT_OUTBOUND_READ, /* by CPUs, from devices */
	IOSTAT_OUTBOUND_WRITE,
	IOSTAT_KINDS,
};

struct iostat_row {
	struct root_port port;
	bool is_counted[IOSTAT_KINDS];
	double mb[IOSTAT_KINDS]; /* in units of 1048576 bytes */
};

/*
 * Reads the ports of this machine from its directory of PMUs. Returns -ENODEV or -ENODATA with
 * @diag, which reports what is missing.
 */
int iostat_ports(const char *devices, struct root_port_list *ret, struct diag *diag);

/*
 * Removes the ports of @l that @text does not name; @text is like "0000:17,0:3a". Returns -EINVAL
 * with @diag if @text is not a list of ports, and -ENODEV if a port does not exist.
 */
int iostat_select(struct root_port_list *l, const char *text, struct diag *diag);

/*
 * The names of the requested events. iostat_request() adds the events of @l's ports to @rq, and
 * requests sums by die. The result must be released.
 */
struct iostat_events {
	char **items;
	size_t n, room;
};
void iostat_request(const struct root_port_list *l, struct count_request *rq,
		    struct iostat_events *ret);
void iostat_events_done(struct iostat_events *e);

/*
 * Fills in the rows of @l's ports from @t, in the order of the ports. @ret has space for all of
 * them.
 */
void iostat_rows(const struct stat_table *t, const struct root_port_list *l,
		 struct iostat_row *ret);
