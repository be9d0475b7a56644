/* SPDX-License-Identifier: MIT */
/*
 * libipt reads ahead: when it gives an instruction that used up a packet, it has already read the
 * next packet, with its time. The time is therefore queried before each instruction; it is then
 * that of the packet to which the instruction leads. A PSB in the flow is an exception: its time is
 * valid from the address that it contains, and the instructions before have the older one.
 *
 * The events that report a PSB differ between versions of libipt. The packets after a PSB are
 * therefore read here as well, once libipt has passed them.
 */
#include "hwtrace/pt-flow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <config.h>

#include "base/diag.h"
#include "base/library.h"
#include "base/memory.h"
#include "hwtrace/pt-header.h"

#if HAVE_LIBIPT
#include <dlfcn.h>
#include <intel-pt.h>

#define LIBRARY "libipt.so.2"

/* The functions of the library that are called; all have the types of its header. */
struct pt_flow_functions {
	__typeof__(pt_cpu_errata) *set_errata;
	__typeof__(pt_image_set_callback) *set_callback;
	__typeof__(pt_insn_alloc_decoder) *alloc_decoder;
	__typeof__(pt_insn_free_decoder) *free_decoder;
	__typeof__(pt_insn_event) *event;
	__typeof__(pt_insn_get_image) *get_image;
	__typeof__(pt_insn_get_offset) *get_offset;
	__typeof__(pt_insn_get_sync_offset) *get_sync_offset;
	__typeof__(pt_insn_next) *next;
	__typeof__(pt_insn_sync_forward) *sync_forward;
	__typeof__(pt_insn_sync_set) *sync_set;
	__typeof__(pt_insn_time) *time;
};

static const struct library_function functions[] = {
	{ "pt_cpu_errata", offsetof(struct pt_flow_functions, set_errata) },
	{ "pt_image_set_callback", offsetof(struct pt_flow_functions, set_callback) },
	{ "pt_insn_alloc_decoder", offsetof(struct pt_flow_functions, alloc_decoder) },
	{ "pt_insn_free_decoder", offsetof(struct pt_flow_functions, free_decoder) },
	{ "pt_insn_event", offsetof(struct pt_flow_functions, event) },
	{ "pt_insn_get_image", offsetof(struct pt_flow_functions, get_image) },
	{ "pt_insn_get_offset", offsetof(struct pt_flow_functions, get_offset) },
	{ "pt_insn_get_sync_offset", offsetof(struct pt_flow_functions, get_sync_offset) },
	{ "pt_insn_next", offsetof(struct pt_flow_functions, next) },
	{ "pt_insn_sync_forward", offsetof(struct pt_flow_functions, sync_forward) },
	{ "pt_insn_sync_set", offsetof(struct pt_flow_functions, sync_set) },
	{ "pt_insn_time", offsetof(struct pt_flow_functions, time) },
};

/* At most this many events between two instructions are searched. */
#define WAITING_MAX 32

#define PSB_SIZE 16

/* This many jumps without a packet are a loop that is not in the trace. */
#define JUMPS_MAX 100000

struct pt_flow {
	struct pt_flow_functions call;
	struct pt_insn_decoder *decoder;
	size_t (*code)(void *arg, uint64_t addr, uint8_t *bytes, size_t size);
	void *arg;
	const uint8_t *bytes;
	size_t size;
	size_t psb;      /* the next one that no step has reported; @size: there is none */
	size_t tried;    /* the last PSB that was used for synchronisation */
	int status;      /* libipt's status, from the last call */
	uint64_t offset; /* position of the decoder in the bytes */
	size_t jumps;    /* number of jumps since it moved */
	bool ended;      /* the last packet was read: progress of the program is unknown */
	bool synced;     /* it is synchronised to a PSB */
	bool fresh;      /* nothing has followed since */
	bool moved;      /* perhaps beyond a PSB */
	bool on;         /* according to the steps so far, tracing is on */
	uint64_t time;   /* time of the steps */
	uint64_t hold;   /* the time stays the same until this address; has_hold */
	bool has_hold;
	struct pt_step kept; /* an instruction that comes after a PSB; has_kept */
	bool has_kept;
	struct {
		struct pt_step items[WAITING_MAX];
		size_t at, n; /* index of the first one, and their number */
	} waiting;
};

static int pt_flow_load(struct pt_flow_functions *f, struct diag *diag)
{
	void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);

	if (!library)
		return diag_set(
			diag, -EOPNOTSUPP,
			"traces of Intel PT are decoded by " LIBRARY
			", which is not installed (package libipt2); 'perf script -D' shows "
			"the packets without it");
	if (!library_find(library, functions, ARRAY_SIZE(functions), f))
		return 0;
	return diag_set(diag, -EOPNOTSUPP,
			LIBRARY " lacks functions: traces of Intel PT need version 2.0 or newer");
}

