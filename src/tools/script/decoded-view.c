/* SPDX-License-Identifier: MIT */
/* Prints the additional data of samples that were decoded from a hardware trace. */
#include "tools/script/writer-view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "hwtrace/decoder.h"
#include "session/session.h"

/* The kinds of branches. Other flags are written as letters. */
static const struct {
	uint32_t flags;
	const char *name;
} branches[] = {
	{ AUX_FLAG_BRANCH | AUX_FLAG_CALL, "call" },
	{ AUX_FLAG_BRANCH | AUX_FLAG_RETURN, "return" },
	{ AUX_FLAG_BRANCH | AUX_FLAG_CONDITIONAL, "jcc" },
	{ AUX_FLAG_BRANCH, "jmp" },
	{ AUX_FLAG_BRANCH | AUX_FLAG_CALL | AUX_FLAG_INTERRUPT, "int" },
	{ AUX_FLAG_BRANCH | AUX_FLAG_RETURN | AUX_FLAG_INTERRUPT, "iret" },
	{ AUX_FLAG_BRANCH | AUX_FLAG_CALL | AUX_FLAG_SYSCALLRET, "syscall" },
	{ AUX_FLAG_BRANCH | AUX_FLAG_RETURN | AUX_FLAG_SYSCALLRET, "sysret" },
	{ AUX_FLAG_BRANCH | AUX_FLAG_ASYNC, "async" },
	{ AUX_FLAG_BRANCH | AUX_FLAG_CALL | AUX_FLAG_ASYNC | AUX_FLAG_INTERRUPT, "hw int" },
	{ AUX_FLAG_BRANCH | AUX_FLAG_TX_ABORT, "tx abrt" },
	{ AUX_FLAG_BRANCH | AUX_FLAG_CALL | AUX_FLAG_VMENTRY, "vmentry" },
	{ AUX_FLAG_BRANCH | AUX_FLAG_CALL | AUX_FLAG_VMEXIT, "vmexit" },
	{ AUX_FLAG_BRANCH | AUX_FLAG_TRACE_BEGIN, "tr strt" },
	{ AUX_FLAG_BRANCH | AUX_FLAG_TRACE_END, "tr end" },
};

static const char *branch_name(uint32_t flags)
{
	for (size_t i = 0; i < ARRAY_SIZE(branches); i++)
		if (branches[i].flags == flags)
			return branches[i].name;
	return NULL;
}

#define FLAG_NAMES "bcrosyiABExghDt"

static void put_letters(char *at, uint32_t flags)
{
	for (size_t i = 0; i < strlen(FLAG_NAMES); i++)
		if (flags >> i & 1)
			*at++ = FLAG_NAMES[i];
	*at = '\0';
}

/* Writes the suffix: in a transaction, and changes of the interrupt flag. */
static void put_suffix(char *at, uint32_t flags)
{
	bool disabled = flags & AUX_FLAG_INTR_DISABLE, toggled = flags & AUX_FLAG_INTR_TOGGLE;

	*at = '\0';
	if (!(flags & (AUX_FLAG_IN_TX | AUX_FLAG_INTR_DISABLE | AUX_FLAG_INTR_TOGGLE)))
		return;
	*at++ = '(';
	if (flags & AUX_FLAG_IN_TX)
		*at++ = 'x';
	if (disabled)
		*at++ = 'D';
	if (toggled)
		*at++ = 't';
	*at++ = ')';
	*at = '\0';
}

void script_write_flags(struct script_writer *p, const struct aux_facts *facts)
{
	uint32_t flags = facts ? facts->flags : 0;
	uint32_t plain = flags &
			 ~(uint32_t)(AUX_FLAG_IN_TX | AUX_FLAG_INTR_DISABLE | AUX_FLAG_INTR_TOGGLE);
	const uint32_t ends = AUX_FLAG_TRACE_BEGIN | AUX_FLAG_TRACE_END;
	const char *end = plain & AUX_FLAG_TRACE_BEGIN ? "tr strt" : "tr end";
	const char *name = branch_name(plain);
	char letters[32], suffix[8], text[48];

	put_suffix(suffix, flags);
	if (!name && (plain & ends) && branch_name(plain & ~ends)) {
		snprintf(text, sizeof(text), "%-7s %s", end, branch_name(plain & ~ends));
		name = text;
	}
	if (!name) {
		put_letters(letters, plain);
		name = letters;
	}
	if (*suffix)
		text_addf(&p->out, "  %-15s%6s ", name, suffix);
	else
		text_addf(&p->out, "  %-21s ", name);
}

