/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A BPF object in the kernel: its programs, its maps, and the tracepoints to which they are
 * attached.
 *
 *	bpf_module_open() ─► constants, wanted programs, sizes of maps ─► bpf_module_load()
 *	─► bpf_module_put() fills maps ─► bpf_module_attach() ─► bpf_module_sum() reads counts
 *
 * Everything is held by descriptors alone, nothing is pinned. The kernel therefore removes all of
 * it when the process ends, for any reason. Only the files of this module use libbpf.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct attr;
struct bpf_image;
struct bpf_module;
struct diag;

/* True if this build has BPF programs. */
bool bpf_is_built_in(void);

/*
 * Reads @image; the kernel is not involved yet. -EOPNOTSUPP with @diag set: this build has no BPF.
 */
int bpf_module_open(const struct bpf_image *image, struct bpf_module **ret, struct diag *diag);

/*
 * Does the same with a user's object, from @size bytes that are borrowed until the module is freed.
 * All its programs are wanted. -EINVAL with @diag set: it is not an object that libbpf can read.
 */
int bpf_module_open_object(const char *name, const void *bytes, size_t size,
			   struct bpf_module **ret, struct diag *diag);

/* Gives program @i in the order of the object; false: there are no more. The texts belong to @m. */
bool bpf_module_program(const struct bpf_module *m, size_t i, const char **ret_name,
			const char **ret_section);

/*
 * Set the type of a program whose section libbpf does not know: it runs at a probe or at a
 * tracepoint.
 */
int bpf_module_set_probe(struct bpf_module *m, const char *program);
int bpf_module_set_tracepoint(struct bpf_module *m, const char *program);

/* A map of the object: its type BPF_MAP_TYPE_x and its sizes. The name belongs to @m. */
struct bpf_map_shape {
	const char *name;
	uint32_t type, key_size, value_size, max_entries;
	bool is_internal; /* variables, not a map of the source */
};

/* Gives map @i in the order of the object; false: there are no more. */
bool bpf_module_map(const struct bpf_module *m, size_t i, struct bpf_map_shape *ret);

/* Returns the verifier's output when it rejected the last program; "": none. */
const char *bpf_module_log(const struct bpf_module *m);

/* Does the same as bpf_module_load() without explaining errors: see bpf_module_log(). */
int bpf_module_try_load(struct bpf_module *m);

struct bpf_insn;

/*
 * Puts the @n instructions at @insns before those of @program when it is loaded. The program is at
 * a probe in an object of bpf_module_open_object(). -ENOENT: there is none of that name.
 */
int bpf_module_prepend(struct bpf_module *m, const char *program, const struct bpf_insn *insns,
		       size_t n);

/* Detaches and removes everything. */
void bpf_module_free(struct bpf_module *m);
DEFINE_FREEP(bpf_module)

/*
 * Returns the only constant of the object, of @size bytes, to be filled in before loading. The
 * kernel's verifier knows the values and drops branches that they exclude. NULL: there is no
 * constant of that size.
 */
void *bpf_module_constants(struct bpf_module *m, size_t size);

/* Selects @program for loading; others are not loaded. -ENOENT: there is none of that name. */
int bpf_module_want(struct bpf_module *m, const char *program);

/* Gives @map a capacity of @n entries. -ENOENT: there is none of that name. */
int bpf_module_size(struct bpf_module *m, const char *map, uint32_t n);

/* Gives the keys of @map @size bytes. Errors as above. */
int bpf_module_key_size(struct bpf_module *m, const char *map, uint32_t size);

/* Gives the values of @map @size bytes. Errors as above. */
int bpf_module_value_size(struct bpf_module *m, const char *map, uint32_t size);

/*
 * Returns the number of possible CPUs, which is the number of entries of a map with one for each
 * CPU.
 */
int bpf_module_cpus(void);

/*
 * Loads the wanted programs. Returns a negative errno with @diag explaining why the kernel rejects
 * them (bpf/explain.h).
 */
int bpf_module_load(struct bpf_module *m, struct diag *diag);

/* Stores @value under @key in @map. Errors with @diag set. */
int bpf_module_put(struct bpf_module *m, const char *map, const void *key, const void *value,
		   struct diag *diag);

/*
 * Maps the values of @map, an array, into memory: each side sees at once what the other writes. The
 * memory is valid until @m is freed. Errors with @diag set.
 */
int bpf_module_map_memory(struct bpf_module *m, const char *map, void **ret, struct diag *diag);

/*
 * Returns a descriptor that becomes readable when a program writes to the ring buffer @map, which
 * is used only for this purpose; bpf_module_woken() makes it wait again. It belongs to @m. Errors
 * with @diag set.
 */
int bpf_module_wakeups(struct bpf_module *m, const char *map, struct diag *diag);
void bpf_module_woken(struct bpf_module *m);

