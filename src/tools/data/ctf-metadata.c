/* SPDX-License-Identifier: MIT */
#include "tools/data/ctf-metadata.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "datafile/features.h"
#include "session/session.h"
#include "tracepoint/format.h"

static const struct {
	uint64_t bits; /* bits of the sample type, one of which is set */
	const char *declaration;
} sample_fields[N_CTF_SAMPLE_FIELDS] = {
	[CTF_SAMPLE_IP] = { PERF_SAMPLE_IP, "x64 perf_ip" },
	[CTF_SAMPLE_TID] = { PERF_SAMPLE_TID, "i32 perf_tid; i32 perf_pid" },
	[CTF_SAMPLE_ID] = { PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER, "u64 perf_id" },
	[CTF_SAMPLE_STREAM_ID] = { PERF_SAMPLE_STREAM_ID, "u64 perf_stream_id" },
	[CTF_SAMPLE_PERIOD] = { PERF_SAMPLE_PERIOD, "u64 perf_period" },
	[CTF_SAMPLE_WEIGHT] = { PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, "u64 perf_weight" },
	[CTF_SAMPLE_DATA_SRC] = { PERF_SAMPLE_DATA_SRC, "u64 perf_data_src" },
	[CTF_SAMPLE_TRANSACTION] = { PERF_SAMPLE_TRANSACTION, "u64 perf_transaction" },
	[CTF_SAMPLE_CALLCHAIN] = { PERF_SAMPLE_CALLCHAIN,
				   "u32 perf_callchain_size;"
				   " x64 perf_callchain[perf_callchain_size]" },
};

static const struct {
	const char *name, *fields;
} records[N_CTF_RECORDS] = {
	[CTF_COMM] = { "perf_comm", "u32 pid; u32 tid; string comm" },
	[CTF_EXIT] = { "perf_exit", "u32 pid; u32 ppid; u32 tid; u32 ptid; u64 time" },
	[CTF_FORK] = { "perf_fork", "u32 pid; u32 ppid; u32 tid; u32 ptid; u64 time" },
	[CTF_MMAP] = { "perf_mmap", "u32 pid; u32 tid; x64 start; string filename" },
	[CTF_MMAP2] = { "perf_mmap2", "u32 pid; u32 tid; x64 start; string filename" },
};

bool ctf_sample_has(const struct session_event *e, enum ctf_sample_field f)
{
	return e->attr.sample_type & sample_fields[f].bits;
}

/* Returns the number in the brackets of "unsigned long args[6]"; 0: there is none. */
static uint32_t declared_count(const struct tracepoint_field *f)
{
	const char *bracket = strchr(f->declaration, '[');
	unsigned long n = bracket ? strtoul(bracket + 1, NULL, 0) : 0;

	return n <= f->size ? (uint32_t)n : 0;
}

static bool is_number_size(uint32_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/*
 * Lays out an array. Its elements are numbers; if its size is not a multiple of theirs, it is
 * bytes.
 */
static void lay_out_array(struct ctf_field *c, const struct tracepoint_field *f)
{
	c->count = declared_count(f);
	c->bytes = c->count && f->size % c->count == 0 ? f->size / c->count : 0;
	if (is_number_size(c->bytes))
		return;
	c->count = f->size;
	c->bytes = 1;
	c->is_signed = false;
}

/* True for addresses, and for words that the kernel declares without a meaning. */
static bool is_hexadecimal(const struct tracepoint_field *f)
{
	return f->is_pointer || (!f->is_signed && strstr(f->type, "long")) ||
	       !strncmp(f->type, "pgoff_t", 7);
}

static struct ctf_field ctf_metadata_lay_out(const struct tracepoint_field *f, bool swap)
{
	struct ctf_field c = { .ref = field_ref_of(f, swap),
			       .is_signed = f->is_signed && !f->is_pointer,
			       .is_hex = is_hexadecimal(f) };

	switch ((enum field_kind)c.ref.kind) {
	case FIELD_NUMBER:
		c.bytes = c.ref.size;
		break;
	case FIELD_BYTES:
		c.kind = f->is_string ? CTF_STRING : CTF_NUMBERS;
		lay_out_array(&c, f);
		break;
	default:
		c.kind = f->is_string ? CTF_STRING : CTF_BYTES;
	}
	c.is_wide = c.bytes == 8;
	return c;
}

/*
 * At most this many bytes of a record may be arrays of fixed length, which take the same space in a
 * record that ends earlier. Further arrays have their actual length.
 */
#define ARRAYS_MAX 1024

struct ctf_field *ctf_fields_of(const struct session_event *e, bool swap, size_t *ret_n)
{
	size_t n = e->format ? e->format->n_fields : 0;
	struct ctf_field *fields = xcalloc(n ? n : 1, sizeof(*fields));
	uint64_t in_arrays = 0;

	for (size_t i = 0; i < n; i++) {
		fields[i] = ctf_metadata_lay_out(&e->format->fields[i], swap);
		if (fields[i].kind != CTF_NUMBERS)
			continue;
		if (in_arrays + fields[i].ref.size > ARRAYS_MAX)
			fields[i].kind = CTF_BYTES;
		else
			in_arrays += fields[i].ref.size;
	}
	*ret_n = n;
	return fields;
}

/* Appends a text in quotes; characters that have a meaning in TSDL are escaped, in octal. */
static void ctf_metadata_add_quoted(struct text *out, const char *s)
{
	text_add_char(out, '"');
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\' || c < ' ' || c >= 0x7f)
			text_addf(out, "\\%03o", c);
		else
			text_add_char(out, *s);
	}
	text_add_char(out, '"');
}