void script_write_insn(struct script_writer *p, uint64_t fields, const struct aux_facts *facts)
{
	if (fields & FIELD_BIT(INSNLEN))
		text_addf(&p->out, " ilen: %u", facts ? facts->insn_length : 0U);
	if (!(fields & FIELD_BIT(INSN)) || !facts || !facts->insn_length)
		return;
	text_add(&p->out, " insn:");
	for (size_t i = 0; i < facts->insn_length && i < sizeof(facts->insn); i++)
		text_addf(&p->out, " %02x", facts->insn[i]);
}

void script_write_ipc(struct script_writer *p, const struct aux_facts *facts)
{
	uint64_t hundredths;

	if (!facts || !facts->cycle_count)
		return;
	hundredths = facts->insn_count * 100 / facts->cycle_count;
	text_addf(&p->out, " \t IPC: %" PRIu64 ".%02" PRIu64 " (%" PRIu64 "/%" PRIu64 ") ",
		  hundredths / 100, hundredths % 100, facts->insn_count, facts->cycle_count);
}

#define SYNTH_WIDTH 34

/* Numbers of events that are not counted by a PMU: attr.config. */
enum synthetic {
	SYNTH_PTWRITE,
	SYNTH_MWAIT,
	SYNTH_PWRE,
	SYNTH_EXSTOP,
	SYNTH_PWRX,
	SYNTH_CBR,
	SYNTH_PSB,
};

/* The word with flags and the next one, which is not aligned. */
struct synthetic_words {
	uint32_t flags;
	uint64_t payload;
};

static bool script_decoded_read_words(const struct sample *s, size_t size,
				      struct synthetic_words *ret)
{
	*ret = (struct synthetic_words){ 0 };
	if (s->raw_size < size)
		return false;
	memcpy(&ret->flags, s->raw, sizeof(ret->flags));
	if (size > sizeof(ret->flags))
		memcpy(&ret->payload, s->raw + sizeof(ret->flags), sizeof(ret->payload));
	return true;
}

static void script_decoded_add_ratio(struct text *t, const struct synthetic_words *w)
{
	uint32_t ratio = w->flags & 0xff, top = w->flags >> 16 & 0xff;

	text_addf(t, " cbr: %2u freq: %4u MHz ", ratio, ((uint32_t)w->payload + 500) / 1000);
	if (top)
		text_addf(t, "(%3u%%) ", (5 + 1000 * ratio / top) / 10);
}

static void add_offset(struct text *t, uint64_t offset)
{
	if (offset)
		text_addf(t, " psb offs: 0x%" PRIx64 " ", offset);
	else
		text_add(t, " psb offs: 0 ");
}

static void script_decoded_add_hex(struct text *t, const char *title, uint64_t v)
{
	text_addf(t, v ? "%s0x%" PRIx64 " " : "%s%" PRIx64 " ", title, v);
}

static void add_synthetic(struct text *t, uint64_t config, const struct synthetic_words *w)
{
	uint64_t v = w->payload;

	switch (config) {
	case SYNTH_PTWRITE:
		text_addf(t, " IP: %u", w->flags & 1);
		script_decoded_add_hex(t, " payload: ", v);
		break;
	case SYNTH_MWAIT:
		script_decoded_add_hex(t, " hints: ", v & 0xff);
		script_decoded_add_hex(t, "extensions: ", v >> 32 & 3);
		break;
	case SYNTH_PWRE:
		text_addf(t, " hw: %u cstate: %u sub-cstate: %u ", (unsigned)(v >> 7 & 1),
			  (unsigned)(v >> 12 & 15), (unsigned)(v >> 8 & 15));
		break;
	case SYNTH_EXSTOP:
		text_addf(t, " IP: %u ", w->flags & 1);
		break;
	case SYNTH_PWRX:
		text_addf(t, " deepest cstate: %u last cstate: %u", (unsigned)(v & 15),
			  (unsigned)(v >> 4 & 15));
		script_decoded_add_hex(t, " wake reason: ", v >> 8 & 15);
		break;
	case SYNTH_CBR:
		script_decoded_add_ratio(t, w);
		break;
	default:
		add_offset(t, v);
		break;
	}
}

void script_write_synthetic(struct script_writer *p, const struct script_head *h,
			    const struct sample *s)
{
	uint64_t config = h->event->event->attr.config;
	size_t from = p->out.length;
	struct synthetic_words w;

	if (config > SYNTH_PSB ||
	    !script_decoded_read_words(s, config == SYNTH_EXSTOP ? 4 : 12, &w))
		return;
	add_synthetic(&p->out, config, &w);
	text_pad(&p->out, from, SYNTH_WIDTH, 0, ' ');
}
