/* SPDX-License-Identifier: MIT */
#include "hwtrace/pt-code.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* An exec takes longer than this. */
#define FRESH_NS 1000000

void pt_code_done(struct pt_code *c)
{
	for (size_t i = 0; i < PT_CODE_PAGES; i++)
		free(c->pages[i].bytes);
}

static bool is_fresh(const struct pt_code *c, const struct pt_code_page *p, uint64_t addr)
{
	return p->n && p->pid == c->pid && addr >= p->addr && addr - p->addr < p->n &&
	       c->time - p->time < FRESH_NS;
}

static size_t pt_code_ask(struct pt_code *c, uint64_t addr, uint8_t *bytes, size_t size)
{
	return c->host.code ? c->host.code(c->host.arg, c->pid, c->time, addr, bytes, size) : 0;
}

/* Loads a page. An image may begin inside a page. */
static void pt_code_load(struct pt_code *c, struct pt_code_page *p, uint64_t addr)
{
	uint64_t start = addr & ~(uint64_t)(PT_CODE_PAGE - 1);

	if (!p->bytes)
		p->bytes = xmalloc(PT_CODE_PAGE);
	p->pid = c->pid;
	p->time = c->time;
	p->addr = start;
	p->n = pt_code_ask(c, start, p->bytes, PT_CODE_PAGE);
	if (addr - start < p->n)
		return;
	p->addr = addr;
	p->n = pt_code_ask(c, addr, p->bytes, PT_CODE_PAGE - (size_t)(addr - start));
}

static size_t pt_code_read_page(struct pt_code *c, uint64_t addr, uint8_t *bytes, size_t size)
{
	struct pt_code_page *p = &c->pages[addr / PT_CODE_PAGE % PT_CODE_PAGES];
	size_t n;

	if (!is_fresh(c, p, addr))
		pt_code_load(c, p, addr);
	if (addr < p->addr || addr - p->addr >= p->n)
		return 0;
	n = p->n - (size_t)(addr - p->addr);
	if (n > size)
		n = size;
	memcpy(bytes, p->bytes + (addr - p->addr), n);
	return n;
}

size_t pt_code_read(struct pt_code *c, uint64_t addr, uint8_t *bytes, size_t size)
{
	size_t done = 0;

	while (done < size) {
		size_t n = pt_code_read_page(c, addr + done, bytes + done, size - done);

		if (!n)
			break;
		done += n;
	}
	return done;
}
