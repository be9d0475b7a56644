/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A listing made by hand, of a function hot() in /tmp/made, with ten samples:
 *
 *	7e0: mov w3, w0
 *	a.c:3  <tab>loop:
 *	7e4: cbz w0, 7ec        7 samples
 *	7e8: bl 100 <other>     3 samples
 *	7ec: ret
 */
#include "arch/arch.h"
#include "base/text.h"
#include "profile/annotation.h"
#include "profile/listing.h"
#include "symbol/symbolizer.h"
#include "view/annotate/annotate.h"

struct example_listing {
	struct symbolizer *symbolizer;
	struct annotated_functions all;
	struct annotated_function function;
	struct listing listing;
	struct annotate_view view;
	struct listing_line lines[8];
};

static const struct symbol example_symbol = { .start = 0x7e0, .end = 0x7f0, .name = "hot" };
static const struct weight example_total[] = { { .period = 1000, .samples = 10 },
					       { .period = 4, .samples = 2 } };
static const struct weight example_all[] = { { .period = 2000, .samples = 40 },
					     { .period = 4, .samples = 2 } };
static const struct weight example_none[2],
	example_some[2] = { { .period = 600, .samples = 7 } },
	example_more[2] = { { .period = 400, .samples = 3 }, { .period = 4, .samples = 2 } };
static const uint8_t example_bytes[] = { 0xe3, 0x03, 0x00, 0x2a };

__attribute__((unused)) static struct listing_line example_code(uint64_t addr, const char *text,
								const struct weight *w)
{
	return (struct listing_line){
		.kind = LISTING_CODE,
		.addr = addr,
		.text = text,
		.length = strlen(text),
		.bytes = example_bytes,
		.n_bytes = 4,
		.lead = "",
		.comment = "",
		.weights = w,
	};
}

__attribute__((unused)) static void example_lines(struct example_listing *m)
{
	struct listing_line *l = m->lines;

	l[0] = (struct listing_line){ .kind = LISTING_FUNCTION, .text = "hot", .length = 3 };
	l[1] = example_code(0x7e0, "mov\tw3, w0", example_none);
	l[2] = (struct listing_line){
		.kind = LISTING_SOURCE, .text = "\tloop:", .length = 6, .number = 3
	};
	l[3] = example_code(0x7e4, "cbz\tw0, ", example_some);
	l[3].flow = (struct code_flow){ .kind = FLOW_JUMP, .has_target = true, .target = 0x7ec };
	l[3].target = "hot+0xc";
	l[3].at = (struct source_line){ "/src/a.c", 3 };
	l[4] = example_code(0x7e8, "bl\t", example_more);
	l[4].flow = (struct code_flow){ .kind = FLOW_CALL, .has_target = true, .target = 0x100 };
	l[4].target = "other";
	l[4].at = (struct source_line){ "/src/a.c", 4 };
	l[5] = example_code(0x7ec, "ret", example_none);
	l[5].flow.kind = FLOW_RETURN;
}

__attribute__((unused)) static void example_begin(struct example_listing *m)
{
	*m = (struct example_listing){ .all.n_events = 1 };
	m->symbolizer = symbolizer_new(&(struct symbolizer_options){ .symfs = "/nowhere" });
	m->function = (struct annotated_function){
		.sym = &example_symbol,
		.totals = example_total,
		.image = symbolizer_image(
			m->symbolizer,
			&(struct image_key){ .kind = IMAGE_USER, .name = "/tmp/made" }),
	};
	example_lines(m);
	m->listing = (struct listing){
		.all = &m->all,
		.function = &m->function,
		.name = "hot",
		.section = ".text",
		.start = 0x7e0,
		.end = 0x7f0,
		.arch = &arch_aarch64,
		.items = m->lines,
		.n = 6,
	};
	m->view = (struct annotate_view){
		.event = "cycles",
		.whole = { .n_events = 1, .totals = example_all },
		.shown = { example_all[0] },
		.frequency = 4000,
		.layout = { .use_offset = true, .offset_level = 1 },
	};
}

typedef void example_add_fn(struct text *out, const struct annotate_view *v,
			    const struct listing *l);

/* Compares the output of @add for the listing. */
__attribute__((unused)) static void assert_added(struct example_listing *m, example_add_fn *add,
						 const char *wanted)
{
	struct text t = TEXT_EMPTY;

	listing_find_jumps(&m->listing);
	add(&t, &m->view, &m->listing);
	assert_string_equal(t.chars, wanted);
	text_done(&t);
	symbolizer_free(m->symbolizer);
}
