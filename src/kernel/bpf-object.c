/* SPDX-License-Identifier: MIT */
#include "kernel/bpf-object.h"

#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int bpf_object_call(int cmd, union bpf_attr *attr)
{
	long r = syscall(__NR_bpf, cmd, attr, sizeof(*attr));

	return r < 0 ? -errno : (int)r;
}

static uint64_t bpf_object_pointer(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

int bpf_object_open(const char *path, bool read_only)
{
	union bpf_attr a = { .pathname = bpf_object_pointer(path),
			     .file_flags = read_only ? BPF_F_RDONLY : 0 };

	return bpf_object_call(BPF_OBJ_GET, &a);
}

int bpf_object_pin(int fd, const char *path)
{
	union bpf_attr a = { .pathname = bpf_object_pointer(path), .bpf_fd = (uint32_t)fd };

	return bpf_object_call(BPF_OBJ_PIN, &a);
}

int bpf_hash_new(const char *name, uint32_t key_size, uint32_t value_size, uint32_t max_entries)
{
	union bpf_attr a = {
		.map_type = BPF_MAP_TYPE_HASH,
		.key_size = key_size,
		.value_size = value_size,
		.max_entries = max_entries,
	};

	strncpy(a.map_name, name, sizeof(a.map_name) - 1);
	return bpf_object_call(BPF_MAP_CREATE, &a);
}

int bpf_event_array_new(const char *name, uint32_t n)
{
	union bpf_attr a = {
		.map_type = BPF_MAP_TYPE_PERF_EVENT_ARRAY,
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(uint32_t),
		.max_entries = n,
		.map_flags = BPF_F_PRESERVE_ELEMS,
	};

	strncpy(a.map_name, name, sizeof(a.map_name) - 1);
	return bpf_object_call(BPF_MAP_CREATE, &a);
}

static int bpf_object_put(int fd, const void *key, const void *value, uint64_t flags)
{
	union bpf_attr a = {
		.map_fd = (uint32_t)fd,
		.key = bpf_object_pointer(key),
		.value = bpf_object_pointer(value),
		.flags = flags,
	};

	return bpf_object_call(BPF_MAP_UPDATE_ELEM, &a);
}

int bpf_map_put(int fd, const void *key, const void *value)
{
	return bpf_object_put(fd, key, value, BPF_ANY);
}

int bpf_map_put_new(int fd, const void *key, const void *value)
{
	return bpf_object_put(fd, key, value, BPF_NOEXIST);
}

int bpf_map_get(int fd, const void *key, void *ret_value)
{
	union bpf_attr a = { .map_fd = (uint32_t)fd,
			     .key = bpf_object_pointer(key),
			     .value = bpf_object_pointer(ret_value) };

	return bpf_object_call(BPF_MAP_LOOKUP_ELEM, &a);
}

int bpf_map_remove(int fd, const void *key)
{
	union bpf_attr a = { .map_fd = (uint32_t)fd, .key = bpf_object_pointer(key) };

	return bpf_object_call(BPF_MAP_DELETE_ELEM, &a);
}

int bpf_map_next(int fd, const void *key, void *ret_key)
{
	union bpf_attr a = { .map_fd = (uint32_t)fd,
			     .key = bpf_object_pointer(key),
			     .next_key = bpf_object_pointer(ret_key) };

	return bpf_object_call(BPF_MAP_GET_NEXT_KEY, &a);
}

int bpf_map_facts(int fd, struct bpf_map_facts *ret)
{
	struct bpf_map_info info = { 0 };
	union bpf_attr a = { .info.bpf_fd = (uint32_t)fd,
			     .info.info_len = sizeof(info),
			     .info.info = bpf_object_pointer(&info) };
	int r = bpf_object_call(BPF_OBJ_GET_INFO_BY_FD, &a);

	if (r < 0)
		return r;
	*ret = (struct bpf_map_facts){
		.id = info.id,
		.type = info.type,
		.key_size = info.key_size,
		.value_size = info.value_size,
		.max_entries = info.max_entries,
		.btf_id = info.btf_id,
		.value_type = info.btf_value_type_id,
	};
	memcpy(ret->name, info.name, sizeof(ret->name) - 1);
	return 0;
}

int bpf_map_open_id(uint32_t id)
{
	union bpf_attr a = { .map_id = id };

	return bpf_object_call(BPF_MAP_GET_FD_BY_ID, &a);
}

int bpf_program_open_id(uint32_t id)
{
	union bpf_attr a = { .prog_id = id };

	return bpf_object_call(BPF_PROG_GET_FD_BY_ID, &a);
}
