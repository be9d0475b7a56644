/* SPDX-License-Identifier: MIT */
/*
 * Addresses of sockets, and messages.
 */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "tools/trace/value-out-view.h"

/* Writes a number in network byte order. */
static void trace_value_socket_port(struct value_out *o, const char *name, uint16_t v)
{
	out_member(o, name);
	out_unsigned(o, ntohs(v));
}

static void trace_value_socket_number(struct value_out *o, const char *name, uint64_t v)
{
	out_member(o, name);
	out_unsigned(o, v);
}

static void trace_value_socket_address(struct value_out *o, int family, const void *addr)
{
	char s[INET6_ADDRSTRLEN] = "";

	inet_ntop(family, addr, s, sizeof(s));
	out_member(o, "addr");
	out_plain(o, s);
}

static void trace_value_socket_inet(struct value_out *o, const uint8_t *bytes)
{
	struct sockaddr_in a;

	memcpy(&a, bytes, sizeof(a));
	trace_value_socket_port(o, "port", a.sin_port);
	trace_value_socket_address(o, AF_INET, &a.sin_addr);
}

static void trace_value_socket_inet6(struct value_out *o, const uint8_t *bytes)
{
	struct sockaddr_in6 a;

	memcpy(&a, bytes, sizeof(a));
	trace_value_socket_port(o, "port", a.sin6_port);
	trace_value_socket_address(o, AF_INET6, &a.sin6_addr);
	if (a.sin6_flowinfo || o->style->shows_all)
		trace_value_socket_number(o, "flowinfo", ntohl(a.sin6_flowinfo));
	if (a.sin6_scope_id || o->style->shows_all)
		trace_value_socket_number(o, "scope_id", a.sin6_scope_id);
}

/*
 * Writes a local address. A name that begins with NUL is not a path (unix(7)): it is shown with @,
 * as in /proc/net/unix.
 */
static void trace_value_socket_local(struct value_out *o, const uint8_t *bytes, size_t n)
{
	char name[sizeof(struct sockaddr_un)];
	size_t length;

	n = n < sizeof(name) ? n : sizeof(name);
	memcpy(name, bytes, n);
	length = n && !name[0] ? n : strnlen(name, n);
	if (length && !name[0])
		name[0] = '@';
	out_member(o, "path");
	out_string(o, name, length, false);
}

static void trace_value_socket_netlink(struct value_out *o, const uint8_t *bytes)
{
	struct sockaddr_nl a;

	memcpy(&a, bytes, sizeof(a));
	trace_value_socket_number(o, "pid", a.nl_pid);
	out_member(o, "groups");
	out_hex(o, a.nl_groups);
}

static void trace_value_socket_packet(struct value_out *o, const uint8_t *bytes)
{
	struct sockaddr_ll a;

	memcpy(&a, bytes, sizeof(a));
	out_member(o, "protocol");
	out_hex(o, ntohs(a.sll_protocol));
	out_member(o, "ifindex");
	out_signed(o, a.sll_ifindex);
}

static void trace_value_socket_vsock(struct value_out *o, const uint8_t *bytes)
{
	struct sockaddr_vm a;

	memcpy(&a, bytes, sizeof(a));
	trace_value_socket_number(o, "cid", a.svm_cid);
	trace_value_socket_number(o, "port", a.svm_port);
}

static void trace_value_socket_other(struct value_out *o, const uint8_t *bytes, size_t n)
{
	out_member(o, "data");
	out_string(o, bytes, n, false);
}

static const struct {
	int family;
	size_t size;
	void (*write)(struct value_out *o, const uint8_t *bytes);
} families[] = {
	{ AF_INET, sizeof(struct sockaddr_in), trace_value_socket_inet },
	{ AF_INET6, sizeof(struct sockaddr_in6), trace_value_socket_inet6 },
	{ AF_NETLINK, sizeof(struct sockaddr_nl), trace_value_socket_netlink },
	{ AF_PACKET, sizeof(struct sockaddr_ll), trace_value_socket_packet },
	{ AF_VSOCK, sizeof(struct sockaddr_vm), trace_value_socket_vsock },
};

static void by_family(struct value_out *o, uint64_t family, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (family == (uint64_t)families[i].family && n >= families[i].size) {
			families[i].write(o, bytes);
			return;
		}
	if (family == AF_UNIX)
		trace_value_socket_local(o, bytes + sizeof(sa_family_t), n - sizeof(sa_family_t));
	else if (n > sizeof(sa_family_t))
		trace_value_socket_other(o, bytes + sizeof(sa_family_t), n - sizeof(sa_family_t));
}

void out_sockaddr(struct value_out *o, const uint8_t *bytes, size_t n)
{
	struct value_word family = { .value = value_load(bytes, n < 2 ? (unsigned)n : 2),
				     .kind = ARG_ENUM,
				     .bytes = 2 };

	out_struct_begin(o);
	if (n >= sizeof(sa_family_t)) {
		out_member(o, "family");
		out_enum(o, value_table_find(o->abi, "socket_families"), &family);
		by_family(o, family.value, bytes, n);
	}
	out_struct_end(o, n < sizeof(sa_family_t));
}
