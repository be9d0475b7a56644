/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "trace-values.h"

static void assert_address(const void *bytes, size_t n, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct made_call m;

	MADE(&m, "connect", 3, 0x1000, n);
	points_to(&m, 1, 0, bytes, n, 0);
	trace_arg_text(&t, &m.call, 1, &named);
	assert_string_equal(t.chars, expected);
}

static void addresses_of_the_internet(void **state)
{
	(void)state;
	struct sockaddr_in in = { .sin_family = AF_INET,
				  .sin_port = htons(80),
				  .sin_addr.s_addr = htonl(0x7f000001) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6,
				    .sin6_port = htons(9),
				    .sin6_addr = IN6ADDR_LOOPBACK_INIT };

	assert_address(&in, sizeof(in), "{ .family: INET, .port: 80, .addr: 127.0.0.1 }");
	assert_address(&in6, sizeof(in6), "{ .family: INET6, .port: 9, .addr: ::1 }");
	in6.sin6_scope_id = 2;
	assert_address(&in6, sizeof(in6), "{ .family: INET6, .port: 9, .addr: ::1, .scope_id: 2 }");
}

static void local_addresses_are_paths_or_abstract_names(void **state)
{
	(void)state;
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/run/x" };

	assert_address(&un, sizeof(un), "{ .family: UNIX, .path: \"/run/x\" }");
	assert_address(&un, 2, "{ .family: UNIX, .path: \"\" }");
	memcpy(un.sun_path, "\0a\0b\033", 5);
	assert_address(&un, 7, "{ .family: UNIX, .path: \"@a\\0b\\x1b\" }");
}

static void addresses_of_other_families(void **state)
{
	(void)state;
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK, .nl_pid = 7, .nl_groups = 0x11 };
	struct sockaddr_ll ll = { .sll_family = AF_PACKET,
				  .sll_protocol = htons(3),
				  .sll_ifindex = 2 };
	struct sockaddr_vm vm = { .svm_family = AF_VSOCK, .svm_cid = 2, .svm_port = 1024 };

	assert_address(&nl, sizeof(nl), "{ .family: NETLINK, .pid: 7, .groups: 0x11 }");
	assert_address(&ll, sizeof(ll), "{ .family: PACKET, .protocol: 0x3, .ifindex: 2 }");
	assert_address(&vm, sizeof(vm), "{ .family: VSOCK, .cid: 2, .port: 1024 }");
	assert_address("\xee\0ab", 4, "{ .family: 238, .data: \"ab\" }");
}

static void short_addresses_do_not_harm(void **state)
{
	(void)state;
	assert_address("\2\0\0\120", 4, "{ .family: INET, .data: \"\\0P\" }");
	assert_address("\2", 1, "{ ... }");
	assert_address("", 0, "{ ... }");
}

static void json_has_the_same_members(void **state)
{
	(void)state;
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(80) };
	struct made_call m;

	MADE(&m, "bind", 3, 0x1000, sizeof(in));
	points_to(&m, 1, 0, &in, sizeof(in), 0);
	assert_args_json(&m,
			 "{\"args\": {\"fd\": {\"fd\": 3}, \"umyaddr\": {\"family\": \"AF_INET\", "
			 "\"port\": 80, \"addr\": \"0.0.0.0\"}, \"addrlen\": 16}}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_of_the_internet),
		cmocka_unit_test(local_addresses_are_paths_or_abstract_names),
		cmocka_unit_test(addresses_of_other_families),
		cmocka_unit_test(short_addresses_do_not_harm),
		cmocka_unit_test(json_has_the_same_members),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
