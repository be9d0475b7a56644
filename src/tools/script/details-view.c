/* SPDX-License-Identifier: MIT */
#include "tools/script/writer-view.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "arch/registers.h"
#include "wire/data-source.h"

void script_write_regs(struct script_writer *p, const struct sample_regs *r)
{
	size_t n = 0;

	if (!r->abi)
		return;
	text_addf(&p->out, " ABI:%" PRIu64 " ", r->abi);
	for (uint64_t left = r->mask; left; left &= left - 1) {
		unsigned reg = (unsigned)__builtin_ctzll(left);
		const char *name = arch_register_name(p->setup->arch, reg);

		text_addf(&p->out, "%5s:0x%" PRIx64 " ", name ? name : "unknown",
			  words_get(&r->values, n++));
	}
}

/* Writes in a column as wide as its widest text so far. */
void script_write_data_source(struct script_writer *p, uint64_t data_src)
{
	size_t from;

	text_addf(&p->out, "%16" PRIx64 " ", data_src);
	from = p->out.length;
	data_source_text(&p->out, data_src);
	if (p->out.length - from > p->data_source_width)
		p->data_source_width = p->out.length - from;
	text_pad(&p->out, from, p->data_source_width, 0, ' ');
}

void script_write_page_size(struct script_writer *p, uint64_t size)
{
	static const char units[] = "BKMGTPE";
	size_t unit = 0;

	if (!size) {
		text_add(&p->out, " N/A");
		return;
	}
	for (; size > 1024; size /= 1024)
		unit++;
	text_addf(&p->out, " %" PRIu64 "%c", size, units[unit]);
}

#define ROW 8

static void bpf_row(struct script_writer *p, const uint8_t *raw, size_t size, size_t from)
{
	text_addf(&p->out, "%17s %04zx: ", from ? "" : "BPF output:", from);
	for (size_t i = from; i < from + ROW; i++)
		if (i < size)
			text_addf(&p->out, "%02x ", raw[i]);
		else
			text_add(&p->out, "   ");
	text_add_char(&p->out, ' ');
	for (size_t i = from; i < from + ROW; i++)
		text_add_char(&p->out,
			      i < size ? (isascii(raw[i]) && isprint(raw[i]) ? (char)raw[i] : '.')
				       : ' ');
	text_add_char(&p->out, '\n');
}

/*
 * Returns the length of the text. The bytes are a text if they are printable up to at least one NUL
 * at their end.
 */
static size_t string_length(const uint8_t *raw, size_t size)
{
	size_t n = 0;

	while (n < size && isascii(raw[n]) && (isprint(raw[n]) || isspace(raw[n])))
		n++;
	for (size_t i = n; i < size; i++)
		if (raw[i])
			return 0;
	return n < size ? n : 0;
}

void script_write_bpf_output(struct script_writer *p, const uint8_t *raw, size_t size)
{
	size_t n = string_length(raw, size);

	text_add_char(&p->out, '\n');
	for (size_t from = 0; from < size; from += ROW)
		bpf_row(p, raw, size, from);
	if (n)
		text_addf(&p->out, "%17s \"%.*s\"\n", "BPF string:", (int)n, (const char *)raw);
}