static bool is_keyword(const char *name)
{
	static const char *const words[] = {
		"align",   "callsite", "char",    "clock",   "const",  "double",   "enum",
		"env",     "event",    "float",   "integer", "int",    "long",     "floating_point",
		"short",   "signed",   "stream",  "string",  "struct", "trace",    "typealias",
		"typedef", "unsigned", "variant", "void",    "_Bool",  "_Complex", "u8",
		"u32",     "u64",      "i32",     "i64",     "x32",    "x64",      "_Imaginary",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(name, words[i]))
			return true;
	return false;
}

static char identifier_char(char c)
{
	return isalnum((unsigned char)c) ? c : '_';
}

static bool is_same_identifier(const char *a, const char *b)
{
	while (*a && identifier_char(*a) == identifier_char(*b)) {
		a++;
		b++;
	}
	return !*a && !*b;
}

/* True if an earlier field of @e has the same name. */
static bool ctf_metadata_is_repeated(const struct session_event *e, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (is_same_identifier(e->format->fields[k].name, e->format->fields[i].name))
			return true;
	return false;
}

/* Appends a name. Readers remove an underscore at its beginning. */
static void ctf_metadata_add_name(struct text *out, const struct session_event *e, size_t i)
{
	const char *name = e->format->fields[i].name;

	if (is_keyword(name) || !(isalpha((unsigned char)*name) || *name == '_') ||
	    !strncmp(name, "perf_", 5))
		text_add_char(out, '_');
	for (; *name; name++)
		text_add_char(out, identifier_char(*name));
	if (ctf_metadata_is_repeated(e, i))
		text_addf(out, "_%zu", i);
}

static void ctf_metadata_add_field(struct text *out, const struct session_event *e, size_t i,
				   const struct ctf_field *c)
{
	text_add(out, "\t\t");
	switch (c->kind) {
	case CTF_STRING:
		text_add(out, "string ");
		break;
	case CTF_BYTES:
		text_add(out, "u32 ");
		ctf_metadata_add_name(out, e, i);
		text_add(out, "_size; u8 ");
		break;
	default:
		text_addf(out, "%c%u ",
			  c->is_hex      ? 'x'
			  : c->is_signed ? 'i'
					 : 'u',
			  c->is_wide ? 64 : 32);
	}
	ctf_metadata_add_name(out, e, i);
	if (c->kind == CTF_NUMBERS)
		text_addf(out, "[%" PRIu32 "]", c->count);
	if (c->kind == CTF_BYTES) {
		text_add_char(out, '[');
		ctf_metadata_add_name(out, e, i);
		text_add(out, "_size]");
	}
	text_add(out, ";\n");
}

static void ctf_metadata_begin_event(struct text *out, uint32_t id, const char *name)
{
	text_addf(out, "\nevent {\n\tid = %" PRIu32 ";\n\tname = ", id);
	ctf_metadata_add_quoted(out, name);
	text_add(out, ";\n\tstream_id = 0;\n\tfields := struct {\n");
}

static void ctf_metadata_end_event(struct text *out)
{
	text_add(out, "\t};\n};\n");
}

