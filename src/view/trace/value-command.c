/* SPDX-License-Identifier: MIT */
/*
 * Arguments whose meaning depends on another one: on the command of fcntl() and prctl(), on the
 * family and level of sockets; and the commands of ioctl().
 */
#include <fcntl.h>
#include <linux/ioctl.h>
#include <linux/prctl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "base/digits.h"
#include "view/trace/value-out.h"

static void flags_called(struct value_out *o, const char *table, uint64_t v)
{
	out_flags(o, value_table_find(o->abi, table), v);
}

static void enum_called(struct value_out *o, const char *table, uint64_t v)
{
	struct value_word w = { .value = (uint32_t)v, .bytes = 4 };

	out_enum(o, value_table_find(o->abi, table), &w);
}

static void word_of(struct value_out *o, enum arg_kind kind, uint64_t v)
{
	out_word(o, &(struct value_word){ .value = v, .kind = kind, .bytes = 4 });
}

void out_fcntl_arg(struct value_out *o, unsigned arg, uint64_t v)
{
	switch ((uint32_t)o->call->args[1]) {
	case F_SETFD:
		flags_called(o, "fd_flags", v);
		break;
	case F_SETFL:
		flags_called(o, "open_flags", v);
		break;
	case F_SETOWN:
		word_of(o, ARG_PID, v);
		break;
	case F_SETSIG:
		word_of(o, ARG_SIGNAL, v);
		break;
	case F_SETLEASE:
		enum_called(o, "lock_types", v);
		break;
	case F_ADD_SEALS:
		flags_called(o, "seals", v);
		break;
	case F_NOTIFY:
		flags_called(o, "dnotify_events", v);
		break;
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
	case F_SETPIPE_SZ:
		out_signed(o, (int32_t)v);
		break;
	default:
		if (!out_memory(o, arg, &o->call->desc->args[arg]))
			out_pointer(o, v);
	}
}

/* Pointers are not told apart from numbers by the kernel's own types, either. */
static void number_or_pointer(struct value_out *o, uint64_t v)
{
	if ((int64_t)v == (int32_t)v || v <= UINT32_MAX)
		out_signed(o, (int64_t)v);
	else
		out_hex(o, v);
}

void out_prctl_arg(struct value_out *o, unsigned arg, uint64_t v)
{
	uint32_t option = (uint32_t)o->call->args[0];
	const struct call_data *d = value_data(o, arg, 0);

	if (d && (option == PR_SET_NAME || option == PR_GET_NAME))
		out_string(o, d->bytes, strnlen((const char *)d->bytes, d->size), false);
	else if (arg == 1 && option == PR_SET_PDEATHSIG)
		word_of(o, ARG_SIGNAL, (uint32_t)v);
	else
		number_or_pointer(o, v);
}

static const struct value_table *protocols(const struct trace_call *c, const struct value_table *t)
{
	switch ((uint32_t)c->args[0]) {
	case AF_INET:
	case AF_INET6:
		return t;
	case AF_NETLINK:
		return value_table_find(c->abi, "netlink_protocols");
	}
	return NULL;
}

static const struct value_table *options(const struct trace_call *c, const struct value_table *t)
{
	static const struct {
		uint32_t level;
		const char *table;
	} levels[] = {
		{ IPPROTO_IP, "ip_options" },     { IPPROTO_TCP, "tcp_options" },
		{ IPPROTO_UDP, "udp_options" },   { IPPROTO_IPV6, "ipv6_options" },
		{ SOL_PACKET, "packet_options" }, { SOL_NETLINK, "netlink_options" },
	};

	if ((uint32_t)c->args[1] == SOL_SOCKET)
		return t;
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		if ((uint32_t)c->args[1] == levels[i].level)
			return value_table_find(c->abi, levels[i].table);
	return NULL;
}

const struct value_table *value_names(const struct trace_call *c, const struct value_table *t)
{
	if (!t || t->name[0] != 's')
		return t;
	if (!strcmp(t->name, "socket_protocols"))
		return protocols(c, t);
	if (!strcmp(t->name, "socket_options"))
		return options(c, t);
	return t;
}

static char *put_part(char *at, uint64_t v, unsigned width)
{
	at = mempcpy(at, ", 0x", 4);
	return digits_hex_right(at, v, width, '0');
}

/* A command that has no name: its direction, type, number, and the size of its argument. */
static void unnamed_ioctl(struct value_out *o, uint32_t v)
{
	static const char *const directions[] = { "NONE", "WRITE", "READ", "READ|WRITE" };
	char s[96] = "(", *at = stpcpy(s + 1, directions[_IOC_DIR(v)]);

	at = put_part(at, _IOC_TYPE(v), 2);
	at = put_part(at, _IOC_NR(v), 2);
	at = put_part(at, _IOC_SIZE(v), 1);
	stpcpy(at, ")");
	out_plain(o, s);
}

void out_ioctl_command(struct value_out *o, const struct value_word *w)
{
	const char *name = w->values ? value_table_name(w->values, (uint32_t)w->value) : NULL;

	if (name)
		out_name(o, w->values->prefix, name);
	else if (o->json)
		out_hex(o, (uint32_t)w->value);
	else
		unnamed_ioctl(o, (uint32_t)w->value);
}
