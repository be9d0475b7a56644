/* SPDX-License-Identifier: MIT */
/* Verifies the decoding of bytes and of texts, without the kernel. */
#include <string.h>

#include "base/bytes.h"
#include "base/cpu-list.h"
#include "session/time-window.h"
#include "tools/test/checks/checks.h"
#include "tools/test/checks/kit.h"
#include "wire/data-source.h"
#include "wire/sample.h"

static enum selftest_outcome test_data_source(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	/* A load that hit L1, no snoop, L1 or L2 TLB hit: perf_event.h's bits. */
	data_source_text(&out, 0x2 | 0xaULL << 5 | 0x2ULL << 19 | 0x2ULL << 24 | 0x1aULL << 26);
	fprintf(t->out, "%s\n", out.chars);
	EXPECT(t,
	       strstr(out.chars, "OP LOAD") && strstr(out.chars, "L1 hit") &&
		       strstr(out.chars, "TLB L1 or L2 hit"),
	       "a load that hit L1 is shown as '%s'", out.chars);
	return SELFTEST_OK;
}

const struct selftest check_data_source = {
	.name = "Test data source output",
	.why = "perf mem shows wrong levels of memory",
	.run = test_data_source,
};

static const uint64_t words[] = { 0x1111, 0x2222, 0x3333 };

static const struct sample full = { .misc = PERF_RECORD_MISC_USER,
				    .id = 101,
				    .ip = 0x401000,
				    .pid = 11,
				    .tid = 12,
				    .time = 123456789,
				    .addr = 0x5000,
				    .stream_id = 103,
				    .cpu = 3,
				    .period = 105,
				    .chain = { .bytes = (const uint8_t *)words, .n = 3 },
				    .raw = (const uint8_t *)words,
				    .raw_size = 20,
				    .branch_hw_index = UINT64_MAX,
				    .weight = 107,
				    .data_src = 108,
				    .transaction = 109,
				    .phys_addr = 110,
				    .cgroup = 111,
				    .data_page_size = 4096,
				    .code_page_size = 8192 };

#define SAME(bit, field)                                                                           \
	if ((attr->sample_type & (bit)) && s->field != full.field)                                 \
	return #field

/* Returns the first field that differs; NULL: none. */
static const char *check_decoding_difference(const struct attr *attr, const struct sample *s)
{
	SAME(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID, id);
	SAME(PERF_SAMPLE_IP, ip);
	SAME(PERF_SAMPLE_TID, pid);
	SAME(PERF_SAMPLE_TID, tid);
	SAME(PERF_SAMPLE_TIME, time);
	SAME(PERF_SAMPLE_ADDR, addr);
	SAME(PERF_SAMPLE_STREAM_ID, stream_id);
	SAME(PERF_SAMPLE_CPU, cpu);
	SAME(PERF_SAMPLE_PERIOD, period);
	SAME(PERF_SAMPLE_CALLCHAIN, chain.n);
	SAME(PERF_SAMPLE_RAW, raw_size);
	SAME(PERF_SAMPLE_WEIGHT, weight);
	SAME(PERF_SAMPLE_DATA_SRC, data_src);
	SAME(PERF_SAMPLE_TRANSACTION, transaction);
	SAME(PERF_SAMPLE_PHYS_ADDR, phys_addr);
	SAME(PERF_SAMPLE_CGROUP, cgroup);
	SAME(PERF_SAMPLE_DATA_PAGE_SIZE, data_page_size);
	SAME(PERF_SAMPLE_CODE_PAGE_SIZE, code_page_size);
	if ((attr->sample_type & PERF_SAMPLE_CALLCHAIN) && words_get(&s->chain, 2) != words[2])
		return "chain";
	return NULL;
}

static const uint64_t sample_bits[] = {
	PERF_SAMPLE_IDENTIFIER,
	PERF_SAMPLE_IP,
	PERF_SAMPLE_TID,
	PERF_SAMPLE_TIME,
	PERF_SAMPLE_ADDR,
	PERF_SAMPLE_ID,
	PERF_SAMPLE_STREAM_ID,
	PERF_SAMPLE_CPU,
	PERF_SAMPLE_PERIOD,
	PERF_SAMPLE_CALLCHAIN,
	PERF_SAMPLE_RAW,
	PERF_SAMPLE_WEIGHT,
	PERF_SAMPLE_DATA_SRC,
	PERF_SAMPLE_TRANSACTION,
	PERF_SAMPLE_PHYS_ADDR,
	PERF_SAMPLE_CGROUP,
	PERF_SAMPLE_DATA_PAGE_SIZE,
	PERF_SAMPLE_CODE_PAGE_SIZE,
};

