/* SPDX-License-Identifier: MIT */
#include "probe/btf-parameters.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "arch/probe-registers.h"
#include "base/c-type.h"
#include "base/file.h"
#include "base/memory.h"
#include "wire/btf-types.h"

#define BTF_DIRECTORY "/sys/kernel/btf/"
#define BTF_SIZE_MAX  (256u << 20)

struct btf_parameters {
	char *kernel_bytes, *module_bytes;
	struct btf_types *kernel, *module;
	struct debug_variable variables[BTF_PARAMETERS_MAX];
	size_t n;
};

void btf_parameters_free(struct btf_parameters *p)
{
	if (!p)
		return;
	btf_types_free(p->module);
	btf_types_free(p->kernel);
	free(p->module_bytes);
	free(p->kernel_bytes);
	free(p);
}

static int read_types(const char *name, const struct btf_types *base, char **ret_bytes,
		      struct btf_types **ret)
{
	_cleanup_(freep) char *path = xasprintf(BTF_DIRECTORY "%s", name);
	size_t size;
	int r = file_read(AT_FDCWD, path, BTF_SIZE_MAX, ret_bytes, &size);

	return r < 0 ? r : btf_types_open(*ret_bytes, size, base, ret);
}

/* The position at which the next parameter is passed. */
struct passing {
	const struct arch *arch;
	size_t registers; /* the number of registers taken */
	int64_t stack;    /* offset from the stack pointer */
};

static void put_on_stack(struct passing *s, uint64_t size, struct variable_place *ret)
{
	*ret = (struct variable_place){
		.where = VARIABLE_MEMORY,
		.reg = s->arch->convention->sp,
		.steps = { s->stack },
		.n_steps = 1,
	};
	s->stack += (int64_t)((size + 7) / 8 * 8);
}

static struct variable_place in_register(unsigned reg)
{
	return (struct variable_place){ .where = VARIABLE_REGISTER, .reg = reg };
}

/* Places a value in one register, or, if it has up to 16 bytes, in two consecutive ones. */
static bool put_in_registers(struct passing *s, uint64_t size, struct debug_variable *v)
{
	unsigned first, second;

	if (!arch_argument_register(s->arch, s->registers, &first))
		return false;
	v->place = in_register(first);
	if (size > 8) {
		if (!arch_argument_register(s->arch, s->registers + 1, &second))
			return false;
		v->pieces[0] = v->place;
		v->pieces[0].size = 8;
		v->pieces[1] = in_register(second);
		v->pieces[1].offset = 8;
		v->pieces[1].size = size - 8;
		v->n_pieces = 2;
	}
	s->registers += size > 8 ? 2 : 1;
	return true;
}

/*
 * Sets where @v is passed. A structure of more than 16 bytes is passed on the stack; on some
 * machines the address of a copy is passed.
 */
static void btf_parameters_pass(struct passing *s, struct debug_variable *v)
{
	uint64_t size = c_type_size(v->type);
	bool is_large = size > 16;

	if (is_large && s->arch->probes->copies_large) {
		if (put_in_registers(s, 8, v)) {
			v->place.where = VARIABLE_MEMORY;
			v->place.n_steps = 1;
		} else {
			put_on_stack(s, 8, &v->place);
			v->place.steps[v->place.n_steps++] = 0;
		}
		return;
	}
	if (is_large || !put_in_registers(s, size, v))
		put_on_stack(s, size ? size : 8, &v->place);
}

static void btf_parameters_place_all(struct btf_parameters *p,
				     const struct btf_parameter *parameters,
				     const struct arch *arch)
{
	struct passing s = { .arch = arch, .stack = arch->probes->first_on_stack };

	for (size_t i = 0; i < p->n; i++) {
		struct debug_variable *v = &p->variables[i];

		v->name = parameters[i].name;
		v->type = parameters[i].type;
		v->is_parameter = true;
		v->is_plain = true;
		btf_parameters_pass(&s, v);
	}
}

int btf_parameters_read(const char *function, const char *module, const struct arch *arch,
			struct btf_parameters **ret)
{
	_cleanup_(btf_parameters_freep) struct btf_parameters *p = xcalloc(1, sizeof(*p));
	struct btf_parameter parameters[BTF_PARAMETERS_MAX];
	int r;

	if (!arch || !arch->probes || !arch->convention)
		return -ENOTSUP;
	r = read_types("vmlinux", NULL, &p->kernel_bytes, &p->kernel);

	if (r >= 0 && module)
		r = read_types(module, p->kernel, &p->module_bytes, &p->module);
	if (r >= 0)
		r = btf_function_parameters(p->module ? p->module : p->kernel, function,
					    parameters);
	if (r < 0)
		return r;
	p->n = (size_t)r;
	btf_parameters_place_all(p, parameters, arch);
	*ret = TAKE(p);
	return 0;
}

const struct debug_variable *btf_parameter_get(const struct btf_parameters *p, size_t i)
{
	return i < p->n ? &p->variables[i] : NULL;
}
