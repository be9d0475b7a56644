/* SPDX-License-Identifier: MIT */
/*
 * The methods that compiled code has inlined, by the debug information of an nmethod.
 *
 * It has an array of PcDesc, sorted by offset in the code. Code belongs to the first one at or
 * after it, because each describes what ends there, mostly a call. A PcDesc leads to a scope: a
 * method, the index of its byte code, and the scope of the caller into which it was inlined.
 */
#include <errno.h>
#include <stdlib.h>

#include "arch/access.h"
#include "arch/arch.h"
#include "base/memory.h"
#include "runtime/java.h"
#include "runtime/memory.h"

#define SCOPES_SIZE_MAX    ((size_t)4 << 20)
#define METADATA_COUNT_MAX 65536
#define DEPTH_MAX          256
#define PLACES_MAX         (1u << 20)
#define FUNCTIONS_MAX      2048
#define LINES_MAX          (1u << 20)

/* The words of a PcDesc. */
#define PC_OFFSET 0
#define PC_SCOPE  4
#define PC_BYTES  16

/* A PcDesc, and its places. */
struct scope_desc {
	uint32_t pc, first, n;
};

struct scopes {
	const struct java_layout *y;
	int pid;
	uint8_t *pcs, *data;
	uint64_t *metadata; /* the first one is number 1 */
	size_t n_pcs, data_size, n_metadata;
	uint64_t method;     /* into which the others were inlined: the first function */
	uint32_t *functions; /* by the number of the metadata: the function plus one */
	struct runtime_code *to;
	size_t n_lines; /* of all functions */
	struct {
		struct scope_desc *items; /* by pc */
		size_t n, room;
	} descs;
	const struct arch *arch;
	uint8_t *code;
	uint32_t code_size;
};

/* The places of the parts, as addresses in the process. */
struct scope_parts {
	uint64_t pcs, pcs_end, data, data_end, metadata, metadata_end;
};

/* Until version 21 all parts are one piece with the code. */
static void scopes_find_old(const struct java_layout *y, uint64_t code, const uint8_t *head,
			    struct scope_parts *ret)
{
	ret->pcs = code + java_u32(head, y->code_pcs);
	ret->pcs_end = code + java_u32(head, y->code_pcs_end);
	ret->data = java_u64(head, y->code_scopes);
	ret->data_end = ret->pcs;
	ret->metadata = code + java_u32(head, y->code_metadata);
	ret->metadata_end = ret->data;
}

static void scopes_find_new(const struct java_layout *y, const uint8_t *head,
			    struct scope_parts *ret)
{
	uint64_t fixed = java_u64(head, y->code_immutable);
	uint64_t mutable = java_u64(head, y->blob_mutable);

	ret->pcs = fixed + java_u32(head, y->code_pcs);
	ret->data = ret->pcs_end = fixed + java_u32(head, y->code_scopes);
	ret->data_end = fixed + java_u32(head, y->code_immutable_size);
	ret->metadata = mutable + java_u32(head, y->blob_relocation);
	ret->metadata_end = mutable + java_u32(head, y->blob_mutable_size);
}

static int scopes_find(const struct java_layout *y, uint64_t code, const uint8_t *head,
		       struct scope_parts *ret)
{
	const uint16_t last = JAVA_CODE_BYTES - sizeof(uint64_t);

	if (y->pc_size != PC_BYTES || y->code_pcs > last || y->code_scopes > last ||
	    y->code_pcs_end > last || y->code_metadata > last || y->code_immutable > last ||
	    y->code_immutable_size > last || y->blob_mutable > last ||
	    y->blob_mutable_size > last || y->blob_relocation > last)
		return -ENOTSUP;
	if (y->code_immutable && y->blob_mutable && y->blob_relocation && !y->code_metadata)
		scopes_find_new(y, head, ret);
	else if (!y->code_immutable && y->code_metadata && y->code_pcs_end)
		scopes_find_old(y, code, head, ret);
	else
		return -ENOTSUP;
	return ret->pcs <= ret->pcs_end && ret->pcs_end - ret->pcs <= SCOPES_SIZE_MAX &&
			       ret->data <= ret->data_end &&
			       ret->data_end - ret->data <= SCOPES_SIZE_MAX &&
			       ret->metadata <= ret->metadata_end &&
			       ret->metadata_end - ret->metadata <=
				       METADATA_COUNT_MAX * sizeof(uint64_t)
		       ? 0
		       : -EPROTO;
}

