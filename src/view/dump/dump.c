/* SPDX-License-Identifier: MIT */
#include "view/dump/dump.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "view/dump/line.h"
#include "view/dump/trace-line.h"
#include "view/record-text.h"

#define BYTES_PER_ROW 16
#define NAME_PREFIX   "PERF_RECORD_"

/* These records are not handled here, and perf has always printed this. */
static void dump_unhandled(const struct dump_line *l)
{
	fputs(": unhandled!\n", l->out);
}

/* True if the record is skipped: `script` prints these itself, and a report does not need them. */
static bool dump_is_passed_over(const struct dump *d, uint32_t type)
{
	switch (type) {
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
	case PERF_RECORD_THREAD_MAP:
	case PERF_RECORD_CPU_MAP:
	case PERF_RECORD_STAT_CONFIG:
	case PERF_RECORD_STAT:
	case PERF_RECORD_STAT_ROUND:
		return d->for_report;
	default:
		return false;
	}
}

static void dump_round(const struct dump_line *l)
{
	fputs(l->dump->unsorted ? ": unhandled!\n" : "\n", l->out);
}

/* Prints the text of `script --show-*-events` after the name, which is printed already. */
static void dump_shown_line(const struct dump_line *l)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	size_t name = strlen(record_type_name(l->r.header.type));

	record_text(&t, &l->r);
	if (l->r.header.type == PERF_RECORD_NAMESPACES) /* several lines with only numbers */
		fputs(t.chars + name, l->out);
	else
		dump_text(l->out, t.chars + name);
	fputc('\n', l->out);
}

/* Linux's perf prints the record and then that it does not know it. */
static void dump_bpf_metadata(const struct dump_line *l)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	record_text_bpf_metadata(&t, &l->r);
	fputs(t.chars + strlen(record_type_name(l->r.header.type)), l->out);
	fputs("\n: unhandled!\n", l->out);
}

/* NULL: only the name is printed, without a newline. */
static dump_line_fn *const lines[PERF_RECORD_USER_MAX] = {
	[PERF_RECORD_MMAP] = dump_shown_line,
	[PERF_RECORD_LOST] = dump_lost,
	[PERF_RECORD_COMM] = dump_shown_line,
	[PERF_RECORD_EXIT] = dump_shown_line,
	[PERF_RECORD_FORK] = dump_shown_line,
	[PERF_RECORD_READ] = dump_read,
	[PERF_RECORD_MMAP2] = dump_shown_line,
	[PERF_RECORD_AUX] = dump_shown_line,
	[PERF_RECORD_ITRACE_START] = dump_shown_line,
	[PERF_RECORD_LOST_SAMPLES] = dump_lost_samples,
	[PERF_RECORD_SWITCH] = dump_shown_line,
	[PERF_RECORD_SWITCH_CPU_WIDE] = dump_shown_line,
	[PERF_RECORD_NAMESPACES] = dump_shown_line,
	[PERF_RECORD_KSYMBOL] = dump_shown_line,
	[PERF_RECORD_BPF_EVENT] = dump_shown_line,
	[PERF_RECORD_CGROUP] = dump_shown_line,
	[PERF_RECORD_TEXT_POKE] = dump_text_poke,
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = dump_hw_id,
	[PERF_RECORD_CALLCHAIN_DEFERRED] = dump_callchain_deferred,
	[PERF_RECORD_FINISHED_ROUND] = dump_round,
	[PERF_RECORD_ID_INDEX] = dump_id_index,
	[PERF_RECORD_AUXTRACE_INFO] = dump_auxtrace_info,
	[PERF_RECORD_AUXTRACE] = dump_auxtrace,
	[PERF_RECORD_AUXTRACE_ERROR] = dump_auxtrace_error,
	[PERF_RECORD_THREAD_MAP] = dump_thread_map,
	[PERF_RECORD_CPU_MAP] = dump_cpu_map,
	[PERF_RECORD_EVENT_UPDATE] = dump_event_update,
	[PERF_RECORD_TIME_CONV] = dump_time_conv,
	[PERF_RECORD_FINISHED_INIT] = dump_unhandled,
	[PERF_RECORD_BPF_METADATA] = dump_bpf_metadata,
};

