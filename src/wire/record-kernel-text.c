/* SPDX-License-Identifier: MIT */
/*
 * Kernel code that appears, disappears and changes (BPF programs, patched text), and late call
 * chains.
 */
#include "wire/record-codec.h"

#define BPF_TAG_SIZE 8

void record_take_ksymbol(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->ksymbol.addr = cursor_u64(c);
	r->ksymbol.len = cursor_u32(c);
	r->ksymbol.ksym_type = cursor_u16(c);
	r->ksymbol.flags = cursor_u16(c);
	r->ksymbol.name = cursor_string(c);
}

void record_put_ksymbol(const struct record *r, struct bytes *out)
{
	bytes_u64(out, r->ksymbol.addr);
	bytes_u32(out, r->ksymbol.len);
	bytes_u16(out, r->ksymbol.ksym_type);
	bytes_u16(out, r->ksymbol.flags);
	bytes_string(out, r->ksymbol.name, 8);
}

void record_take_bpf_event(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->bpf_event.type = cursor_u16(c);
	r->bpf_event.flags = cursor_u16(c);
	r->bpf_event.id = cursor_u32(c);
	r->bpf_event.tag = cursor_bytes(c, BPF_TAG_SIZE);
}

void record_put_bpf_event(const struct record *r, struct bytes *out)
{
	bytes_u16(out, r->bpf_event.type);
	bytes_u16(out, r->bpf_event.flags);
	bytes_u32(out, r->bpf_event.id);
	bytes_add(out, r->bpf_event.tag, BPF_TAG_SIZE);
}

void record_take_text_poke(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->text_poke.addr = cursor_u64(c);
	r->text_poke.old_len = cursor_u16(c);
	r->text_poke.new_len = cursor_u16(c);
	r->text_poke.old_bytes = cursor_bytes(c, r->text_poke.old_len);
	r->text_poke.new_bytes = cursor_bytes(c, r->text_poke.new_len);
}

void record_put_text_poke(const struct record *r, struct bytes *out)
{
	size_t start = out->n;

	bytes_u64(out, r->text_poke.addr);
	bytes_u16(out, r->text_poke.old_len);
	bytes_u16(out, r->text_poke.new_len);
	bytes_add(out, r->text_poke.old_bytes, r->text_poke.old_len);
	bytes_add(out, r->text_poke.new_bytes, r->text_poke.new_len);
	bytes_pad(out, start, 8);
}

void record_take_callchain_deferred(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->callchain_deferred.cookie = cursor_u64(c);
	r->callchain_deferred.ips = words_take(c, cursor_u64(c));
}

void record_put_callchain_deferred(const struct record *r, struct bytes *out)
{
	bytes_u64(out, r->callchain_deferred.cookie);
	bytes_u64(out, r->callchain_deferred.ips.n);
	words_put(&r->callchain_deferred.ips, out);
}