int pt_flow_check(struct diag *diag)
{
	struct pt_flow_functions f;

	return pt_flow_load(&f, diag);
}

static int pt_flow_read_code(uint8_t *bytes, size_t size, const struct pt_asid *asid, uint64_t ip,
			     void *arg)
{
	const struct pt_flow *f = arg;
	size_t n = f->code(f->arg, ip, bytes, size);

	(void)asid;
	return n ? (int)n : -pte_nomap;
}

static void set_cpu(const struct pt_flow_functions *call, const struct pt_flow_setup *setup,
		    struct pt_config *config)
{
	if (!setup->family)
		return;
	config->cpu = (struct pt_cpu){ .vendor = pcv_intel,
				       .family = setup->family,
				       .model = setup->model,
				       .stepping = setup->stepping };
	/* If libipt does not know a CPU, it knows no errata of it. */
	if (call->set_errata(&config->errata, &config->cpu) < 0)
		memset(&config->errata, 0, sizeof(config->errata));
}

struct pt_flow *pt_flow_new(const struct pt_flow_setup *setup)
{
	_cleanup_(pt_flow_freep) struct pt_flow *f = xcalloc(1, sizeof(*f));
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct pt_config config;

	if (pt_flow_load(&f->call, &diag) < 0)
		return NULL;
	pt_config_init(&config);
	/* libipt only reads the trace; the type belongs to a struct that encoders use, too. */
	config.begin = (uint8_t *)(uintptr_t)setup->bytes;
	config.end = config.begin + setup->size;
	config.cpuid_0x15_eax = setup->tsc_ctc_d;
	config.cpuid_0x15_ebx = setup->tsc_ctc_n;
	config.mtc_freq = setup->mtc_frequency;
	config.nom_freq = setup->nominal_ratio;
	set_cpu(&f->call, setup, &config);
	f->code = setup->code;
	f->arg = setup->arg;
	f->bytes = setup->bytes;
	f->size = setup->size;
	f->tried = SIZE_MAX;
	f->decoder = f->call.alloc_decoder(&config);
	if (!f->decoder ||
	    f->call.set_callback(f->call.get_image(f->decoder), pt_flow_read_code, f) < 0)
		return NULL;
	return TAKE(f);
}

void pt_flow_free(struct pt_flow *f)
{
	if (!f)
		return;
	if (f->decoder)
		f->call.free_decoder(f->decoder);
	free(f);
}

static enum pt_error error_of(int status)
{
	switch (pt_errcode(status)) {
	case pte_bad_opc:
	case pte_bad_packet:
		return PT_ERROR_PACKET;
	case pte_nomap:
	case pte_bad_insn:
		return PT_ERROR_CODE;
	case pte_bad_context:
	case pte_bad_query:
	case pte_retstack_empty:
	case pte_bad_retcomp:
	case pte_bad_status_update:
	case pte_no_enable:
	case pte_event_ignored:
		return PT_ERROR_MISMATCH;
	default:
		return PT_ERROR_INTERNAL;
	}
}

static enum pt_class pt_flow_class_of(enum pt_insn_class c)
{
	switch (c) {
	case ptic_call:
		return PT_CLASS_CALL;
	case ptic_return:
		return PT_CLASS_RETURN;
	case ptic_jump:
		return PT_CLASS_JUMP;
	case ptic_cond_jump:
		return PT_CLASS_CONDITIONAL;
	case ptic_far_call:
		return PT_CLASS_FAR_CALL;
	case ptic_far_return:
		return PT_CLASS_FAR_RETURN;
	case ptic_far_jump:
		return PT_CLASS_FAR_JUMP;
	default:
		return PT_CLASS_OTHER;
	}
}

static void ask_time(struct pt_flow *f)
{
	uint32_t lost_mtc, lost_cyc;
	uint64_t time;

	if (!f->has_hold && f->call.time(f->decoder, &time, &lost_mtc, &lost_cyc) >= 0)
		f->time = time;
}

/* Returns the first PSB at @from or after it; the size of the trace if there is none. */
static size_t find_psb(const struct pt_flow *f, size_t from)
{
	static const uint8_t psb[PSB_SIZE] = { 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82,
					       2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82 };
	const uint8_t *at = from < f->size
				    ? memmem(f->bytes + from, f->size - from, psb, sizeof(psb))
				    : NULL;

	return at ? (size_t)(at - f->bytes) : f->size;
}