void dump_init(struct dump *d, struct session *s)
{
	*d = (struct dump){ .session = s };
}

void dump_done(struct dump *d)
{
	coresight_dump_free(d->coresight);
}

void dump_text(FILE *out, const char *s)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	escape_terminal(&t, s, strlen(s));
	fputs(t.chars, out);
}

static void dump_look_at_events(struct dump *d, FILE *out)
{
	size_t n = session_event_count(d->session), before = d->n_events;

	for (; d->n_events < n; d->n_events++) {
		const struct attr *attr = &session_event(d->session, d->n_events)->attr;

		d->sample_types |= attr->sample_type;
		if (d->n_events == 0)
			d->has_trailers = attr->sample_id_all;
	}
	if (n && !before && !d->has_trailers && !session_is_stream(d->session))
		fputs("WARNING: No sample_id_all support, falling back to unordered processing\n",
		      out);
}

/*
 * Returns the offset of a record. In a stream it is counted from the first record, since there is
 * no other reference.
 */
static uint64_t dump_offset_of(const struct dump *d, const struct delivered *rec)
{
	if (!session_is_stream(d->session))
		return rec->raw.offset;
	return rec->raw.offset - datafile_facts(session_datafile(d->session))->header_size;
}

static void print_file_name(const struct dump *d, const struct delivered *rec, FILE *out)
{
	if (session_is_stream(d->session)) {
		fputs("pipe", out);
		return;
	}
	dump_text(out, session_path(d->session));
	if (rec->raw.part)
		fprintf(out, "/data.%u", rec->raw.part - 1);
	else if (features_have(session_features(d->session), FEATURE_DIR_FORMAT))
		fputs("/data", out);
}

/* Most of a dump is printed here, so printf() is not used. */
static void dump_print_row(const uint8_t *bytes, size_t at, size_t n, FILE *out)
{
	static const char digits[] = "0123456789abcdef";
	char row[16 + BYTES_PER_ROW * 4];
	char *p = stpcpy(row, ".  ");

	for (int shift = 12; shift >= 0; shift -= 4)
		*p++ = digits[at >> shift & 15];
	p = stpcpy(p, ": ");
	for (size_t i = 0; i < BYTES_PER_ROW; i++) {
		*p++ = ' ';
		*p++ = i < n ? digits[bytes[at + i] >> 4] : ' ';
		*p++ = i < n ? digits[bytes[at + i] & 15] : ' ';
	}
	p = stpcpy(p, "  ");
	for (size_t i = 0; i < BYTES_PER_ROW; i++) {
		uint8_t c = i < n ? bytes[at + i] : ' ';

		*p++ = c >= 0x20 && c < 0x7f ? (char)c : '.';
	}
	*p++ = '\n';
	fwrite(row, 1, (size_t)(p - row), out);
}

static void print_bytes(const struct dump *d, const struct delivered *rec, FILE *out)
{
	size_t size = rec->raw.header.size;

	fprintf(out, "\n%#" PRIx64 "@", dump_offset_of(d, rec));
	print_file_name(d, rec, out);
	fprintf(out, " [%#zx]: event: %" PRIu32 "\n.\n. ... raw event: size %zu bytes\n", size,
		rec->raw.header.type, size);
	for (size_t at = 0; at < size; at += BYTES_PER_ROW)
		dump_print_row(rec->raw.bytes, at,
			       size - at < BYTES_PER_ROW ? size - at : BYTES_PER_ROW, out);
	fputc('\n', out);
}

/*
 * Prints the CPU and the time, if any event has them; both are -1 if records do not contain them.
 */
