/* SPDX-License-Identifier: MIT */
#include "hwtrace/cs-tree.h"

#include <config.h>
#include <errno.h>

#include "base/diag.h"

#if HAVE_LIBOPENCSD

#include <dlfcn.h>
#include <stdlib.h>

#include <opencsd/c_api/opencsd_c_api.h>

#include "base/library.h"
#include "base/memory.h"
#include "hwtrace/decoder.h"

#define LIBRARY "libopencsd_c_api.so.1"

/* The functions of the library that are called; all have the types of its header. */
struct cs_tree_functions {
	__typeof__(ocsd_create_dcd_tree) *create;
	__typeof__(ocsd_destroy_dcd_tree) *destroy;
	__typeof__(ocsd_dt_process_data) *process;
	__typeof__(ocsd_dt_set_gen_elem_outfn) *set_sink;
	__typeof__(ocsd_dt_create_decoder) *create_decoder;
	__typeof__(ocsd_dt_add_callback_trcid_mem_acc) *set_memory;
	__typeof__(ocsd_def_errlog_init) *init_log;
	__typeof__(ocsd_def_errlog_config_output) *set_log;
	__typeof__(ocsd_def_errlog_set_strprint_cb) *set_print;
	__typeof__(ocsd_dt_set_pkt_protocol_printer) *set_printer;
};

static const struct library_function functions[] = {
	{ "ocsd_create_dcd_tree", offsetof(struct cs_tree_functions, create) },
	{ "ocsd_destroy_dcd_tree", offsetof(struct cs_tree_functions, destroy) },
	{ "ocsd_dt_process_data", offsetof(struct cs_tree_functions, process) },
	{ "ocsd_dt_set_gen_elem_outfn", offsetof(struct cs_tree_functions, set_sink) },
	{ "ocsd_dt_create_decoder", offsetof(struct cs_tree_functions, create_decoder) },
	{ "ocsd_dt_add_callback_trcid_mem_acc", offsetof(struct cs_tree_functions, set_memory) },
	{ "ocsd_def_errlog_init", offsetof(struct cs_tree_functions, init_log) },
	{ "ocsd_def_errlog_config_output", offsetof(struct cs_tree_functions, set_log) },
	{ "ocsd_def_errlog_set_strprint_cb", offsetof(struct cs_tree_functions, set_print) },
	{ "ocsd_dt_set_pkt_protocol_printer", offsetof(struct cs_tree_functions, set_printer) },
};

/*
 * The limit on the bytes of code that are read for one step of a trace. Between two branches there
 * are fewer; a damaged trace makes the decoder follow a whole program, again and again.
 */
#define CODE_MAX (1 << 20)

struct cs_tree {
	struct cs_tree_functions call;
	dcd_tree_handle_t handle;
	struct cs_sink sink;
	uint64_t n_read; /* bytes of code since the last step */
};

static int cs_tree_load(struct cs_tree_functions *f, struct diag *diag)
{
	void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);

	if (!library)
		return diag_set(diag, -ENOENT,
				"CoreSight traces are decoded by " LIBRARY
				", which is not installed (package libopencsd1)");
	if (!library_find(library, functions, ARRAY_SIZE(functions), f))
		return 0;
	return diag_set(diag, -ENOENT,
			LIBRARY " lacks functions: CoreSight traces need version 1.0 or newer");
}

static uint32_t branch_flags(const ocsd_generic_trace_elem *e)
{
	/* Any register may hold a return address. */
	if (e->last_i_type == OCSD_INSTR_BR_INDIRECT)
		return AUX_FLAG_BRANCH |
		       (e->last_i_subtype == OCSD_S_INSTR_BR_LINK ? AUX_FLAG_CALL
								  : AUX_FLAG_RETURN);
	if (e->last_i_type != OCSD_INSTR_BR)
		return 0;
	if (e->last_i_subtype == OCSD_S_INSTR_BR_LINK)
		return AUX_FLAG_BRANCH | AUX_FLAG_CALL;
	return AUX_FLAG_BRANCH | (e->last_instr_cond ? AUX_FLAG_CONDITIONAL : 0);
}