/* Marks the next PSB as reported, and returns its position. */
static uint64_t next_psb(struct pt_flow *f)
{
	size_t at = f->psb;

	f->psb = find_psb(f, at + PSB_SIZE);
	return at;
}

/* Sets the address of an event, unless the event has none. */
static void set_ip(struct pt_step *s, const struct pt_event *e, uint64_t ip)
{
	s->has_ip = !e->ip_suppressed;
	s->ip = s->has_ip ? ip : 0;
}

static void set_to(struct pt_step *s, const struct pt_event *e, uint64_t to)
{
	s->has_to = !e->ip_suppressed;
	s->to = s->has_to ? to : 0;
}

static void set_power(const struct pt_event *e, struct pt_step *s)
{
	switch (e->type) {
	case ptev_exstop:
		s->kind = PT_STEP_EXSTOP;
		set_ip(s, e, e->variant.exstop.ip);
		break;
	case ptev_mwait:
		s->kind = PT_STEP_MWAIT;
		set_ip(s, e, e->variant.mwait.ip);
		s->payload = e->variant.mwait.hints | (uint64_t)e->variant.mwait.ext << 32;
		break;
	case ptev_pwre:
		s->kind = PT_STEP_PWRE;
		s->payload = (uint64_t)e->variant.pwre.hw << 7 |
			     (uint64_t)e->variant.pwre.sub_state << 8 |
			     (uint64_t)e->variant.pwre.state << 12;
		break;
	default:
		s->kind = PT_STEP_PWRX;
		s->payload = e->variant.pwrx.deepest | (uint64_t)e->variant.pwrx.last << 4 |
			     (uint64_t)e->variant.pwrx.interrupt << 8 |
			     (uint64_t)e->variant.pwrx.store << 10 |
			     (uint64_t)e->variant.pwrx.autonomous << 11;
		break;
	}
}

static bool pt_flow_take_event(struct pt_flow *f, const struct pt_event *e, struct pt_step *s)
{
	*s = (struct pt_step){ .time = e->has_tsc ? e->tsc : f->time };
	/* Data that a PSB repeats is not an event; the frequency may be one. */
	if (e->status_update && e->type != ptev_cbr)
		return false;
	switch (e->type) {
	case ptev_enabled:
		s->kind = PT_STEP_BEGIN;
		set_to(s, e, e->variant.enabled.ip);
		return true;
	case ptev_disabled:
		s->kind = PT_STEP_END;
		set_to(s, e, e->variant.disabled.ip);
		return true;
	case ptev_async_disabled:
		s->kind = PT_STEP_CUT;
		s->has_ip = true;
		s->ip = e->variant.async_disabled.at;
		set_to(s, e, e->variant.async_disabled.ip);
		return true;
	case ptev_async_branch:
		s->kind = PT_STEP_ASYNC;
		s->has_ip = true;
		s->ip = e->variant.async_branch.from;
		set_to(s, e, e->variant.async_branch.to);
		return true;
	case ptev_overflow:
		s->kind = PT_STEP_OVERFLOW;
		set_to(s, e, e->variant.overflow.ip);
		return true;
	case ptev_tsx:
		s->kind = PT_STEP_TSX;
		set_ip(s, e, e->variant.tsx.ip);
		s->payload = e->variant.tsx.speculative | (uint64_t)e->variant.tsx.aborted << 1;
		return true;
	case ptev_ptwrite:
		s->kind = PT_STEP_PTWRITE;
		set_ip(s, e, e->variant.ptwrite.ip);
		s->payload = e->variant.ptwrite.payload;
		return true;
	case ptev_cbr:
		s->kind = PT_STEP_CBR;
		s->payload = e->variant.cbr.ratio;
		return true;
	case ptev_exstop:
	case ptev_mwait:
	case ptev_pwre:
	case ptev_pwrx:
		set_power(e, s);
		return true;
	default:
		return false;
	}
}

static bool pt_flow_next_event(struct pt_flow *f, struct pt_step *ret)
{
	struct pt_event e;

	while (f->status >= 0 && (f->status & pts_event_pending)) {
		f->status = f->call.event(f->decoder, &e, sizeof(e));
		f->moved = true;
		if (f->status >= 0 && pt_flow_take_event(f, &e, ret))
			return true;
	}
	return false;
}

/*
 * True if the code is an endless loop: code that differs from the code that ran may loop without
 * needing a packet.
 */