static void print_moment(const struct dump *d, const struct delivered *rec, uint32_t cpu,
			 uint64_t time, FILE *out)
{
	if (!d->has_trailers && rec->raw.header.type != PERF_RECORD_SAMPLE) {
		fputs("-1 -1 ", out);
		return;
	}
	if (d->sample_types & PERF_SAMPLE_CPU)
		fprintf(out, "%" PRIu32 " ", cpu);
	if (d->sample_types & PERF_SAMPLE_TIME)
		fprintf(out, "%" PRIu64 " ", time);
}

static void dump_print_name(const struct delivered *rec, FILE *out)
{
	const char *name = record_type_name(rec->raw.header.type);

	if (!name) {
		fputs(NAME_PREFIX "UNKNOWN\n", out);
		return;
	}
	name += strlen(NAME_PREFIX);
	fprintf(out, NAME_PREFIX "%s", strncmp(name, "HEADER_", 7) ? name : name + 7);
}

static void print_place(const struct dump *d, const struct delivered *rec, FILE *out)
{
	fprintf(out, "%#" PRIx64 " [%#x]: ", dump_offset_of(d, rec), rec->raw.header.size);
	dump_print_name(rec, out);
}

static void dump_print_sample(struct dump_line *l)
{
	const struct session_event *e = l->rec->event;
	struct sample s;

	if (!e || session_decode_sample(l->dump->session, l->rec, &s) < 0) {
		print_moment(l->dump, l->rec, UINT32_MAX, l->rec->time, l->out);
		print_place(l->dump, l->rec, l->out);
		fputs(e ? ": malformed\n" : ": of an event that the file does not describe\n",
		      l->out);
		return;
	}
	print_moment(l->dump, l->rec, e->attr.sample_type & PERF_SAMPLE_CPU ? s.cpu : UINT32_MAX,
		     e->attr.sample_type & PERF_SAMPLE_TIME ? s.time : UINT64_MAX, l->out);
	print_place(l->dump, l->rec, l->out);
	dump_sample(l->dump, e, l->rec->raw.bytes, &s, l->out);
}

static void dump_print_record(struct dump_line *l, uint32_t *ret_trace_type)
{
	const struct delivered *rec = l->rec;
	const struct attr *attr = rec->event ? &rec->event->attr : NULL;
	uint32_t type = rec->raw.header.type;
	int r = session_decode_record(l->dump->session, rec, &l->r);
	uint64_t time = r < 0 ? 0 : l->r.id.time;

	if (attr && !(attr->sample_type & PERF_SAMPLE_TIME))
		time = UINT64_MAX;
	print_moment(l->dump, rec, r < 0 ? 0 : l->r.id.cpu, time, l->out);
	print_place(l->dump, rec, l->out);
	if (r < 0)
		fputs(": malformed\n", l->out);
	else if (type < ARRAY_SIZE(lines) && lines[type])
		lines[type](l);
	if (r >= 0 && type == PERF_RECORD_AUXTRACE_INFO)
		*ret_trace_type = l->r.auxtrace_info.type;
	if (r >= 0 && dump_is_passed_over(l->dump, type))
		dump_unhandled(l);
}

void dump_record(struct dump *d, const struct delivered *rec, FILE *out)
{
	struct dump_line l = { .dump = d, .rec = rec, .out = out };
	uint32_t type = rec->raw.header.type;

	if (type == PERF_RECORD_COMPRESSED || type == PERF_RECORD_COMPRESSED2)
		return;
	/* A record that describes an event is printed without knowledge of that event. */
	if (type != PERF_RECORD_HEADER_ATTR)
		dump_look_at_events(d, out);
	print_bytes(d, rec, out);
	if (type == PERF_RECORD_SAMPLE)
		dump_print_sample(&l);
	else
		dump_print_record(&l, &d->trace_type);
	dump_look_at_events(d, out);
}