static void cs_tree_range_of(const ocsd_generic_trace_elem *e, struct cs_element *ret)
{
	ret->start = e->st_addr;
	ret->end = e->en_addr;
	ret->n_instructions = e->num_instr_range;
	ret->last_size = e->last_instr_sz;
	ret->thumb = e->isa == ocsd_isa_thumb2;
	ret->taken = e->last_instr_exec &&
		     (e->last_i_type == OCSD_INSTR_BR || e->last_i_type == OCSD_INSTR_BR_INDIRECT);
	ret->flags = branch_flags(e);
}

/* Converts an element. False: it does not matter here. */
static bool cs_tree_convert(const ocsd_generic_trace_elem *e, struct cs_element *ret)
{
	switch (e->elem_type) {
	case OCSD_GEN_TRC_ELEM_NO_SYNC:
	case OCSD_GEN_TRC_ELEM_TRACE_ON:
	case OCSD_GEN_TRC_ELEM_EO_TRACE:
		ret->kind = CS_GAP;
		return true;
	case OCSD_GEN_TRC_ELEM_INSTR_RANGE:
		ret->kind = CS_RANGE;
		cs_tree_range_of(e, ret);
		return true;
	case OCSD_GEN_TRC_ELEM_EXCEPTION:
		ret->kind = CS_EXCEPTION;
		ret->exception = e->exception_number;
		return true;
	case OCSD_GEN_TRC_ELEM_EXCEPTION_RET:
		ret->kind = CS_EXCEPTION_RETURN;
		return true;
	case OCSD_GEN_TRC_ELEM_PE_CONTEXT:
		ret->kind = CS_CONTEXT;
		ret->context_id = e->context.context_id;
		ret->vmid = e->context.vmid;
		ret->has_context_id = e->context.ctxt_id_valid;
		ret->has_vmid = e->context.vmid_valid;
		return true;
	case OCSD_GEN_TRC_ELEM_TIMESTAMP:
		ret->kind = CS_TIME;
		ret->time = e->timestamp;
		return true;
	case OCSD_GEN_TRC_ELEM_ADDR_NACC:
		ret->kind = CS_NO_CODE;
		ret->start = e->st_addr;
		return true;
	default:
		return false;
	}
}

static ocsd_datapath_resp_t cs_tree_take_element(const void *context, const ocsd_trc_index_t index,
						 const uint8_t id, const ocsd_generic_trace_elem *e)
{
	struct cs_tree *t = (struct cs_tree *)context;
	struct cs_element element = { .id = id };

	(void)index;
	t->n_read = 0;
	if (cs_tree_convert(e, &element))
		t->sink.element(t->sink.arg, &element);
	return OCSD_RESP_CONT;
}

static uint32_t cs_tree_read_code(const void *context, const ocsd_vaddr_t addr,
				  const ocsd_mem_space_acc_t space, const uint8_t id,
				  const uint32_t n, uint8_t *bytes)
{
	struct cs_tree *t = (struct cs_tree *)context;

	(void)space;
	t->n_read += n;
	if (t->n_read > CODE_MAX)
		return 0;
	return (uint32_t)t->sink.code(t->sink.arg, id, addr, bytes, n);
}

static void cs_tree_print_line(const void *context, const char *line, const int length)
{
	const struct cs_tree *t = context;

	(void)length;
	t->sink.text(t->sink.arg, line);
}

static int add_decoder(struct cs_tree *t, const char *name, const void *config)
{
	int flags = t->sink.text ? OCSD_CREATE_FLG_PACKET_PROC : OCSD_CREATE_FLG_FULL_DECODER;
	unsigned char id;

	if (t->call.create_decoder(t->handle, name, flags, config, &id) != OCSD_OK)
		return -EBADMSG;
	return t->sink.text && t->call.set_printer(t->handle, id, 0) != OCSD_OK ? -EIO : 0;
}