static int scopes_load(const struct scope_parts *p, struct scopes *s)
{
	int r;

	s->n_pcs = (size_t)(p->pcs_end - p->pcs) / PC_BYTES;
	s->data_size = (size_t)(p->data_end - p->data);
	s->n_metadata = (size_t)(p->metadata_end - p->metadata) / sizeof(uint64_t);
	s->pcs = xcalloc(s->n_pcs + 1, PC_BYTES);
	s->data = xcalloc(1, s->data_size + 1);
	s->metadata = xcalloc(s->n_metadata + 1, sizeof(s->metadata[0]));
	s->functions = xcalloc(s->n_metadata + 1, sizeof(s->functions[0]));
	r = memory_read(s->pid, p->pcs, s->pcs, s->n_pcs * PC_BYTES);
	if (r >= 0)
		r = memory_read(s->pid, p->data, s->data, s->data_size);
	if (r >= 0)
		r = memory_read(s->pid, p->metadata, s->metadata,
				s->n_metadata * sizeof(s->metadata[0]));
	return r;
}

/* Gives the number of the function that is metadata @n. */
static int scopes_find_function(struct scopes *s, uint32_t n, uint32_t *ret)
{
	struct runtime_function *f;
	int r;

	if (!n || n > s->n_metadata)
		return -EPROTO;
	if (s->metadata[n - 1] == s->method)
		s->functions[n - 1] = 1;
	if (!s->functions[n - 1]) {
		f = runtime_code_add(s->to);
		r = java_method_read(s->y, s->pid, s->metadata[n - 1], f);
		if (r < 0)
			return r;
		s->n_lines += f->lines.n;
		if (s->n_lines > LINES_MAX || s->to->functions.n > FUNCTIONS_MAX)
			return -EPROTO;
		s->functions[n - 1] = (uint32_t)s->to->functions.n;
	}
	*ret = s->functions[n - 1] - 1;
	return 0;
}

/* Appends the places of the scope at @offset of the data, and of those around it. */
static int scopes_add_places(struct scopes *s, uint32_t offset)
{
	for (int depth = 0; offset && depth < DEPTH_MAX; depth++) {
		struct java_stream stream = { s->data + offset, s->data + s->data_size,
					      s->y->version >= 20 };
		struct runtime_place place;
		uint32_t outer, method, index;
		int r;

		if (offset >= s->data_size || !java_stream_take(&stream, &outer) ||
		    !java_stream_take(&stream, &method) || !java_stream_take(&stream, &index))
			return -EPROTO;
		r = scopes_find_function(s, method, &place.function);
		if (r < 0)
			return r;
		/* The index is one more, so that the entry, -1, has a number. */
		place.position = index ? index - 1 : 0;
		if (s->to->places.n >= PLACES_MAX)
			return -EPROTO;
		*ARRAY_ADD(&s->to->places) = place;
		/* A scope is written after the one around it. */
		if (outer >= offset || (!outer && s->metadata[method - 1] != s->method))
			return -EPROTO;
		offset = outer;
	}
	return offset ? -EPROTO : 0;
}

/* Code from @from up to @end has the places of @d. */
static void scopes_add_spot(struct scopes *s, uint32_t from, uint32_t end,
			    const struct scope_desc *d)
{
	if (from < end)
		*ARRAY_ADD(&s->to->spots) = (struct runtime_spot){ end, d->first, d->n };
}

/* Returns the first PcDesc at or after @pc. There is one. */
static const struct scope_desc *scopes_next(const struct scopes *s, uint32_t pc)
{
	size_t low = 0, high = s->descs.n - 1;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->descs.items[middle].pc < pc)
			low = middle + 1;
		else
			high = middle;
	}
	return &s->descs.items[low];
}

/*
 * Returns the PcDesc of the code that ends with the instruction @a, after that of @last; NULL: it
 * goes on to the next instruction.
 */
static const struct scope_desc *scopes_find_end(const struct scopes *s, const struct code_access *a,
						const struct scope_desc *last)
{
	bool has_target = a->has_target && a->target < s->code_size;

	if (a->flow == ACCESS_END)
		return last;
	if ((a->flow == ACCESS_BRANCH || a->flow == ACCESS_JUMP) && has_target &&
	    a->target <= last->pc)
		return last;
	if (a->flow != ACCESS_JUMP)
		return NULL;
	return has_target ? scopes_next(s, (uint32_t)a->target) : last;
}

