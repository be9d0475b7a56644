/* SPDX-License-Identifier: MIT */
#include "bpf/prologue.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/memory.h"

/* Offsets from the frame pointer: first the fetched values, then the value that is being read. */
#define SLOT(i)  (-8 * ((i) + 1))
#define BUFFER   SLOT(BPF_PROLOGUE_ARGS_MAX)
#define STEP_MAX 8

/* A parsed argument: a register, then memory at each of the offsets, the innermost first. */
struct fetch {
	int16_t reg; /* offset in struct pt_regs */
	int32_t offsets[STEP_MAX];
	bool user[STEP_MAX];
	size_t n;
	unsigned low, width, size; /* bits of the value; bytes of the memory that contains them */
	bool is_signed;
};

void bpf_prologue_done(struct bpf_prologue *p)
{
	free(p->insns);
	*p = (struct bpf_prologue){ 0 };
}

static void bpf_prologue_add(struct bpf_prologue *p, struct bpf_insn i)
{
	if (p->n == p->room)
		p->insns = array_reserve(p->insns, &p->room, p->n + 1, sizeof(p->insns[0]));
	p->insns[p->n++] = i;
}

static void add_move(struct bpf_prologue *p, uint8_t to, uint8_t from)
{
	bpf_prologue_add(p, (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_X,
					       .dst_reg = to,
					       .src_reg = from });
}

static void bpf_prologue_add_number(struct bpf_prologue *p, uint8_t op, uint8_t to, int32_t n)
{
	bpf_prologue_add(
		p, (struct bpf_insn){ .code = BPF_ALU64 | op | BPF_K, .dst_reg = to, .imm = n });
}

static void bpf_prologue_add_load(struct bpf_prologue *p, uint8_t to, uint8_t from, int16_t at)
{
	bpf_prologue_add(p, (struct bpf_insn){ .code = BPF_LDX | BPF_DW | BPF_MEM,
					       .dst_reg = to,
					       .src_reg = from,
					       .off = at });
}

static void add_store(struct bpf_prologue *p, int16_t at, uint8_t from)
{
	bpf_prologue_add(p, (struct bpf_insn){ .code = BPF_STX | BPF_DW | BPF_MEM,
					       .dst_reg = BPF_REG_10,
					       .src_reg = from,
					       .off = at });
}

/*
 * Sets r3 to the @size bytes at r3 + @offset. On failure the code continues at the error, whose
 * place is set later.
 */
static void add_read(struct bpf_prologue *p, int32_t offset, unsigned size, bool user)
{
	bpf_prologue_add_number(p, BPF_ADD, BPF_REG_3, offset);
	bpf_prologue_add_number(p, BPF_MOV, BPF_REG_1, 0);
	add_store(p, BUFFER, BPF_REG_1);
	add_move(p, BPF_REG_1, BPF_REG_10);
	bpf_prologue_add_number(p, BPF_ADD, BPF_REG_1, BUFFER);
	bpf_prologue_add_number(p, BPF_MOV, BPF_REG_2, (int32_t)size);
	bpf_prologue_add(p, (struct bpf_insn){ .code = BPF_JMP | BPF_CALL,
					       .imm = user ? BPF_FUNC_probe_read_user
							   : BPF_FUNC_probe_read_kernel });
	bpf_prologue_add(
		p, (struct bpf_insn){ .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = BPF_REG_0 });
	bpf_prologue_add_load(p, BPF_REG_3, BPF_REG_10, BUFFER);
}

/* r6 points to the registers. */
static void bpf_prologue_add_fetch(struct bpf_prologue *p, const struct fetch *f, size_t i)
{
	bpf_prologue_add_load(p, BPF_REG_3, BPF_REG_6, f->reg);
	for (size_t k = 0; k < f->n; k++)
		add_read(p, f->offsets[k], k + 1 == f->n ? f->size : 8, f->user[k]);
	if (f->width < 64) {
		bpf_prologue_add_number(p, BPF_LSH, BPF_REG_3, (int32_t)(64 - f->low - f->width));
		bpf_prologue_add_number(p, f->is_signed ? BPF_ARSH : BPF_RSH, BPF_REG_3,
					(int32_t)(64 - f->width));
	}
	add_store(p, (int16_t)SLOT((int)i), BPF_REG_3);
}

/*
 * Sets the parameters for the case that memory could not be read. The verifier rejects code that is
 * never reached.
 */
static void bpf_prologue_add_error(struct bpf_prologue *p)
{
	size_t error = p->n + 1;

	bpf_prologue_add(
		p, (struct bpf_insn){ .code = BPF_JMP | BPF_JA, .off = 1 + BPF_PROLOGUE_ARGS_MAX });
	for (uint8_t i = 0; i < BPF_PROLOGUE_ARGS_MAX; i++)
		bpf_prologue_add_number(p, BPF_MOV, (uint8_t)(BPF_REG_3 + i), 0);
	bpf_prologue_add_number(p, BPF_MOV, BPF_REG_2, 1);
	for (size_t i = 0; i < error; i++)
		if (p->insns[i].code == (BPF_JMP | BPF_JNE | BPF_K))
			p->insns[i].off = (int16_t)(error - i - 1);
}