static int cs_tree_add_etm3(struct cs_tree *t, const struct cs_unit *u)
{
	const ocsd_etmv3_cfg etm = {
		.reg_idr = (uint32_t)u->registers[CS_ETM_3_IDR],
		.reg_ctrl = (uint32_t)u->registers[CS_ETM_3_CONTROL],
		.reg_ccer = (uint32_t)u->registers[CS_ETM_3_CCER],
		.reg_trc_id = u->id,
		.arch_ver = ARCH_V7,
		.core_prof = profile_CortexA,
	};
	const ocsd_ptm_cfg ptm = {
		.reg_idr = etm.reg_idr,
		.reg_ctrl = etm.reg_ctrl,
		.reg_ccer = etm.reg_ccer,
		.reg_trc_id = etm.reg_trc_id,
		.arch_ver = ARCH_V7,
		.core_prof = profile_CortexA,
	};

	if (cs_unit_is_ptm(u))
		return add_decoder(t, OCSD_BUILTIN_DCD_PTM, &ptm);
	return add_decoder(t, OCSD_BUILTIN_DCD_ETMV3, &etm);
}

static int cs_tree_add_etm4(struct cs_tree *t, const struct cs_unit *u)
{
	const ocsd_etmv4_cfg config = {
		.reg_idr0 = (uint32_t)u->registers[CS_ETM_4_IDR0],
		.reg_idr1 = (uint32_t)u->registers[CS_ETM_4_IDR1],
		.reg_idr2 = (uint32_t)u->registers[CS_ETM_4_IDR2],
		.reg_idr8 = (uint32_t)u->registers[CS_ETM_4_IDR8],
		.reg_configr = (uint32_t)u->registers[CS_ETM_4_CONFIG],
		.reg_traceidr = u->id,
		.arch_ver = ARCH_V8,
		.core_prof = profile_CortexA,
	};

	return add_decoder(t, OCSD_BUILTIN_DCD_ETMV4I, &config);
}

static int add_ete(struct cs_tree *t, const struct cs_unit *u)
{
	const ocsd_ete_cfg config = {
		.reg_idr0 = (uint32_t)u->registers[CS_ETM_4_IDR0],
		.reg_idr1 = (uint32_t)u->registers[CS_ETM_4_IDR1],
		.reg_idr2 = (uint32_t)u->registers[CS_ETM_4_IDR2],
		.reg_idr8 = (uint32_t)u->registers[CS_ETM_4_IDR8],
		.reg_devarch = (uint32_t)u->registers[CS_ETE_DEVARCH],
		.reg_configr = (uint32_t)u->registers[CS_ETM_4_CONFIG],
		.reg_traceidr = u->id,
		.arch_ver = ARCH_AA64,
		.core_prof = profile_CortexA,
	};

	return add_decoder(t, OCSD_BUILTIN_DCD_ETE, &config);
}

static int cs_tree_add_unit(struct cs_tree *t, const struct cs_unit *u)
{
	switch (u->magic) {
	case CS_ETM_3_MAGIC:
		return cs_tree_add_etm3(t, u);
	case CS_ETM_4_MAGIC:
		return cs_tree_add_etm4(t, u);
	default:
		return add_ete(t, u);
	}
}

static int add_units(struct cs_tree *t, const struct cs_tree_setup *setup)
{
	int r = setup->only ? cs_tree_add_unit(t, setup->only) : 0;

	for (size_t i = 0; !setup->only && r >= 0 && i < setup->info->n_units; i++)
		r = cs_tree_add_unit(t, &setup->info->units[i]);
	return r;
}

