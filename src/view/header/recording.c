/* SPDX-License-Identifier: MIT */
/*
 * Prints the recording: the user and the command, its events, clocks and times, and its other
 * contents.
 */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "view/attr-text.h"
#include "view/header/line.h"

#define NS_PER_S UINT64_C(1000000000)

void header_version(const struct features *f, FILE *out)
{
	fputs("# perf version : ", out);
	header_text(out, f->version);
	fputc('\n', out);
}

/*
 * Prints an argument. Only quotes are escaped, as always, so that the line can be used in a shell.
 */
static void print_argument(FILE *out, const char *s)
{
	for (const char *quote; (quote = strchr(s, '\'')); s = quote + 1) {
		_cleanup_(freep) char *before = strndup(s, (size_t)(quote - s));

		header_text(out, before);
		fputs("\\'", out);
	}
	header_text(out, s);
}

void header_cmdline(const struct features *f, FILE *out)
{
	fputs("# cmdline : ", out);
	for (size_t i = 0; i < f->cmdline.n; i++) {
		print_argument(out, f->cmdline.items[i]);
		fputc(' ', out);
	}
	fputc('\n', out);
}

void header_event_desc(const struct features *f, FILE *out)
{
	for (size_t i = 0; i < f->event_descs.n; i++) {
		const struct event_desc *e = &f->event_descs.items[i];

		fputs("# event : name = ", out);
		header_text(out, e->name);
		fputs(", , ", out);
		for (size_t k = 0; k < e->n_ids; k++)
			fprintf(out, "%s %" PRIu64, k ? "," : "id = {", e->ids[k]);
		fputs(e->n_ids ? " }, " : "", out);
		attr_print_with(&e->attr, " = ", out);
		fputc('\n', out);
	}
}

void header_branch_stack(const struct features *f, FILE *out)
{
	(void)f;
	fputs("# contains samples with branch stack\n", out);
}

/*
 * Prints groups, which refer to events by position. A group that extends beyond the last event is
 * omitted.
 */
void header_group_desc(const struct features *f, FILE *out)
{
	for (size_t i = 0; i < f->group_descs.n; i++) {
		const struct group_desc *g = &f->group_descs.items[i];
		size_t end = (size_t)g->leader_idx + g->nr_members;

		if (end > f->event_descs.n)
			continue;
		fputs("# group: ", out);
		if (strcmp(g->name, "{anon_group}") != 0)
			header_text(out, g->name);
		for (size_t k = g->leader_idx; k < end; k++) {
			fputc(k == g->leader_idx ? '{' : ',', out);
			header_text(out, f->event_descs.items[k].name);
		}
		fputs("}\n", out);
	}
}

void header_auxtrace(const struct features *f, FILE *out)
{
	(void)f;
	fputs("# contains AUX area data (e.g. instruction trace)\n", out);
}

void header_stat(const struct features *f, FILE *out)
{
	(void)f;
	fputs("# contains stat data\n", out);
}

static void print_microseconds(FILE *out, uint64_t ns)
{
	fprintf(out, "%" PRIu64 ".%06" PRIu64, ns / NS_PER_S, ns % NS_PER_S / 1000);
}

void header_sample_time(const struct features *f, FILE *out)
{
	uint64_t first = f->sample_time.first, last = f->sample_time.last;

	fputs("# time of first sample : ", out);
	print_microseconds(out, first);
	fputs("\n# time of last sample : ", out);
	print_microseconds(out, last);
	fprintf(out, "\n# sample duration : %10.3f ms\n", (double)(last - first) / 1e6);
}

void header_clockid(const struct features *f, FILE *out)
{
	fprintf(out, "# clockid frequency: %" PRIu64 " MHz\n", f->clockid_res_ns * 1000);
}

void header_dir_format(const struct features *f, FILE *out)
{
	fprintf(out, "# directory data version : %" PRIu64 "\n", f->dir_format);
}

void header_bpf_btf(const struct features *f, FILE *out)
{
	for (size_t i = 0; i < f->bpf_btfs.n; i++)
		fprintf(out, "# btf info of id %u\n", f->bpf_btfs.items[i].id);
}

void header_compressed(const struct features *f, FILE *out)
{
	fprintf(out, "# compressed : %s, level = %u, ratio = %u\n",
		f->compressed.type == 1 ? "Zstd" : "Unknown", f->compressed.level,
		f->compressed.ratio);
}

static const char *clock_name(uint32_t id)
{
	static const char *const names[] = {
		[CLOCK_REALTIME] = "realtime",
		[CLOCK_MONOTONIC] = "monotonic",
		[CLOCK_MONOTONIC_RAW] = "monotonic_raw",
		[CLOCK_BOOTTIME] = "boottime",
		[CLOCK_TAI] = "tai",
	};

	return id < ARRAY_SIZE(names) && names[id] ? names[id] : "(not found)";
}

void header_clock_data(const struct features *f, FILE *out)
{
	const char *name = clock_name(f->clock_data.clockid);
	uint64_t wall = f->clock_data.wall_clock_ns, ns = f->clock_data.clockid_ns;
	time_t seconds = (time_t)(wall / NS_PER_S);
	char date[32];
	struct tm tm;

	fprintf(out, "# clockid: %s (%u)\n", name, f->clock_data.clockid);
	if (!localtime_r(&seconds, &tm) || !strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm))
		return;
	fprintf(out, "# reference time: %s.%06" PRIu64 " = ", date, wall % NS_PER_S / 1000);
	print_microseconds(out, wall);
	fprintf(out, " (TOD) = %" PRIu64 ".%09" PRIu64 " (%s)\n", ns / NS_PER_S, ns % NS_PER_S,
		name);
}
