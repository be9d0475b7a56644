/* SPDX-License-Identifier: MIT */
/*
 * The commands of ioctl(), and the argument of ioctl(), fcntl() and prctl() if the tables do not
 * define it for a command.
 */
#include <linux/ioctl.h>
#include <string.h>

#include "base/digits.h"
#include "tools/trace/value-out-view.h"

/* Writes the argument. The kernel's own types do not distinguish pointers from numbers either. */
void out_command_arg(struct value_out *o, uint64_t v)
{
	if ((int64_t)v == (int32_t)v || v <= UINT32_MAX)
		out_signed(o, (int64_t)v);
	else
		out_hex(o, v);
}

static char *trace_value_command_put_part(char *at, uint64_t v, unsigned width)
{
	at = mempcpy(at, ", 0x", 4);
	return digits_hex_right(at, v, width, '0');
}

/* Writes a command without a name: its direction, type, number, and the size of its argument. */
static void unnamed_ioctl(struct value_out *o, uint32_t v)
{
	static const char *const directions[] = { "NONE", "WRITE", "READ", "READ|WRITE" };
	char s[96] = "(", *at = stpcpy(s + 1, directions[_IOC_DIR(v)]);

	at = trace_value_command_put_part(at, _IOC_TYPE(v), 2);
	at = trace_value_command_put_part(at, _IOC_NR(v), 2);
	at = trace_value_command_put_part(at, _IOC_SIZE(v), 1);
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