static int connect_sink(struct cs_tree *t)
{
	if (t->sink.text)
		return t->call.set_print(t->handle, t, cs_tree_print_line) == OCSD_OK ? 0 : -EIO;
	if (t->call.set_memory(t->handle, 0, UINT64_MAX, OCSD_MEM_SPACE_ANY, cs_tree_read_code,
			       t) != OCSD_OK ||
	    t->call.set_sink(t->handle, cs_tree_take_element, t) != OCSD_OK)
		return -EIO;
	return 0;
}

static int cs_tree_prepare(struct cs_tree *t, const struct cs_tree_setup *setup)
{
	uint32_t format = setup->only ? 0
				      : OCSD_DFRMTR_FRAME_MEM_ALIGN | OCSD_DFRMTR_RESET_ON_4X_FSYNC;
	int r;

	/* Packets are printed through the log, because there is no other way. */
	t->call.init_log(t->sink.text ? OCSD_ERR_SEV_ERROR : OCSD_ERR_SEV_NONE,
			 t->sink.text != NULL);
	if (t->sink.text)
		t->call.set_log(C_API_MSGLOGOUT_FLG_NONE, NULL);
	t->handle = t->call.create(setup->only ? OCSD_TRC_SRC_SINGLE : OCSD_TRC_SRC_FRAME_FORMATTED,
				   format);
	if (!t->handle)
		return -EIO;
	/* The text goes to the log's destination, which must be known to the decoders. */
	r = t->sink.text ? connect_sink(t) : 0;
	if (r >= 0)
		r = add_units(t, setup);
	if (r >= 0 && !t->sink.text)
		r = connect_sink(t);
	return r;
}

int cs_tree_new(const struct cs_tree_setup *setup, struct cs_tree **ret, struct diag *diag)
{
	_cleanup_(cs_tree_freep) struct cs_tree *t = xcalloc(1, sizeof(*t));
	int r = cs_tree_load(&t->call, diag);

	if (r < 0)
		return r;
	t->sink = setup->sink;
	r = cs_tree_prepare(t, setup);
	if (r < 0)
		return diag_set(diag, r,
				"libopencsd does not take the registers of the trace units: their "
				"traces are not decoded");
	*ret = TAKE(t);
	return 0;
}

void cs_tree_free(struct cs_tree *t)
{
	if (!t)
		return;
	if (t->handle)
		t->call.destroy(t->handle);
	free(t);
}

int cs_tree_feed(struct cs_tree *t, uint64_t index, const uint8_t *bytes, size_t n)
{
	ocsd_datapath_resp_t r = OCSD_RESP_CONT;
	uint32_t used = 0;

	for (size_t at = 0; at < n && !OCSD_DATA_RESP_IS_FATAL(r); at += used) {
		size_t most = n - at < UINT32_MAX ? n - at : UINT32_MAX;

		r = t->call.process(t->handle, OCSD_OP_DATA, (ocsd_trc_index_t)(index + at),
				    (uint32_t)most, bytes + at, &used);
		if (OCSD_DATA_RESP_IS_WAIT(r))
			r = t->call.process(t->handle, OCSD_OP_FLUSH, 0, 0, NULL, NULL);
		else if (!used)
			return -EIO;
	}
	return OCSD_DATA_RESP_IS_FATAL(r) ? -EIO : 0;
}

void cs_tree_reset(struct cs_tree *t)
{
	t->call.process(t->handle, OCSD_OP_RESET, 0, 0, NULL, NULL);
}

#else

int cs_tree_new(const struct cs_tree_setup *setup, struct cs_tree **ret, struct diag *diag)
{
	(void)setup, (void)ret;
	return diag_set(diag, -EOPNOTSUPP,
			"CoreSight traces are decoded by libopencsd, which was not there when perf "
			"was built");
}

void cs_tree_free(struct cs_tree *t)
{
	(void)t;
}

int cs_tree_feed(struct cs_tree *t, uint64_t index, const uint8_t *bytes, size_t n)
{
	(void)t, (void)index, (void)bytes, (void)n;
	return -EIO;
}

void cs_tree_reset(struct cs_tree *t)
{
	(void)t;
}

#endif
