/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds the file of a descriptor of the current task: the names of its path, from the last to the
 * first, the reverse of /proc/PID/fd.
 */
#include "bpf/trace-kernel.bpf.h"
#include "tools/trace/trace-state.bpf.h"

struct qstr {
	const unsigned char *name;
} KERNEL;

struct dentry {
	struct dentry *d_parent;
	struct qstr d_name;
} KERNEL;

struct super_block {
	unsigned long s_magic;
} KERNEL;

struct vfsmount {
	struct dentry *mnt_root;
	struct super_block *mnt_sb;
} KERNEL;

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
} KERNEL;

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
} KERNEL;

struct inode {
	unsigned long i_ino;
} KERNEL;

struct file {
	struct path f_path;
	struct inode *f_inode;
} KERNEL;

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
} KERNEL;

struct files_struct {
	struct fdtable *fdt;
} KERNEL;

struct fs_struct {
	struct path root;
} KERNEL;

struct task_struct___files {
	struct files_struct *files;
	struct fs_struct *fs;
} KERNEL;

/*
 * The maximum number of names of a path, including mounts, and the bytes of each: NAME_MAX and its
 * NUL.
 */
#define FILE_NAMES_MAX 64
#define FILE_NAME_SIZE 256

static __always_inline struct file *file_of(struct task_struct___files *task, __u32 fd)
{
	struct fdtable *table = BPF_CORE_READ(task, files, fdt);
	struct file **files = BPF_CORE_READ(table, fd), *file = NULL;

	if (fd < BPF_CORE_READ(table, max_fds))
		bpf_probe_read_kernel(&file, sizeof(file), files + fd);
	return file;
}

/*
 * Writes the names of the path @dentry_addr on @mnt_addr to the data of @s. Returns the number of
 * their bytes; negative: there are too many.
 */
__noinline int file_names(struct task_state *s, __u64 mnt_addr, __u64 dentry_addr)
{
	struct task_struct___files *task = (void *)bpf_get_current_task();
	struct dentry *root = BPF_CORE_READ(task, fs, root.dentry), *dentry = (void *)dentry_addr;
	struct vfsmount *root_mnt = BPF_CORE_READ(task, fs, root.mnt), *mnt = (void *)mnt_addr;

	if (!s)
		return -1;
	/*
	 * Kept in memory, so that the verifier does not follow its value through all paths of the
	 * loop.
	 */
	s->data_size = 0;
	for (int i = 0; i < FILE_NAMES_MAX; i++) {
		__u32 at = s->data_size;
		struct dentry *parent;
		long got;

		if (at > TRACE_PIECES_END)
			return -1;
		if (dentry == root && mnt == root_mnt)
			return (int)at;
		if (dentry == BPF_CORE_READ(mnt, mnt_root)) {
			struct mount *mount = (void *)mnt -
					      bpf_core_field_offset(struct mount, mnt);
			struct mount *above = BPF_CORE_READ(mount, mnt_parent);

			if (above == mount)
				return (int)at;
			dentry = BPF_CORE_READ(mount, mnt_mountpoint);
			mnt = (void *)above + bpf_core_field_offset(struct mount, mnt);
			continue;
		}
		got = bpf_probe_read_kernel_str(s->data + at, FILE_NAME_SIZE,
						BPF_CORE_READ(dentry, d_name.name));
		if (got < 0)
			return -1;
		s->data_size = at + (__u32)got;
		parent = BPF_CORE_READ(dentry, d_parent);
		if (parent == dentry)
			return (int)s->data_size;
		dentry = parent;
	}
	return -1;
}
