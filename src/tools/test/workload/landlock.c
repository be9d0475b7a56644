/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/test/workload/workload.h"

/* The number of landlock_add_rule(2), which is the same on all machines. */
#ifndef SYS_landlock_add_rule
#define SYS_landlock_add_rule 444
#endif

/* The arguments are invalid, so that nothing is restricted. Scripts look for these values. */
#define RULESET_FD 11
#define PARENT_FD  14
#define FLAGS      45

#define RULE_PATH_BENEATH 1
#define RULE_NET_PORT     2

#define ACCESS_FS_READ_FILE    (1 << 2)
#define ACCESS_NET_CONNECT_TCP (1 << 1)

/* Copies of struct landlock_path_beneath_attr and landlock_net_port_attr of newer headers. */
struct path_rule {
	uint64_t allowed_access;
	int32_t parent_fd;
} __attribute__((packed));

struct port_rule {
	uint64_t allowed_access, port;
};

static int landlock(const double *numbers __attribute__((unused)))
{
	const struct path_rule path = { ACCESS_FS_READ_FILE, PARENT_FD };
	const struct port_rule port = { ACCESS_NET_CONNECT_TCP, 19 };

	syscall(SYS_landlock_add_rule, RULESET_FD, RULE_PATH_BENEATH, &path, FLAGS);
	syscall(SYS_landlock_add_rule, RULESET_FD, RULE_NET_PORT, &port, FLAGS);
	return 0;
}

const struct test_workload test_workload_landlock = {
	.name = "landlock",
	.summary = "two calls of landlock_add_rule(2), which fail",
	.run = landlock,
};