static bool is_endless(struct pt_flow *f, const struct pt_insn *in)
{
	uint64_t offset = 0;

	if (in->iclass == ptic_other)
		return false;
	f->moved = true;
	if (f->call.get_offset(f->decoder, &offset) < 0 || offset != f->offset ||
	    in->iclass == ptic_cond_jump || in->iclass == ptic_return)
		f->jumps = 0;
	f->offset = offset;
	return ++f->jumps > JUMPS_MAX;
}

static void pt_flow_set_insn(const struct pt_flow *f, const struct pt_insn *in, struct pt_step *ret)
{
	*ret = (struct pt_step){
		.kind = PT_STEP_INSN,
		.time = f->time,
		.ip = in->ip,
		.has_ip = true,
		.speculative = in->speculative,
		.class = pt_flow_class_of(in->iclass),
		.length = in->size,
	};
	memcpy(ret->bytes, in->raw, in->size < sizeof(in->raw) ? in->size : sizeof(in->raw));
}

static void set_psb(struct pt_flow *f, const struct pt_header *h, struct pt_step *ret)
{
	*ret = (struct pt_step){ .kind = PT_STEP_PSB,
				 .payload = next_psb(f),
				 .time = f->time,
				 .has_ip = h->has_ip,
				 .ip = h->ip };
}

/*
 * Gives the step of a PSB that libipt has passed, if now is its time: if tracing is off, or
 * decoding begins. Inside the flow the program has to reach the address first, or the end of
 * tracing that libipt has read, too.
 */
static bool pt_flow_take_psb(struct pt_flow *f, struct pt_step *ret)
{
	struct pt_header h;
	uint64_t at;
	bool fresh = f->fresh;

	if (f->status < 0 || f->has_hold || !f->moved || f->psb >= f->size)
		return false;
	f->moved = f->fresh = false;
	if (f->call.get_offset(f->decoder, &at) < 0 || at <= f->psb)
		return false;
	pt_header_read(f->bytes + f->psb, f->size - f->psb, &h);
	if (f->on && !fresh) {
		f->has_hold = h.has_ip;
		f->hold = h.ip;
		return false;
	}
	if (h.has_tsc)
		f->time = h.tsc;
	set_psb(f, &h, ret);
	f->moved = true;
	return true;
}

static bool next_insn(struct pt_flow *f, struct pt_step *ret)
{
	struct pt_insn in = { .iclass = ptic_error };

	ask_time(f);
	f->status = f->call.next(f->decoder, &in, sizeof(in));
	/* An error may come with a valid instruction before it. */
	if (in.iclass == ptic_error)
		return false;
	f->on = true;
	if (is_endless(f, &in)) {
		*ret = (struct pt_step){ .kind = PT_STEP_ERROR,
					 .time = f->time,
					 .error = PT_ERROR_LOOP };
		f->synced = false;
		f->jumps = 0;
		return true;
	}
	if (!f->has_hold || in.ip != f->hold) {
		pt_flow_set_insn(f, &in, ret);
		return true;
	}
	f->has_hold = false;
	f->moved = true;
	ask_time(f);
	set_psb(f, &(struct pt_header){ .has_ip = true, .ip = f->hold }, ret);
	pt_flow_set_insn(f, &in, &f->kept);
	f->has_kept = true;
	return true;
}

/*
 * Synchronizes to a PSB that does not match what came before, which is an error, but a good place
 * to start again, once. libipt itself would continue at the next one.
 */
static bool synchronize_here(struct pt_flow *f)
{
	size_t psb = f->psb == f->tried ? find_psb(f, f->tried + PSB_SIZE) : f->psb;
	uint64_t at;

	if (f->status >= 0 || f->call.get_offset(f->decoder, &at) < 0 || psb >= at)
		return false;
	f->status = f->call.sync_set(f->decoder, psb);
	return f->status >= 0;
}

/* Synchronizes after an error, or at the beginning. False: there is no other PSB. */
static bool pt_flow_synchronize(struct pt_flow *f)
{
	uint64_t at;

	if (!synchronize_here(f))
		f->status = f->call.sync_forward(f->decoder);
	f->synced = f->status >= 0;
	f->has_hold = false;
	f->fresh = f->moved = f->synced;
	f->on = false;
	if (f->synced && f->call.get_sync_offset(f->decoder, &at) >= 0 && at < f->size)
		f->psb = f->tried = (size_t)at;
	return f->synced;
}

static bool pt_flow_take_error(struct pt_flow *f, struct pt_step *ret)
{
	f->synced = false;
	f->has_hold = false;
	if (f->status == -pte_eos)
		return false;
	*ret = (struct pt_step){ .kind = PT_STEP_ERROR,
				 .time = f->time,
				 .error = error_of(f->status) };
	return true;
}

/*
 * Updates the tracing state from @s. A PSB before the beginning of tracing is reported before it.
 */
