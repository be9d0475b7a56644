/* SPDX-License-Identifier: MIT */
/* Decodes vectors of buffers, and messages that consist of them. */
#include "tools/trace/value-out-view.h"

#define ELEMENTS_MAX 64

static void io_buffer(struct value_out *o, unsigned arg, unsigned part, const uint8_t *bytes)
{
	unsigned size = value_long_bytes(o);
	const struct call_data *d = value_data(o, arg, part);
	uint64_t base = value_load(bytes, size), length = value_load(bytes + size, size);

	out_struct_begin(o);
	out_member(o, "iov_base");
	if (d)
		out_buffer(o, d->bytes, d->size, d->flags & CALL_DATA_MORE);
	else
		out_pointer(o, base);
	out_member(o, "iov_len");
	out_unsigned(o, length);
	out_struct_end(o, false);
}

void out_iovec(struct value_out *o, unsigned arg, unsigned part)
{
	const struct call_data *d = value_data(o, arg, part);
	size_t size = 2 * value_long_bytes(o), n = d ? d->size / size : 0, i;

	out_array_begin(o);
	for (i = 0; i < n && i < ELEMENTS_MAX; i++) {
		out_element(o);
		io_buffer(o, arg, part + 1 + (unsigned)i, d->bytes + i * size);
	}
	out_array_end(o, !d || i < n || d->size % size || d->flags & CALL_DATA_MORE);
}

/* The offsets of the members of struct msghdr, for longs of 4 and 8 bytes. */
struct msghdr_offsets {
	uint8_t name, name_length, iov, n_iov, control, control_length, flags, size;
};

static const struct msghdr_offsets *offsets_of(const struct value_out *o)
{
	static const struct msghdr_offsets of_32 = { 0, 4, 8, 12, 16, 20, 24, 28 };
	static const struct msghdr_offsets of_64 = { 0, 8, 16, 24, 32, 40, 48, 56 };

	return value_long_bytes(o) == 4 ? &of_32 : &of_64;
}

static void message_name(struct value_out *o, unsigned arg, const uint8_t *bytes)
{
	const struct msghdr_offsets *at = offsets_of(o);
	const struct call_data *name = value_data(o, arg, 1);
	uint64_t pointer = value_load(bytes + at->name, value_long_bytes(o));

	if (!pointer && !o->style->shows_all && !o->json)
		return;
	out_member(o, "msg_name");
	if (name && pointer)
		out_sockaddr(o, name->bytes, name->size);
	else
		out_pointer(o, pointer);
}

static void message_rest(struct value_out *o, const uint8_t *bytes, bool is_at_exit)
{
	const struct msghdr_offsets *at = offsets_of(o);
	uint64_t control = value_load(bytes + at->control_length, value_long_bytes(o));
	uint64_t flags = value_load(bytes + at->flags, 4);

	if (control || o->style->shows_all) {
		out_member(o, "msg_controllen");
		out_unsigned(o, control);
	}
	/* The kernel only writes the flags, and does not read them. */
	if (is_at_exit && (flags || o->style->shows_all)) {
		out_member(o, "msg_flags");
		out_flags(o, value_table_find(o->abi, "msg_flags"), flags);
	}
}

static void trace_value_message(struct value_out *o, unsigned arg, const uint8_t *bytes,
				bool is_at_exit)
{
	const struct msghdr_offsets *at = offsets_of(o);

	out_struct_begin(o);
	message_name(o, arg, bytes);
	out_member(o, "msg_iov");
	if (value_data(o, arg, 2))
		out_iovec(o, arg, 2);
	else
		out_pointer(o, value_load(bytes + at->iov, value_long_bytes(o)));
	message_rest(o, bytes, is_at_exit);
	out_struct_end(o, false);
}

void out_msghdr(struct value_out *o, unsigned arg, const struct call_data *d)
{
	if (d->size >= offsets_of(o)->size)
		trace_value_message(o, arg, d->bytes, d->flags & CALL_DATA_AT_EXIT);
	else
		out_pointer(o, o->call->args[arg]);
}

/* Writes a further message. Only the first message was copied with the data of its members. */
static void further_message(struct value_out *o, const uint8_t *bytes)
{
	out_struct_begin(o);
	out_member(o, "msg_iovlen");
	out_unsigned(o, value_load(bytes + offsets_of(o)->n_iov, value_long_bytes(o)));
	out_struct_end(o, false);
}

void out_mmsghdr(struct value_out *o, unsigned arg, const struct call_data *d)
{
	size_t header = offsets_of(o)->size, size = header + value_long_bytes(o);
	bool is_at_exit = d->flags & CALL_DATA_AT_EXIT;
	size_t n = d->size / size;

	out_array_begin(o);
	for (size_t i = 0; i < n; i++) {
		const uint8_t *bytes = d->bytes + i * size;

		out_element(o);
		out_struct_begin(o);
		out_member(o, "msg_hdr");
		if (!i)
			trace_value_message(o, arg, bytes, is_at_exit);
		else
			further_message(o, bytes);
		out_member(o, "msg_len");
		out_unsigned(o, value_load(bytes + header, 4));
		out_struct_end(o, false);
	}
	out_array_end(o, d->size % size || d->flags & CALL_DATA_MORE);
}
