/* SPDX-License-Identifier: MIT */
#include "tools/script/writer-view.h"

#include <inttypes.h>

#include "base/cleanup.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"
#include "view/branch-text.h"
#include "wire/branch.h"

static void script_branch_add_flags(struct script_writer *p, uint64_t flags)
{
	text_addf(&p->out, "/%c/%c/%c/%u/%s ",
		  flags & BRANCH_MISPREDICTED ? 'M'
		  : flags & BRANCH_PREDICTED  ? 'P'
					      : '-',
		  flags & BRANCH_IN_TX ? 'X' : '-', flags & BRANCH_ABORT ? 'A' : '-',
		  branch_cycles(flags), branch_kind_text(branch_kind(flags)));
}

/*
 * Finds the location of @addr. A branch does not contain its mode, but addresses of the kernel are
 * high on every machine.
 */
static void script_branch_locate(struct script_writer *p, const struct script_head *h,
				 uint64_t addr, struct location *ret)
{
	enum address_mode mode = addr >> 63 ? ADDRESS_KERNEL : ADDRESS_USER;

	machine_locate(p->setup->session, h->pid, mode, addr, h->moment, ret);
}

static void script_branch_add_image(struct script_writer *p, const struct script_head *h,
				    const struct location *loc)
{
	struct image *im = loc->map ? loc->map->image : NULL;

	if (h->event->fields & FIELD_BIT(DSO))
		text_addf(&p->out, "(%s)", im ? image_long_name(im) : "[unknown]");
}

static void script_branch_add_end(struct script_writer *p, const struct script_head *h,
				  uint64_t addr)
{
	uint64_t fields = h->event->fields;
	struct location loc;

	script_branch_locate(p, h, addr, &loc);
	if (fields & FIELD_BIT(BRSTACK)) {
		text_addf(&p->out, "0x%" PRIx64, addr);
	} else if (fields & FIELD_BIT(BRSTACKSYM)) {
		struct image *im = loc.map ? loc.map->image : NULL;
		const struct symbol *sym = im ? image_symbol_find(im, loc.image_addr) : NULL;

		if (sym)
			text_addf(&p->out, "%s+0x%" PRIx64, sym->name, loc.image_addr - sym->start);
		else
			text_add(&p->out, "[unknown]");
	} else {
		text_addf(&p->out, "0x%" PRIx64, loc.image_addr);
	}
	script_branch_add_image(p, h, &loc);
}

void script_write_branches(struct script_writer *p, const struct script_head *h,
			   const struct sample *s)
{
	bool symbols = !(h->event->fields & FIELD_BIT(BRSTACK)) &&
		       (h->event->fields & FIELD_BIT(BRSTACKSYM));

	for (size_t i = 0; i < s->branches.n / 3; i++) {
		struct branch b = sample_branch(s, i);

		if (!symbols)
			text_add_char(&p->out, ' ');
		script_branch_add_end(p, h, b.from);
		text_add_char(&p->out, '/');
		script_branch_add_end(p, h, b.to);
		script_branch_add_flags(p, b.flags);
	}
}