/* Adds the spots of the code after @last up to @next. */
static void scopes_add_between(struct scopes *s, const struct scope_desc *last,
			       const struct scope_desc *next)
{
	uint32_t from = last->pc + 1, at = last->pc;

	while (at < next->pc && at < s->code_size) {
		const struct scope_desc *d;
		struct code_access a;

		if (!code_access_read(s->arch, s->code + at, s->code_size - at, at, &a))
			break;
		at += a.length;
		if (at > next->pc)
			break;
		d = scopes_find_end(s, &a, last);
		if (d && at > from) {
			scopes_add_spot(s, from, at, d);
			from = at;
		}
	}
	scopes_add_spot(s, from, next->pc + 1, next);
}

/* Reads what each PcDesc leads to. */
static int scopes_read_descs(struct scopes *s, uint32_t complete)
{
	uint32_t last_scope = 0;
	int64_t last_pc = -1;

	/* Until its frame is complete, code belongs to the method itself. */
	if (complete && complete <= INT16_MAX) {
		*ARRAY_ADD(&s->to->places) = (struct runtime_place){ 0, 0 };
		*ARRAY_ADD(&s->descs) = (struct scope_desc){ complete, 0, 1 };
		last_pc = complete;
	}
	for (size_t i = 0; i < s->n_pcs; i++) {
		int32_t pc = (int32_t)java_u32(s->pcs, i * PC_BYTES + PC_OFFSET);
		uint32_t scope = java_u32(s->pcs, i * PC_BYTES + PC_SCOPE);
		struct scope_desc d = { (uint32_t)pc, (uint32_t)s->to->places.n, 0 };
		int r;

		/* The first and the last ones are below and above all code. */
		if (pc <= last_pc || pc < 0 || !scope)
			continue;
		last_pc = pc;
		if (last_scope == scope) {
			d.first = s->descs.items[s->descs.n - 1].first;
			d.n = s->descs.items[s->descs.n - 1].n;
		} else {
			r = scopes_add_places(s, scope);
			if (r < 0)
				return r;
			d.n = (uint32_t)s->to->places.n - d.first;
		}
		last_scope = scope;
		*ARRAY_ADD(&s->descs) = d;
	}
	return s->descs.n ? 0 : -ENODATA;
}

static int scopes_take(struct scopes *s, uint32_t complete)
{
	int r = scopes_read_descs(s, complete);

	if (r < 0)
		return r;
	scopes_add_spot(s, 0, s->descs.items[0].pc + 1, &s->descs.items[0]);
	for (size_t i = 1; i < s->descs.n; i++)
		scopes_add_between(s, &s->descs.items[i - 1], &s->descs.items[i]);
	return 0;
}

/* Reads the code itself. Without it the next PcDesc is taken. */
static void scopes_load_code(struct scopes *s, uint64_t code, const uint8_t *head)
{
	const struct java_layout *y = s->y;
	uint32_t size = java_u32(head, y->blob_size);
	uint64_t start = y->code_is_offset ? code + java_u32(head, y->blob_code)
					   : java_u64(head, y->blob_code);

	s->arch = arch_host();
	if (!code_access_knows(s->arch) || start - code >= size || size > SCOPES_SIZE_MAX)
		return;
	s->code = xcalloc(1, size);
	s->code_size = size - (uint32_t)(start - code);
	if (memory_read(s->pid, start, s->code, s->code_size) < 0)
		s->code_size = 0;
}

static void scopes_done(struct scopes *s)
{
	free(s->descs.items);
	free(s->code);
	free(s->pcs);
	free(s->data);
	free(s->metadata);
	free(s->functions);
}

int java_scopes_read(const struct java_layout *y, int pid, uint64_t code, const uint8_t *bytes,
		     struct runtime_code *to)
{
	struct scopes s = {
		.y = y, .pid = pid, .method = java_u64(bytes, y->code_method), .to = to
	};
	struct scope_parts parts;
	uint32_t complete = java_u16(bytes, y->blob_complete);
	int r = scopes_find(y, code, bytes, &parts);

	if (r >= 0)
		r = scopes_load(&parts, &s);
	if (r >= 0)
		scopes_load_code(&s, code, bytes);
	if (r >= 0)
		r = scopes_take(&s, complete);
	scopes_done(&s);
	return r;
}