static enum selftest_outcome both_ways(struct selftest_run *t, uint64_t sample_type)
{
	struct attr attr = { .sample_type = sample_type };
	_cleanup_(bytes_done) struct bytes bytes = { 0 };
	const char *different;
	struct sample s;

	EXPECT(t, sample_encode(&full, &attr, &bytes) >= 0, "sample_type %#llx cannot be written",
	       (unsigned long long)sample_type);
	EXPECT(t, sample_decode(bytes.data, bytes.n, false, &attr, &s) >= 0,
	       "sample_type %#llx cannot be read", (unsigned long long)sample_type);
	different = check_decoding_difference(&attr, &s);
	EXPECT(t, !different, "with sample_type %#llx the field %s comes out wrong",
	       (unsigned long long)sample_type, different);
	EXPECT(t, sample_decode(bytes.data, bytes.n - 8, false, &attr, &s) < 0,
	       "a sample that is cut is accepted");
	return SELFTEST_OK;
}

static enum selftest_outcome test_samples(struct selftest_run *t)
{
	uint64_t all = 0;

	for (size_t i = 0; i < ARRAY_SIZE(sample_bits); i++) {
		NEED(both_ways(t, sample_bits[i]));
		all |= sample_bits[i];
		NEED(both_ways(t, all));
	}
	return SELFTEST_OK;
}

const struct selftest check_samples = {
	.name = "Sample parsing",
	.why = "fields of samples are mixed up",
	.run = test_samples,
};

static enum selftest_outcome check_decoding_test_times(struct selftest_run *t)
{
	static const char *const wrong[] = { "x", "1,2,3", "5,1", "10%/", "-1,", NULL };
	_cleanup_(time_window_done) struct time_window w = { 0 };
	_cleanup_(time_window_done) struct time_window half = { 0 };
	size_t at;

	EXPECT(t, time_window_parse("1.5,2.25", &w, &at) >= 0, "--time 1.5,2.25 is refused");
	EXPECT(t, w.n == 1 && w.items[0].from_ns == 1500000000 && w.items[0].to_ns == 2250000000,
	       "--time 1.5,2.25 means something else");
	EXPECT(t, time_window_parse("50%-100%", &half, &at) >= 0 && half.relative,
	       "--time 50%%-100%% is refused");
	for (const char *const *s = wrong; *s; s++) {
		_cleanup_(time_window_done) struct time_window none = { 0 };

		EXPECT(t, time_window_parse(*s, &none, &at) < 0, "--time '%s' is accepted", *s);
	}
	return SELFTEST_OK;
}

const struct selftest check_time_utils = {
	.name = "time utils",
	.why = "--time shows the wrong part of a recording",
	.run = check_decoding_test_times,
};

static enum selftest_outcome test_cpu_texts(struct selftest_run *t)
{
	static const char *const texts[] = { "0", "0-3", "0-3,5", "1,3,5-127", NULL };

	for (const char *const *s = texts; *s; s++) {
		_cleanup_(cpu_list_done) struct cpu_list l = { 0 };
		_cleanup_(freep) char *text = NULL;

		EXPECT(t, cpu_list_parse(*s, &l) >= 0, "-C %s is refused", *s);
		text = cpu_list_format(&l);
		EXPECT(t, !strcmp(text, *s), "-C %s is shown as %s", *s, text);
	}
	return SELFTEST_OK;
}

static enum selftest_outcome test_wrong_cpus(struct selftest_run *t)
{
	static const char *const texts[] = { "x", "3-1", "1,,2", "99999999", "1-", NULL };

	for (const char *const *s = texts; *s; s++) {
		_cleanup_(cpu_list_done) struct cpu_list l = { 0 };

		EXPECT(t, cpu_list_parse(*s, &l) < 0, "-C %s is accepted", *s);
	}
	return SELFTEST_OK;
}

static const struct selftest_case cpu_cases[] = {
	{ "Print cpu map", test_cpu_texts },
	{ "Wrong cpu maps are refused", test_wrong_cpus },
	{ NULL, NULL },
};

const struct selftest check_cpu_map = {
	.name = "CPU map",
	.why = "-C measures other CPUs than those it names",
	.cases = cpu_cases,
};