/* Puts the parameters where the function expects them. */
static void bpf_prologue_add_parameters(struct bpf_prologue *p, size_t n, bool has_reads)
{
	for (size_t i = 0; i < BPF_PROLOGUE_ARGS_MAX; i++)
		if (i < n)
			bpf_prologue_add_load(p, (uint8_t)(BPF_REG_3 + i), BPF_REG_10,
					      (int16_t)SLOT((int)i));
		else
			bpf_prologue_add_number(p, BPF_MOV, (uint8_t)(BPF_REG_3 + i), 0);
	bpf_prologue_add_number(p, BPF_MOV, BPF_REG_2, 0);
	if (has_reads)
		bpf_prologue_add_error(p);
	add_move(p, BPF_REG_1, BPF_REG_6);
}

/* Finds the place of the register that the kernel's probes call @name. False: it has none. */
static bool bpf_prologue_find_register(const struct arch *a, const char *name, int16_t *ret)
{
	const struct arch_registers *r = a->registers;

	for (size_t i = 0; r && r->trap && i < r->n_trap; i++) {
		const char *known = r->items[i].probe;

		if (known && !strcmp(known, name)) {
			*ret = (int16_t)r->trap[i];
			return r->trap[i] != ARCH_NO_TRAP;
		}
	}
	return false;
}

/* Parses "+8(", "-4(", "+u8(": an offset, after which the inner value follows. */
static bool bpf_prologue_take_offset(const char **at, bool is_user, struct fetch *f)
{
	bool user = (*at)[1] == 'u';
	char *end;
	long n = strtol(*at + 1 + user, &end, 0);

	if (end == *at + 1 + user || *end != '(' || f->n == STEP_MAX || n < 0 || n > INT32_MAX)
		return false;
	/* The first offsets in the text are the outermost. */
	memmove(f->offsets + 1, f->offsets, f->n * sizeof(f->offsets[0]));
	memmove(f->user + 1, f->user, f->n * sizeof(f->user[0]));
	f->offsets[0] = (int32_t)(**at == '-' ? -n : n);
	f->user[0] = user || is_user;
	f->n++;
	*at = end + 1;
	return true;
}

static bool bpf_prologue_take_value(const struct arch *a, const char *value, bool is_user,
				    struct fetch *f)
{
	const char *at = value;
	char name[16] = "";
	size_t n;

	while (*at == '+' || *at == '-')
		if (!bpf_prologue_take_offset(&at, is_user, f))
			return false;
	n = strcspn(at, ")");
	if (n >= sizeof(name) || strspn(at + n, ")") != f->n || at[n + f->n])
		return false;
	memcpy(name, at, n);
	/* A function's return value is in the first register of each machine. */
	return bpf_prologue_find_register(
		a, strcmp(name, "$retval") ? name : a->registers->items[0].probe, &f->reg);
}

/* Parses "u32", "s8", "x64"; "b3@5/32": 3 bits from bit 5 on, of 32. */
static bool bpf_prologue_take_type(const char *type, struct fetch *f)
{
	unsigned bits = 64;
	char *end;

	f->width = 64;
	f->size = 8;
	if (!type)
		return true;
	if (!strchr("usxb", *type))
		return false;
	f->is_signed = *type == 's';
	bits = f->width = (unsigned)strtoul(type + 1, &end, 10);
	if (*type == 'b' && *end == '@') {
		f->low = (unsigned)strtoul(end + 1, &end, 10);
		bits = *end == '/' ? (unsigned)strtoul(end + 1, &end, 10) : 0;
	}
	f->size = bits / 8;
	return !*end && (bits == 8 || bits == 16 || bits == 32 || bits == 64) && f->width &&
	       f->width <= bits && f->low <= bits - f->width;
}

int bpf_prologue_make(const struct arch *arch, bool is_user, const struct bpf_prologue_arg *args,
		      size_t n, struct bpf_prologue *ret, struct diag *diag)
{
	_cleanup_(bpf_prologue_done) struct bpf_prologue p = { 0 };
	bool has_reads = false;

	if (n > BPF_PROLOGUE_ARGS_MAX)
		return diag_set(diag, -EOPNOTSUPP, "a program gets %d arguments at most",
				BPF_PROLOGUE_ARGS_MAX);
	add_move(&p, BPF_REG_6, BPF_REG_1);
	for (size_t i = 0; i < n; i++) {
		struct fetch f = { 0 };

		if (!bpf_prologue_take_value(arch, args[i].value, is_user, &f) ||
		    !bpf_prologue_take_type(args[i].type, &f))
			return diag_set(diag, -EOPNOTSUPP,
					"no program gets the argument %s%s%s: it must be a number "
					"in a register or in memory",
					args[i].value, args[i].type ? ":" : "",
					args[i].type ? args[i].type : "");
		bpf_prologue_add_fetch(&p, &f, i);
		has_reads |= f.n != 0;
	}
	bpf_prologue_add_parameters(&p, n, has_reads);
	*ret = p;
	p = (struct bpf_prologue){ 0 };
	return 0;
}