static void pt_flow_follow(struct pt_flow *f, struct pt_step *s)
{
	struct pt_step psb;

	if (s->kind == PT_STEP_END || s->kind == PT_STEP_CUT || s->kind == PT_STEP_BEGIN)
		f->on = false;
	if (s->kind != PT_STEP_BEGIN)
		return;
	if (pt_flow_take_psb(f, &psb)) {
		f->kept = *s;
		f->has_kept = true;
		*s = psb;
	}
	f->on = true;
}

static bool pt_flow_produce(struct pt_flow *f, struct pt_step *ret)
{
	if (f->has_kept) {
		f->has_kept = false;
		*ret = f->kept;
		return true;
	}
	for (;;) {
		if (!f->synced && !pt_flow_synchronize(f))
			return false;
		if (pt_flow_take_psb(f, ret))
			return true;
		if (pt_flow_next_event(f, ret)) {
			pt_flow_follow(f, ret);
			return true;
		}
		if (f->status < 0) {
			if (pt_flow_take_error(f, ret))
				return true;
			continue;
		}
		if (f->ended)
			return false;
		f->ended = f->status & pts_eos;
		if (next_insn(f, ret))
			return true;
	}
}

/* True if the step shows the target of the instruction before it, if that jumped. */
static bool is_flow(const struct pt_step *s)
{
	switch (s->kind) {
	case PT_STEP_INSN:
	case PT_STEP_BEGIN:
	case PT_STEP_END:
	case PT_STEP_ASYNC:
	case PT_STEP_CUT:
	case PT_STEP_OVERFLOW:
	case PT_STEP_ERROR:
		return true;
	default:
		return false;
	}
}

static void pt_flow_join(struct pt_step *insn, const struct pt_step *next)
{
	bool stays = insn->class == PT_CLASS_OTHER || insn->class == PT_CLASS_CONDITIONAL;

	insn->is_last = next->kind == PT_STEP_END;
	if (next->kind != PT_STEP_INSN && next->kind != PT_STEP_ASYNC && next->kind != PT_STEP_CUT)
		return;
	insn->has_to = !stays ||
		       (next->ip != insn->ip + insn->length && insn->class == PT_CLASS_CONDITIONAL);
	insn->to = insn->has_to ? next->ip : 0;
}

static struct pt_step *waiting_last(struct pt_flow *f)
{
	return &f->waiting.items[(f->waiting.at + f->waiting.n - 1) % WAITING_MAX];
}

/* True if the first waiting step is an instruction that may not be given yet. */
static bool pt_flow_must_wait(const struct pt_flow *f)
{
	const struct pt_step *s = &f->waiting.items[f->waiting.at];

	return f->waiting.n == 0 || (f->waiting.n == 1 && s->kind == PT_STEP_INSN);
}

/* Reads on until it is known what follows the first step. */
static void pt_flow_fill(struct pt_flow *f)
{
	bool flow = false;

	if (!pt_flow_must_wait(f))
		return;
	while (!flow && f->waiting.n < WAITING_MAX) {
		bool first = f->waiting.n == 0;

		f->waiting.n++;
		if (!pt_flow_produce(f, waiting_last(f))) {
			f->waiting.n--;
			return;
		}
		if (first && waiting_last(f)->kind != PT_STEP_INSN)
			return;
		flow = !first && is_flow(waiting_last(f));
	}
	if (!flow)
		return;
	pt_flow_join(&f->waiting.items[f->waiting.at], waiting_last(f));
	/* This step only served to find the target of the last branch. */
	if (f->ended && waiting_last(f)->kind == PT_STEP_INSN)
		f->waiting.n--;
}

bool pt_flow_next(struct pt_flow *f, struct pt_step *ret)
{
	pt_flow_fill(f);
	if (!f->waiting.n)
		return false;
	*ret = f->waiting.items[f->waiting.at];
	f->waiting.at = (f->waiting.at + 1) % WAITING_MAX;
	f->waiting.n--;
	return true;
}

#else

int pt_flow_check(struct diag *diag)
{
	return diag_set(
		diag, -EOPNOTSUPP,
		"traces of Intel PT are decoded with libipt, which this perf was built "
		"without: install libipt-dev and build perf again; 'perf script -D' shows the "
		"packets without it");
}

struct pt_flow *pt_flow_new(const struct pt_flow_setup *setup)
{
	(void)setup;
	return NULL;
}

void pt_flow_free(struct pt_flow *f)
{
	(void)f;
}

bool pt_flow_next(struct pt_flow *f, struct pt_step *ret)
{
	(void)f;
	(void)ret;
	return false;
}

#endif