void ctf_add_event(struct text *out, uint32_t id, const struct session_event *e)
{
	size_t n;
	_cleanup_(freep) struct ctf_field *fields = ctf_fields_of(e, false, &n);

	ctf_metadata_begin_event(out, id, e->name);
	for (int i = 0; i < N_CTF_SAMPLE_FIELDS; i++)
		if (ctf_sample_has(e, (enum ctf_sample_field)i))
			text_addf(out, "\t\t%s;\n", sample_fields[i].declaration);
	for (size_t i = 0; i < n; i++)
		ctf_metadata_add_field(out, e, i, &fields[i]);
	ctf_metadata_end_event(out);
}

void ctf_add_record(struct text *out, uint32_t id, enum ctf_record r)
{
	ctf_metadata_begin_event(out, id, records[r].name);
	text_addf(out, "\t\t%s;\n", records[r].fields);
	ctf_metadata_end_event(out);
}

static void add_uuid(struct text *out, const uint8_t uuid[CTF_UUID_BYTES])
{
	text_add(out, "\tuuid = \"");
	for (unsigned i = 0; i < CTF_UUID_BYTES; i++)
		text_addf(out, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", uuid[i]);
	text_add(out, "\";\n");
}

static void ctf_metadata_add_types(struct text *out)
{
	static const struct {
		const char *name, *sign;
		unsigned bits, base;
	} types[] = {
		{ "u8", "false", 8, 10 },   { "u32", "false", 32, 10 }, { "u64", "false", 64, 10 },
		{ "i32", "true", 32, 10 },  { "i64", "true", 64, 10 },  { "x32", "false", 32, 16 },
		{ "x64", "false", 64, 16 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		text_addf(out,
			  "typealias integer { size = %u; align = 8; signed = %s; base = %u; }"
			  " := %s;\n",
			  types[i].bits, types[i].sign, types[i].base, types[i].name);
}

static void ctf_metadata_add_fact(struct text *out, const char *name, const char *value)
{
	if (!value)
		return;
	text_addf(out, "\t%s = ", name);
	ctf_metadata_add_quoted(out, value);
	text_add(out, ";\n");
}

static void add_environment(struct text *out, const struct features *f)
{
	text_add(out, "\nenv {\n");
	ctf_metadata_add_fact(out, "host", f->hostname);
	ctf_metadata_add_fact(out, "sysname", "Linux");
	ctf_metadata_add_fact(out, "release", f->os_release);
	ctf_metadata_add_fact(out, "version", f->version);
	ctf_metadata_add_fact(out, "machine", f->arch);
	ctf_metadata_add_fact(out, "domain", "kernel");
	ctf_metadata_add_fact(out, "tracer_name", "perf");
	text_add(out, "};\n");
}

static void ctf_metadata_add_clock(struct text *out, const struct ctf_trace *t)
{
	text_add(out, "\nclock {\n\tname = perf_clock;\n");
	add_uuid(out, t->clock_uuid);
	text_addf(out,
		  "\tdescription = \"perf clock\";\n\tfreq = 1000000000;\n\toffset = %" PRId64
		  ";\n};\n\n"
		  "typealias integer { size = 64; align = 8; signed = false;"
		  " map = clock.perf_clock.value; } := perf_time;\n",
		  t->clock_offset_ns);
}

void ctf_add_trace(struct text *out, const struct ctf_trace *t)
{
	bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

	text_add(out, "/* CTF 1.8 */\n\n");
	ctf_metadata_add_types(out);
	text_add(out, "\ntrace {\n\tmajor = 1;\n\tminor = 8;\n");
	add_uuid(out, t->uuid);
	text_addf(out,
		  "\tbyte_order = %s;\n"
		  "\tpacket.header := struct { u32 magic; u8 uuid[16]; u32 stream_id; };\n};\n",
		  is_little ? "le" : "be");
	add_environment(out, t->features);
	ctf_metadata_add_clock(out, t);
	text_add(
		out,
		"\nstream {\n\tid = 0;\n"
		"\tevent.header := struct { u32 id; perf_time timestamp; };\n"
		"\tpacket.context := struct { perf_time timestamp_begin; perf_time timestamp_end;\n"
		"\t\tu64 content_size; u64 packet_size; u64 events_discarded; u32 cpu_id; };\n"
		"};\n");
}