/* Removes the entry @key of @map, if it exists. */
void bpf_module_remove(struct bpf_module *m, const char *map, const void *key);

/*
 * Returns the number of arguments of programs at the raw tracepoint @name, from the kernel's BTF.
 * -ENOENT: there is no BTF, or no such tracepoint.
 */
int bpf_module_arguments(const char *name);

/*
 * A reader of the ring buffer @map: bpf_reader_read() passes the data that programs have put into
 * it to @take, in order. A module may have several readers, each for a thread of its own; they end
 * before the module does. Errors with @diag set.
 */
struct bpf_reader;
typedef int bpf_take_fn(void *arg, const void *bytes, size_t size);
int bpf_reader_open(struct bpf_module *m, const char *map, bpf_take_fn *take, void *arg,
		    struct bpf_reader **ret, struct diag *diag);
void bpf_reader_close(struct bpf_reader *r);

/* Returns a descriptor that becomes readable when a program wakes the reader. */
int bpf_reader_fd(const struct bpf_reader *r);

/*
 * Returns 0, or the negative errno of take(), which stops reading; data that was passed on is
 * removed from the ring.
 */
int bpf_reader_read(struct bpf_reader *r);

/* Removes all entries of the hash @map. */
void bpf_module_clear(struct bpf_module *m, const char *map);

/* Detaches all programs; maps are kept. */
void bpf_module_detach(struct bpf_module *m);

/*
 * Runs @program at every occurrence of the tracepoint @attr, called @name in messages, on all CPUs;
 * or of a probe in a function (kernel/function-probe.h), for which the program is a SEC("kprobe").
 * The program gets @cookie from bpf_get_attach_cookie(); 0: it does not ask for it. -EINVAL: the
 * event is a probe, whose fields BPF programs cannot read; other errors: those of
 * perf_event_open(); with @diag set.
 */
int bpf_module_attach(struct bpf_module *m, const char *program, const struct attr *attr,
		      uint64_t cookie, const char *name, struct diag *diag);

/*
 * Runs @program at the raw tracepoint that its section names: SEC("tp_btf/sys_enter"). The program
 * gets the arguments of the tracepoint, typed by the kernel's BTF, and no record is made; with
 * SEC("raw_tp/...") they are numbers. Errors with @diag.
 */
int bpf_module_attach_raw(struct bpf_module *m, const char *program, struct diag *diag);

/*
 * Runs @program, a SEC("perf_event"), for every sample of the event @fd, called @name in messages.
 * It lasts until the event is closed, and applies to inherited events too. Errors with @diag.
 */
int bpf_module_attach_event(struct bpf_module *m, const char *program, int fd, const char *name,
			    struct diag *diag);

/*
 * Makes @program, a SEC("fentry/...") or SEC("fexit/..."), run before or after the BPF program that
 * is loaded under @id. To be called before loading. -ENOENT: there is none; -EOPNOTSUPP: it does
 * not give the name of its function (BTF); with @diag.
 */
int bpf_module_aim(struct bpf_module *m, const char *program, uint32_t id, struct diag *diag);

/*
 * Runs @program, a SEC("raw_tp/..."), now on CPU @cpu, with @arg as its first argument. -ENXIO: the
 * CPU is offline.
 */
int bpf_module_run_on(struct bpf_module *m, const char *program, int cpu, uint64_t arg);

/* Return the descriptors of a loaded program or map; they belong to @m. -ENOENT: there is none. */
int bpf_module_program_fd(const struct bpf_module *m, const char *program);
int bpf_module_map_fd(const struct bpf_module *m, const char *map);

/*
 * Returns how often programs did not run because another one was running on the CPU: an interrupt
 * may occur in the meantime. 0 if the kernel does not report it.
 */
uint64_t bpf_module_missed(const struct bpf_module *m);

/* Sums up the first @n counts of the array @map over all CPUs. Errors with @diag set. */
int bpf_module_sum(const struct bpf_module *m, const char *map, size_t n, uint64_t *ret,
		   struct diag *diag);

/*
 * Reads the entry @key of @map into @ret: one value, or for a per-CPU map all of them, each at a
 * multiple of 8 bytes. Errors with @diag set.
 */
int bpf_module_look_up(const struct bpf_module *m, const char *map, const void *key, void *ret,
		       struct diag *diag);

/* The entries of a hash map: @n keys and their values, one after the other. */
struct bpf_entries {
	uint8_t *keys, *values;
	size_t n, room;
	uint32_t key_size, value_size;
};

/*
 * Reads all entries of the hash @map into @ret, which bpf_entries_done() releases. Programs may add
 * entries in the meantime, which may or may not be included. Errors with @diag set; @ret is empty
 * then.
 */
int bpf_module_read(const struct bpf_module *m, const char *map, struct bpf_entries *ret,
		    struct diag *diag);
void bpf_entries_done(struct bpf_entries *e);
